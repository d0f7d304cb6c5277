//! What people read about the borders of sites.

pub use groma_bounds::plain_price;
use groma_model::wording::grouped;

use super::counted;

pub const METHODS: &str = "one of: flow, mcl, mcl+flow";
pub const NO_PAGES_READ: &str = "no page of the survey has been read";
pub const NO_PAGES_READ_HINT: &str =
    "crawl a site first: `groma crawl URL`; `groma status` shows where the survey stands";
pub const NO_SEED_PAGES: &str = "the list names no page";
pub const NOT_COMPARED: &str =
    "pages were not compared: the survey holds no texts of linked pages, or it is a search on line";
pub const NO_SITE_YET: &str = "no site has been found in this survey yet";
pub const NO_SITE_YET_HINT: &str = "find one first: groma bounds URL";
pub const ON_LINE_FROM_PAGES: &str = "a search on line begins at a page";
pub const ON_LINE_FROM_PAGES_HINT: &str = "name one: groma bounds URL --online";
pub const NO_SUBJECT: &str = "nothing is named";
pub const SUBJECT_HINT: &str = "name an address, or a folder that ends in / (all that lies below it)";

pub fn one_of(words: &[&str]) -> String {
    format!("one of: {}", words.join(", "))
}

pub fn bad_line(line: usize, why: &str) -> String {
    format!("line {line}: {why}")
}

pub fn site_found(pages: u64, undecided: u64, out: u64) -> String {
    format!("{}, {} undecided, {} out", counted(pages, "page", "pages"), grouped(undecided), grouped(out))
}

pub fn clustered(pages: u64, clusters: u64, overlaps: u64) -> String {
    let mut text = format!("{} in {}", counted(pages, "page", "pages"), counted(clusters, "cluster", "clusters"));
    if overlaps > 0 {
        text.push_str(&format!(", {} in more than one", counted(overlaps, "page", "pages")));
    }
    text
}

pub fn surt_untold(untold: &[String]) -> String {
    let example = untold.first().map(String::as_str).unwrap_or_default();
    format!("{} no SURT prefix can say, for example {example}", counted(untold.len() as u64, "verdict", "verdicts"))
}

pub fn searching(progress: crate::bounds::Progress) -> String {
    use crate::bounds::Progress;
    match progress {
        Progress::Reading => "reading pages and links".to_owned(),
        Progress::Clustering { round, chaos } => format!("clustering: round {round}, {chaos:.4} still moves"),
        Progress::Cutting => "looking for the border".to_owned(),
        Progress::Telling => "looking at every page".to_owned(),
    }
}

pub const IN: &str = "IN";
pub const UNDECIDED: &str = "UNDECIDED";
pub const OUT: &str = "OUT";

/// By what links count: whether the words of pages did, or their addresses alone.
pub fn weighed(likeness: &str) -> String {
    match likeness {
        "none" => "links weighed by addresses alone".to_owned(),
        compared => format!("links weighed by addresses and {compared}"),
    }
}
