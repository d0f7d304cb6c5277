//! Pages whose answer broke off.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "broken-off",
    severity: Severity::Warning,
    family: Family::Content,
    headline: "pages whose answer broke off",
    next_step: "look into the server's log, then run `groma update`",
    help: "The connection ended in the middle of the page, or the rest broke the rules of HTTP: visitors get half a page, too. What other \
        checks say of it holds for the part that was read.",
    example: Example {
        fault: "@ https://a.example/ cut:broken
<title>Home</title>",
        fine: "@ https://a.example/
<title>Home</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
