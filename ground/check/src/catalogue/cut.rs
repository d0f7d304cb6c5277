//! Pages that were not read to the end because of a limit.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "cut",
    severity: Severity::Note,
    family: Family::Content,
    headline: "pages that were not read to the end because of a limit",
    next_step: "raise the limit that is named and run `groma update`",
    help: "A page is larger than a limit of Groma's. What other checks say of it holds for the part that was read.",
    example: Example {
        fault: "@ https://a.example/ cut:page_bytes
<title>Home</title>",
        fine: "@ https://a.example/
<title>Home</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
