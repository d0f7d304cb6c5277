//! Links to other sites that cannot be reached.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "outside-unreachable",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "links to other sites that cannot be reached",
    next_step: "try the URL again later (`groma check --outside yes`); if it stays away, remove the link",
    help: "Another site did not answer in time, refused the connection, answered 5xx, has no valid certificate, or redirects in a circle. \
        It may be back tomorrow.",
    example: Example {
        fault: r#"<a href="https://b.example/">Partner</a>
@ https://b.example/ outside 500"#,
        fine: r#"<a href="https://b.example/">Partner</a>
@ https://b.example/ outside 200"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
