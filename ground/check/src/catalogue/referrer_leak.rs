//! Servers that tell other sites which page a visitor came from.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "referrer-leak",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers that tell other sites which page a visitor came from",
    next_step: "send Referrer-Policy: strict-origin-when-cross-origin",
    help: "Referrer-Policy is `unsafe-url` or `no-referrer-when-downgrade`, in the header or in the page: other sites learn the whole URL, \
        parameters included. (Without the field browsers are careful by themselves.)",
    example: Example {
        fault: "> Referrer-Policy: unsafe-url
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> Referrer-Policy: same-origin
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let policy = page.field(HeaderField::ReferrerPolicy).or_else(|| page.metas("referrer").next())?.to_ascii_lowercase();
    let last = policy.rsplit(',').next().unwrap_or_default().trim();
    matches!(last, "unsafe-url" | "no-referrer-when-downgrade" | "always").then(|| quoted(last))
}
