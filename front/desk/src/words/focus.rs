//! What people read about the parts of pages and about focused crawls.

use super::counted;

pub const NOTHING_TO_READ: &str = "it is there, but it is no page that can be read";
pub const NO_BODY: &str = "the survey has this page without its bytes";
pub const NO_BODY_HINT: &str = "crawl with --set bodies=keep, or name the page without --store to fetch it";

pub const NO_TOPIC_HINT: &str = "say what to look for: words, a text with --text FILE, or example pages with --like";
pub const NO_SUCH_FOCUS_HINT: &str = "`groma focus list` shows those of the survey";
pub const NO_FOCUS: &str = "no focused crawl in this survey yet";
pub const NO_FOCUS_HINT: &str = "groma focus TOPIC --seed URL begins one";
pub const NOT_VISITED_HINT: &str = "`groma focus export --all` lists the pages it went to";
pub const FOCUS_FORMS: &str = "one of: csv, json, warc";

pub fn no_such_focus(id: u64) -> String {
    format!("there is no focused crawl {id}")
}

pub fn focus_ended(says: &str, fetched: u32, relevant: u32, harvest: f64) -> String {
    let pages = counted(fetched.into(), "page", "pages");
    format!("{says}: {relevant} relevant of {pages} fetched, harvest {:.1} %", harvest * 100.0)
}
