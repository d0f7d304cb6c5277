//! Pages with the same text at different URLs.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "duplicate",
    severity: Severity::Warning,
    family: Family::Content,
    headline: "pages with the same text at different URLs",
    next_step: "redirect to one of them, or name it by rel=canonical",
    help: "Two pages have the same visible text. Search engines choose one of them, perhaps not the one you would. Pages that name the \
        other as their canonical form are left out.",
    example: Example {
        fault: "<title>A</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.
@ https://a.example/2
<title>A</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.",
        fine: "<title>A</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.
@ https://a.example/2
<title>B</title><p>Another text",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
