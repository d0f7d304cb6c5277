//! Servers that speak HTTP/1 only.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "http-old",
    severity: Severity::Note,
    family: Family::Speed,
    headline: "servers that speak HTTP/1 only",
    next_step: "switch on HTTP/2",
    help: "A page of https came by HTTP/1.1 or 1.0, though Groma offers HTTP/2.",
    example: Example {
        fault: "> Version: HTTP/1.1
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Version: HTTP/2
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let version = page.field(HeaderField::Version).filter(|version| version.starts_with("HTTP/1"))?;
    page.is_secure().then(|| version.to_owned())
}
