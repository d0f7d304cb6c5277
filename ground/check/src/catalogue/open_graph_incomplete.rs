//! Pages whose card for social networks lacks something.

use groma_model::DataSyntax;

use crate::catalogue::data_faults;
use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "open-graph-incomplete",
    severity: Severity::Note,
    family: Family::Structured,
    headline: "pages whose card for social networks lacks something",
    next_step: "add the meta that is named: og:title, og:type, og:image, og:url",
    help: "A page has some of Open Graph and not the four properties that it asks for, or their URLs are not absolute. Pages without Open \
        Graph are left alone.",
    example: Example {
        fault: r#"<!doctype html><html lang=en><title>Opening hours</title><meta property="og:title" content="Hours">"#,
        fine: r#"<!doctype html><html lang=en><title>Opening hours</title><meta property="og:title" content="Hours"><meta property="og:type" content="website"><meta property="og:image" content="https://a.example/i.png"><meta property="og:url" content="https://a.example/">"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    data_faults::of_card(page, DataSyntax::OpenGraph)
}
