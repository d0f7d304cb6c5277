//! Versions in other languages that are not listed.

use groma_model::PageId;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::{PageView, quoted};
use crate::checks::duplicates::names_another;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hreflang-target",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "versions in other languages that are not listed",
    next_step: "link to the page that is listed",
    help: "A link with `hreflang` leads to a page that redirects, says `noindex`, or names another page as its canonical form. (One that is \
        broken is a broken link.)",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/de">
@ https://a.example/de
<title>Zeiten</title><meta name=robots content=noindex>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/de">
@ https://a.example/de
<title>Zeiten</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let links = page.links();
    let facts = page.facts;
    let unlisted = |target: PageId| {
        let end = facts.end(target)?;
        let page = facts.page(end)?;
        (end != target || facts.has(end, Mark::NoIndex) || names_another(facts, page)).then_some(())
    };
    let alternates = page.markup()?.alternates.iter();
    let wrong = alternates.filter(|alternate| links.get(alternate.link as usize).and_then(|link| unlisted(link.target)).is_some());
    let tags: Vec<&str> = wrong.map(|alternate| alternate.hreflang.as_str()).collect();
    (!tags.is_empty()).then(|| quoted(&tags.join(", ")))
}
