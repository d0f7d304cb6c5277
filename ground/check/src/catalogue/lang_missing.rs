//! Pages that do not say their language.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "lang-missing",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "pages that do not say their language",
    next_step: "write it into the html element: lang=\"en\"",
    help: "The `html` element has no `lang`, or an empty one. Screen readers then pronounce the text as if it were in the visitor's \
        language, and browsers do not offer to translate it.",
    example: Example {
        fault: "<!doctype html><title>Hours</title>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let lang = page.markup()?.lang.as_deref().unwrap_or_default().trim();
    (lang.is_empty() && !page.sends_on()).then(String::new)
}
