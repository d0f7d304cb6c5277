//! Sentences that more than one place says.

use groma_model::wording::{counted, grouped};

pub const NO_PAGES_READ: &str = "no page of the survey has been read";
pub const NO_PAGES_READ_HINT: &str =
    "crawl a site first: `groma crawl URL`; `groma status` shows where the survey stands";
pub const NO_SEED_PAGES: &str = "the list names no page";
pub const NOT_COMPARED: &str =
    "pages were not compared: the survey holds no texts of linked pages, or it is a search on line";
pub const NO_SITE_YET: &str = "no site has been found in this survey yet";
pub const NO_SITE_YET_HINT: &str = "find one first: groma bounds URL";

pub fn bad_line(line: usize, why: &str) -> String {
    format!("line {line}: {why}")
}

pub fn site_found(pages: u64, undecided: u64, out: u64) -> String {
    format!("{}, {} undecided, {} out", counted(pages, "page", "pages"), grouped(undecided), grouped(out))
}

pub fn surt_untold(untold: &[String]) -> String {
    let example = untold.first().map(String::as_str).unwrap_or_default();
    format!("{} no SURT prefix can say, for example {example}", counted(untold.len() as u64, "verdict", "verdicts"))
}
