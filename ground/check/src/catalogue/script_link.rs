//! Links that only scripts can follow.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "script-link",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links that only scripts can follow",
    next_step: "give the link a URL, or make it a button",
    help: "The target of a link is `javascript:...`. Crawlers, and visitors who open it in a new tab, come to nothing.",
    example: Example {
        fault: r#"<a href="javascript:show(1)">Prices</a>"#,
        fine: r#"<a href="/prices">Prices</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::ScriptLink)
}
