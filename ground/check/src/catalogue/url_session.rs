//! URLs with a session in them.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::thresholds::Thresholds;
use crate::evidence::PageFacts;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "url-session",
    severity: Severity::Warning,
    family: Family::Indexing,
    headline: "URLs with a session in them",
    next_step: "keep the session in a cookie",
    help: "A URL has a parameter that names a session (`jsessionid`, `PHPSESSID`, `sid`, ...) and a value of eight characters or more: \
        every visitor, and every visit of a crawler, sees other URLs for the same pages.",
    example: Example {
        fault: "@ https://a.example/x?PHPSESSID=3f9a11c07b2e
<title>Hours</title>",
        fine: "@ https://a.example/x?page=2
<title>Hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Row(judge);

fn judge(page: &PageFacts<'_>, _: &Thresholds) -> Option<String> {
    let lower = page.url.to_ascii_lowercase();
    let named = |part: &&str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        ["jsessionid", "phpsessid", "sessionid", "session_id", "aspsessionid", "sid", "cfid"].contains(&name) && value.len() >= 8
    };
    lower.split(['?', '&', ';']).skip(1).find(named).map(|part| part.split('=').next().unwrap_or_default().to_owned())
}
