//! Broken links to other sites.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "outside-broken",
    severity: Severity::Error,
    family: Family::Links,
    headline: "broken links to other sites",
    next_step: "remove the link, or point it at a URL that works",
    help: "A link leads to another site that was asked by GET and answered 404, 410 or another 4xx, or whose host does not exist, or whose \
        redirect leads nowhere.",
    example: Example {
        fault: r#"<a href="https://b.example/gone">Partner</a>
@ https://b.example/gone outside 404"#,
        fine: r#"<a href="https://b.example/">Partner</a>
@ https://b.example/ outside 200"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
