//! Tables without header cells.

use groma_model::Symptom;

use crate::catalogue::definition::{Definition, Example, Family};
use crate::catalogue::judge::Judge;
use crate::catalogue::view::PageView;
use crate::finding::Severity;

pub(crate) const DEFINITION: Definition = Definition {
    name: "table-without-headers",
    severity: Severity::Note,
    family: Family::Accessibility,
    headline: "tables without header cells",
    next_step: "write th where a cell names a row or a column",
    help: "A table of at least three rows and two columns has no `th`. Left out are tables that lay out a page: those with a table, heading \
        or form inside, or `role=presentation`.",
    example: Example {
        fault: "<!doctype html><html lang=en><title>Opening hours</title><table><tr><td>1<td>2<tr><td>1<td>2<tr><td>1<td>2</table>",
        fine: "<!doctype html><html lang=en><title>Opening hours</title><table><tr><th>a<th>b<tr><td>1<td>2<tr><td>1<td>2<tr><td>1<td>2</table>",
    },
};

pub(crate) const JUDGE: Judge = Judge::Page(judge);

fn judge(page: &PageView<'_>) -> Option<String> {
    page.seen(Symptom::TableWithoutHeaders)
}
