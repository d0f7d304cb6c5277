//! Tel: links that no telephone can dial.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "phone-malformed",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "tel: links that no telephone can dial",
    next_step: "write tel: and digits: tel:+49301234567",
    help: "What follows `tel:` is not a number (RFC 3966): digits and the signs between them, a plus sign in front.",
    example: Example {
        fault: r#"<a href="tel:call-us">Call</a>"#,
        fine: r#"<a href="tel:+49-30-1234567">Call</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::MalformedPhone)
}
