//! Pages that do not fit themselves to small screens.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "viewport-missing",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "pages that do not fit themselves to small screens",
    next_step: "add meta name=viewport content=\"width=device-width\"",
    help: "A page has no `meta name=viewport`: telephones show it as small as on a wide screen.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title>",
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=viewport content="width=device-width">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let known = page.markup().is_some();
    (known && page.metas("viewport").next().is_none() && !page.sends_on()).then(String::new)
}
