//! Different pages with the same description.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "description-doubled",
    severity: Severity::Warning,
    family: Family::Titles,
    headline: "different pages with the same description",
    next_step: "say in the description what is particular to each page",
    help: "Two listed pages have the same description, white space and capitals aside.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="Our shop"><p>One
@ https://a.example/2
<title>Prices</title><meta name=description content="our  shop"><p>Another"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta name=description content="Our shop"><p>One
@ https://a.example/2
<title>Prices</title><meta name=description content="What it costs"><p>Another"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
