//! Servers that do not ask for encryption next time.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hsts-missing",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers that do not ask for encryption next time",
    next_step: "send Strict-Transport-Security: max-age=31536000",
    help: "A page of https came without Strict-Transport-Security: the next visit may begin without encryption.",
    example: Example {
        fault: "> Server: x
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Strict-Transport-Security: max-age=31536000
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    (page.has_header() && page.is_secure() && page.field(HeaderField::StrictTransportSecurity).is_none()).then(String::new)
}
