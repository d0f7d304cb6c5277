//! Elements of the head that stand in the body.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "head-in-body",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "elements of the head that stand in the body",
    next_step: "close what ends the head too early, or move them up",
    help: "A `title`, `meta name=robots` or `rel=canonical` comes after the body has begun, by its tag or by an element that cannot stand \
        in a head (a `div`, an `img`). Search engines pass over such a canonical, since anybody might have put it there.",
    example: Example {
        fault: r#"<head><title>Hours</title><div>Banner</div><link rel=canonical href="/"></head>"#,
        fine: r#"<head><title>Hours</title><link rel=canonical href="/"></head><body><div>Banner</div>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::HeadElementInBody)
}
