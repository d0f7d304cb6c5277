//! Links to other sites that turn programs away.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "outside-blocked",
    severity: Severity::Note,
    family: Family::Links,
    headline: "links to other sites that turn programs away",
    next_step: "open it in a browser; nobody else can tell whether it works",
    help: "Another site answered 401, 403, 429, 451 or 999, or its robots.txt keeps programs out. Visitors may well see it.",
    example: Example {
        fault: r#"<a href="https://b.example/">Partner</a>
@ https://b.example/ outside 403"#,
        fine: r#"<a href="https://b.example/">Partner</a>
@ https://b.example/ outside 200"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
