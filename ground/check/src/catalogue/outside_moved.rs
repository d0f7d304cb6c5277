//! Links to other sites that have moved for good.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "outside-moved",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links to other sites that have moved for good",
    next_step: "link to the URL it has moved to",
    help: "Another site answered with redirects for good (301, 308), and what they lead to is there.",
    example: Example {
        fault: r#"<a href="https://b.example/old">Partner</a>
@ https://b.example/old outside 200 moved"#,
        fine: r#"<a href="https://b.example/">Partner</a>
@ https://b.example/ outside 200"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
