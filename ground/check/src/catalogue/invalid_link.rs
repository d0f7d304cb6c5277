//! Broken links.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "invalid-link",
    severity: Severity::Error,
    family: Family::Links,
    headline: "broken links",
    next_step: "remove the link, or point it at a URL that works",
    help: "A link, image, style, script or frame of the site leads, redirects followed, to a URL that is gone (404, 410 and other 4xx), \
        cannot be reached (time-out, no such host, 5xx) or is no URL at all. Who asks for a login, for a pause or to keep out (401, 403, \
        429, robots.txt) is not broken, only unknown.",
    example: Example {
        fault: r#"<a href="/old">Prices</a>
@ https://a.example/old 404"#,
        fine: r#"<a href="/new">Prices</a>
@ https://a.example/new
<title>Prices</title>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
