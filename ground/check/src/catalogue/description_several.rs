//! Pages with several descriptions.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "description-several",
    severity: Severity::Warning,
    family: Family::Titles,
    headline: "pages with several descriptions",
    next_step: "keep one description",
    help: "A page has more than one `meta name=description`; which of them is shown is up to the search engine.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><meta name=description content=One><meta name=description content=Two>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><meta name=description content=One>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let count = page.metas("description").count();
    (count > 1).then(|| format!("{count} descriptions"))
}
