//! How a check comes to its findings: by a row, a page, a server, a link, or the whole survey.

use crate::catalogue::thresholds::Thresholds;
use crate::catalogue::view::{LinkView, PageView};
use crate::evidence::PageFacts;

/// How a check comes to its findings.
#[derive(Clone, Copy)]
pub(crate) enum Judge {
    /// By what is known of a page without its content: says what is wrong.
    Row(fn(&PageFacts<'_>, &Thresholds) -> Option<String>),
    /// By a page and its content.
    Page(fn(&PageView<'_>) -> Option<String>),
    /// The same, said once for a server: the first page with the fault, and on how many pages it is.
    Server(fn(&PageView<'_>) -> Option<String>),
    /// By a link.
    Link(fn(&LinkView<'_>) -> bool),
    /// By the whole survey: a file of [`checks`](crate::checks).
    Survey,
}
