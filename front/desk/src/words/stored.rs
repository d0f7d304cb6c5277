//! What people read about where surveys are kept.

use std::path::Path;

use groma_model::wording::{grouped, plain, size};

use super::counted;

pub const NO_SURVEYS_THERE: &str =
    "no surveys on this server; begin one with `groma crawl URL --store ADDRESS?survey=NAME`";

pub fn copying(table: &str, rows: u64) -> String {
    format!("copying {table}: {}", grouped(rows))
}

pub fn copied(rows: u64, bytes: u64, seconds: f64) -> String {
    let rows = counted(rows, "row", "rows");
    format!("{rows}, {}, {seconds:.1} s: the same on both sides", size(bytes))
}

pub fn source_stays(from: &Path) -> String {
    let from = plain(&from.display().to_string());
    format!("{from} is as it was: remove it when you no longer need it; make the index of the copy with `groma index`")
}

pub fn about_addresses(count: &str) -> String {
    format!("about {count} addresses")
}

pub const EXPORT_THERE_HINT: &str = "name another place, or remove it first";
pub const LINKS_HAVE_NO_TEXT: &str = "--with-text is about pages, not about links";
pub const LINKS_HAVE_NO_TEXT_HINT: &str = "leave it away, or export the table of pages";

pub fn is_there(path: &str) -> String {
    format!("{path} is there already")
}

pub fn exported_pages(pages: u64, links: u64, stopped: bool) -> String {
    let end = if stopped { "stopped after" } else { "written:" };
    let links = if links > 0 { format!(", {}", counted(links, "link", "links")) } else { String::new() };
    format!("{end} {}{links}", counted(pages, "address", "addresses"))
}
