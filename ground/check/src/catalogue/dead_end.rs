//! Pages without a link to the rest of the site.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::evidence::LinkFacts;
use crate::facts::Mark;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "dead-end",
    severity: Severity::Note,
    family: Family::Structure,
    headline: "pages without a link to the rest of the site",
    next_step: "link from there at least to the start page",
    help: "No link of the page leads to another page of the survey: who comes from a search engine is stuck.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><p>Open",
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><a href="/x">Prices</a>
@ https://a.example/x
<title>Prices</title><a href="/">Home</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let leads_on = |link: &LinkFacts<'_>| {
        link.kind.leads_on() && page.facts.has(link.target, Mark::InScope) && page.facts.end(link.target) != Some(page.content.id)
    };
    (!page.links().iter().any(leads_on)).then(String::new)
}
