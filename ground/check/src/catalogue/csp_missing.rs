//! Servers without a Content-Security-Policy.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "csp-missing",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers without a Content-Security-Policy",
    next_step: "say which sources scripts may come from: Content-Security-Policy",
    help: "Neither the header nor a `meta` has a Content-Security-Policy: a script that somebody smuggles into a page runs.",
    example: Example {
        fault: "> Server: x
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Content-Security-Policy: script-src 'self'
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let in_page = page.metas("content-security-policy").next().is_some();
    (page.has_header() && !in_page && page.field(HeaderField::ContentSecurityPolicy).is_none()).then(String::new)
}
