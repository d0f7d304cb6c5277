//! Different pages with the same main heading.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "h1-doubled",
    severity: Severity::Note,
    family: Family::Titles,
    headline: "different pages with the same main heading",
    next_step: "say in the heading what is particular to each page",
    help: "Two listed pages have the same first `h1`, white space and capitals aside, and different texts.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><h1>Hours</h1><p>One
@ https://a.example/2
<title>Prices</title><h1>hours</h1><p>Another",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><h1>Hours</h1><p>One
@ https://a.example/2
<title>Prices</title><h1>Prices</h1><p>Another",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
