//! Links to files of somebody's disk.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "file-link",
    severity: Severity::Warning,
    family: Family::Links,
    headline: "links to files of somebody's disk",
    next_step: "put the file on the server and link to it there",
    help: "A link begins with `file:`. It works on one computer at most.",
    example: Example {
        fault: r#"<a href="file:///C:/docs/price.pdf">Prices</a>"#,
        fine: r#"<a href="/price.pdf">Prices</a>"#,
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::FileLink)
}
