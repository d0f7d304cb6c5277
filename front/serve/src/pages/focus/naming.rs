//! What is a focused crawl called, and how far is it? In a few words.

use groma_model::wording::{counted, grouped};
use groma_store::focuses::FocusRow;

use crate::pages::layout::short;

/// Letters of a topic on a page.
pub(super) const TOPIC: usize = 160;

/// The topic of a crawl, fit for a line.
pub(super) fn topic(crawl: &FocusRow) -> String {
    let topic = short(&crawl.topic, TOPIC);
    if topic.is_empty() { "(no words)".to_owned() } else { topic }
}

/// Relevant pages of every hundred.
pub(super) fn harvest(relevant: u32, fetched: u32) -> String {
    match fetched {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", f64::from(relevant) / f64::from(fetched) * 100.0),
    }
}

/// How far a focused crawl is.
pub(super) fn so_far(crawl: &FocusRow) -> String {
    format!("{} fetched, {} relevant", counted(crawl.steps.into(), "page", "pages"), grouped(crawl.relevant.into()))
}
