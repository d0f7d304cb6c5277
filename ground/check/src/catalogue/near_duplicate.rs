//! Pages with nearly the same text.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "near-duplicate",
    severity: Severity::Note,
    family: Family::Content,
    headline: "pages with nearly the same text",
    next_step: "join them, or name one of them by rel=canonical",
    help: "The texts of two pages differ in few words (their similarity hashes in at most 3 of 64 bits; `--near` sets another number).",
    example: Example {
        fault: "<title>A</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.
@ https://a.example/2
<title>B</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years. Indeed.",
        fine: "<title>A</title><p>The map shows how the pages of a site hang together and which of its links lead nowhere. Whoever keeps a site can see from it what is missing, and what nobody has looked at for years.
@ https://a.example/2
<title>B</title><p>Prices of bread rose last year, and bakers say that flour, rent and wages leave them no choice.",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
