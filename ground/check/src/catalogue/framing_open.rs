//! Servers whose pages anybody may put into a frame.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "framing-open",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers whose pages anybody may put into a frame",
    next_step: "send Content-Security-Policy: frame-ancestors 'self'",
    help: "A page came with neither X-Frame-Options nor `frame-ancestors`: another site may show it in a frame and lead clicks astray.",
    example: Example {
        fault: "> Server: x
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> X-Frame-Options: DENY
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let policy = page.field(HeaderField::ContentSecurityPolicy).unwrap_or_default();
    let closed = page.field(HeaderField::FrameOptions).is_some() || policy.contains("frame-ancestors");
    (page.has_header() && !closed).then(String::new)
}
