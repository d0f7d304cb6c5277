//! What people read about ranks, maps, checks, reports and imported graphs.

use std::path::Path;

use super::counted;

pub const NOT_IN_SURVEY_HINT: &str = "`groma pages` lists every address of the survey";
pub const OTHER_ROOT_HINT: &str = "name another page of the survey with --root; `groma rank` lists good ones";
pub const IMPORT_INTO_FULL_HINT: &str = "choose another folder with --store, or start over with --fresh";
pub const IMPORT_HINT: &str = "an arc is a line with two numbers or two addresses, or a pair of little-endian 32-bit \
                                      numbers (--as pairs)";

pub fn not_converged(rounds: u32, change: f64) -> String {
    format!("after {rounds} rounds ranks still change by {change:.1e}")
}

pub fn up_to_layer(layer: u32) -> String {
    format!("pages still wait to be fetched: this is the survey up to layer {layer}")
}

pub fn import_into_full(store: &Path) -> String {
    format!("{} already holds a survey", store.display())
}

pub const CANDIDATES: &str = "pages of the layer before that link to it";

pub fn kind_names() -> String {
    let names: Vec<&str> = groma_check::Kind::ALL.iter().map(|kind| kind.name()).collect();
    format!("one of: {}", names.join(", "))
}

pub const NO_PAGE_TO_LIST: &str = "no page can be listed in a sitemap";
pub const NO_PAGE_TO_LIST_HINT: &str = "only fetched pages that do not ask to be left out are; see `groma pages`";

pub fn before(url: &str) -> String {
    format!(", before: {url}")
}

pub fn runs_pages_only() -> &'static str {
    "the log of runs knows pages only; `groma update --keep` keeps what is needed to compare links, findings and structure"
}

pub const REPORT_FILE_HINT: &str = "a name that ends in .html makes one file, any other name a folder";

pub fn incomplete_side(which: &str, unread: u64) -> String {
    let pages = counted(unread, "page", "pages");
    format!("the {which} survey is not complete ({pages} known but not read): what is missing there may only be unread")
}
