//! Mailto: links that reach nobody.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "mail-malformed",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "mailto: links that reach nobody",
    next_step: "write mailto: and an address: name@host",
    help: "What follows `mailto:` is not an address with one @ and a domain (RFC 6068). Not seen: whether anybody reads what is sent there.",
    example: Example {
        fault: r#"<a href="mailto:office(at)a.example">Mail</a>"#,
        fine: r#"<a href="mailto:office@a.example?subject=Room">Mail</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::MalformedMail)
}
