//! Pages that name several canonical forms.

use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "canonical-several",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "pages that name several canonical forms",
    next_step: "keep one rel=canonical",
    help: "A page has several `rel=canonical` that lead to different URLs; search engines then believe none.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=canonical href="/a"><link rel=canonical href="/b">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=canonical href="/a"><link rel=canonical href="/a">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let mut named: Vec<u32> =
        page.links().iter().filter(|link| link.kind == LinkKind::Canonical).map(|link| link.target.0).collect();
    named.sort_unstable();
    named.dedup();
    (named.len() > 1).then(|| format!("{} different ones", named.len()))
}
