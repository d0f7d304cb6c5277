//! Links to a place on a page that is not there.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "missing-anchor",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "links to a place on a page that is not there",
    next_step: "give the place that id, or link to one that exists",
    help: "The fragment of a link (`#place`) is no id or name on the page it leads to. `#`, `#top` and fragments that only scripts read \
        (`#/...`, `#!...`) are left alone, as are pages that were not read to their end.",
    example: Example {
        fault: r##"<a href="#prices">Prices</a>"##,
        fine: r##"<a href="#prices">Prices</a><h2 id=prices>Prices</h2>"##,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
