//! Different pages with the same title.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "doubled-title",
    severity: Severity::Warning,
    family: Family::Titles,
    headline: "different pages with the same title",
    next_step: "say in the title what is particular to each page",
    help: "Two pages whose texts differ have the same title, white space and capitals aside. Left out are pages that ask not to be listed \
        or name another page as their canonical form.",
    example: Example {
        fault: "<title>Home</title><p>One text
@ https://a.example/2
<title>home</title><p>Quite another text",
        fine: "<title>Home</title><p>One text
@ https://a.example/2
<title>Prices</title><p>Quite another text",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
