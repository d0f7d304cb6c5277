//! Pages with very many links.

use groma_model::wording::grouped;
use groma_model::LinkKind;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "links-many",
    severity: Severity::Note,
    family: Family::Links,
    headline: "pages with very many links",
    next_step: "divide the page, or its menu",
    help: "A page has more links than `check.page_links` (1,000).",
    example: Example {
        fault: "",
        fine: r#"<a href="/prices">Prices</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let links = page.links().iter().filter(|link| link.kind == LinkKind::Anchor).count() as u64;
    (links > page.thresholds.page_links).then(|| format!("{} links", grouped(links)))
}
