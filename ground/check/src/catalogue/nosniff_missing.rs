//! Servers that let browsers guess types.

use groma_model::HeaderField;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "nosniff-missing",
    severity: Severity::Note,
    family: Family::Security,
    headline: "servers that let browsers guess types",
    next_step: "send X-Content-Type-Options: nosniff",
    help: "A page came without `X-Content-Type-Options: nosniff`: browsers may take a file that somebody uploaded for a script.",
    example: Example {
        fault: "> Server: x
<!doctype html><html lang=en><title>Opening hours</title>",
        fine: "> X-Content-Type-Options: nosniff
<!doctype html><html lang=en><title>Opening hours</title>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Server(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    let said = page.field(HeaderField::ContentTypeOptions).is_some_and(|value| value.eq_ignore_ascii_case("nosniff"));
    (page.has_header() && !said).then(String::new)
}
