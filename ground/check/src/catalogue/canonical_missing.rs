//! Pages that do not name their canonical form.

use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "canonical-missing",
    severity: Severity::Note,
    family: Family::Indexing,
    headline: "pages that do not name their canonical form",
    next_step: "name it: link rel=canonical",
    help: "A listed page has no `rel=canonical`, neither in its head nor in its header. Where a page can be had at several URLs, it says \
        which one counts.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title>",
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=canonical href="/">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let named = page.links().iter().any(|link| link.kind == LinkKind::Canonical);
    (!named && !page.is_unlisted() && !page.sends_on()).then(String::new)
}
