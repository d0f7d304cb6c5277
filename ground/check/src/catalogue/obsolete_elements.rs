//! Pages with elements that the standard has given up.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "obsolete-elements",
    severity: Severity::Note,
    family: Family::Content,
    headline: "pages with elements that the standard has given up",
    next_step: "use style sheets instead",
    help: "The page has `font`, `center`, `marquee`, `frameset` or other elements that the HTML standard calls obsolete.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><center>Open</center>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><p>Open",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::ObsoleteElement)
}
