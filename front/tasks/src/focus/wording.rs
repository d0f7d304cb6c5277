//! Sentences that more than one place says.

use groma_model::wording::counted;

pub const NO_SUCH_FOCUS_HINT: &str = "`groma focus list` shows those of the survey";
pub const NO_FOCUS_HINT: &str = "groma focus TOPIC --seed URL begins one";
pub const NOT_VISITED_HINT: &str = "`groma focus export --all` lists the pages it went to";

pub fn no_such_focus(id: u64) -> String {
    format!("there is no focused crawl {id}")
}

pub fn focus_ended(says: &str, fetched: u32, relevant: u32, harvest: f64) -> String {
    let pages = counted(fetched.into(), "page", "pages");
    format!("{says}: {relevant} relevant of {pages} fetched, harvest {:.1} %", harvest * 100.0)
}
