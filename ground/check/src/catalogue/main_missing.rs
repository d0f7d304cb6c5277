//! Pages that do not say where their content is.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "main-missing",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "pages that do not say where their content is",
    next_step: "put the content into a main element",
    help: "A page has neither a `main` element nor `role=main`: who listens to it cannot jump past the menus.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><div>Open</div>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><main>Open</main>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let known = page.markup().is_some();
    (known && page.count(Symptom::MainLandmark) == 0 && !page.sends_on()).then(String::new)
}
