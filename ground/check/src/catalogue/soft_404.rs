//! Pages that say they do not exist, but are served as if they did.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "soft-404",
    severity: Severity::Warning,
    family: Family::Content,
    headline: "pages that say they do not exist, but are served as if they did",
    next_step: "let the server answer 404 or 410 for it, and fix the links to it",
    help: "A short page whose title or first heading says that there is nothing here, though the server says 200, at a URL and behind links \
        that do not speak of errors. Search engines keep such pages, and no link checker sees that the links to them are broken.",
    example: Example {
        fault: r#"<a href="/x">Offers</a>
@ https://a.example/x
<title>404 Not Found</title><h1>Page not found</h1>"#,
        fine: r#"<a href="/x">Offers</a>
@ https://a.example/x
<title>Offers</title><h1>Offers of the week</h1><p>Bread and butter."#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
