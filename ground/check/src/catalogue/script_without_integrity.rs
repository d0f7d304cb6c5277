//! Scripts of other hosts that nobody vouches for.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "script-without-integrity",
    severity: Severity::Note,
    family: Family::Security,
    headline: "scripts of other hosts that nobody vouches for",
    next_step: "write integrity=\"sha384-...\" and crossorigin into the script element",
    help: "A script comes from another host without `integrity`: whoever takes that host over runs code on this page. Leave it where the \
        script changes without a version.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><script src="https://cdn.example/x.js"></script>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><script src="https://cdn.example/x.js" integrity="sha384-x" crossorigin></script>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::ScriptWithoutIntegrity)
}
