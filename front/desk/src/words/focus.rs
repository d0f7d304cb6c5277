//! What people read about the parts of pages and about focused crawls.

use super::counted;

pub const NOTHING_TO_READ: &str = "it is there, but it is no page that can be read";
pub const NO_PARTS: &str = "the survey has this page without its parts";
pub const NO_PARTS_HINT: &str = "crawl with --set parts=keep, or name the page without --store to fetch it";
pub const NO_BODY: &str = "the survey has this page without its bytes";
pub const NO_BODY_HINT: &str = "crawl with --set bodies=keep, or name the page without --store to fetch it";

pub const NO_PART_FOUND: &str = "no part of this page was recognised";

pub fn counted_words(words: usize) -> String {
    counted(words as u64, "word", "words")
}

pub fn links_in(links: usize, part: &str) -> String {
    format!("{} in part {part}", counted(links as u64, "link", "links"))
}

pub const NO_TOPIC: &str = "no topic";
pub const NO_TOPIC_HINT: &str = "say what to look for: words, a text with --text FILE, or example pages with --like";
pub const SEVERAL_TOPICS: &str = "several topics at once";
pub const TOO_MANY_EXAMPLES: &str = "too many example pages";
pub const FOCUS_INTERRUPTED: &str = "interrupted: the same command goes on where it stopped";
pub const NO_SUCH_FOCUS_HINT: &str = "`groma focus list` shows those of the survey";
pub const NO_FOCUS: &str = "no focused crawl in this survey yet";
pub const NO_FOCUS_HINT: &str = "groma focus TOPIC --seed URL begins one";
pub const NOTHING_FETCHED_FOCUS: &str = "none of the start pages could be fetched";
pub const FOCUS_OPEN: &str = "not ended";
pub const IS_RELEVANT: &str = "relevant";
pub const IS_NOT_RELEVANT: &str = "not relevant";
pub const NOT_VISITED_HINT: &str = "`groma focus export --all` lists the pages it went to";
pub const FOCUS_FORMS: &str = "one of: csv, json, warc";

pub fn like_pages(pages: &[String]) -> String {
    match pages {
        [one] => format!("like {one}"),
        [first, rest @ ..] => format!("like {first} and {}", counted(rest.len() as u64, "other page", "other pages")),
        [] => "like nothing".to_owned(),
    }
}

pub fn number_up_to(most: u32) -> String {
    format!("a whole number from 1 to {most}")
}

pub fn no_such_focus(id: u64) -> String {
    format!("there is no focused crawl {id}")
}

pub fn not_visited(address: &str) -> String {
    format!("the focused crawl did not go to {address}")
}

pub fn focus_ended(says: &str, fetched: u32, relevant: u32, harvest: f64) -> String {
    let pages = counted(fetched.into(), "page", "pages");
    format!("{says}: {relevant} relevant of {pages} fetched, harvest {:.1} %", harvest * 100.0)
}

pub fn exported(pages: u64, without: u64, place: &str) -> String {
    let pages = counted(pages, "page", "pages");
    match without {
        0 => format!("{pages} in {place}"),
        _ => format!("{pages} in {place}, {without} of them left out: the survey has no bytes of them"),
    }
}
