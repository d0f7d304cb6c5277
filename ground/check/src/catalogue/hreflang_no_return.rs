//! Versions in other languages that do not link back.

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "hreflang-no-return",
    severity: Severity::Warning,
    family: Family::Language,
    headline: "versions in other languages that do not link back",
    next_step: "add a link with hreflang from there to this page",
    help: "A page names another one of the survey by `hreflang`, and that one does not name this page. Search engines believe only what \
        both sides say.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/de">
@ https://a.example/de
<html lang=de><title>Zeiten</title>"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><link rel=alternate hreflang=de href="/de">
@ https://a.example/de
<html lang=de><title>Zeiten</title><link rel=alternate hreflang=en href="/">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Survey;
