//! Start pages that are broken.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "start-broken",
    severity: Severity::Error,
    family: Family::Links,
    headline: "start pages that are broken",
    next_step: "name another start page, or take it off the list",
    help: "A URL that was named as a start page, or stands in a list of URLs, is broken. No page links to it, so nothing else would tell.",
    example: Example {
        fault: "@ https://a.example/ 404",
        fine: "@ https://a.example/
<title>Home</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
