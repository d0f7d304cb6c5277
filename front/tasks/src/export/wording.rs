//! Sentences that more than one place says.

pub const NO_PAGE_TO_LIST: &str = "no page can be listed in a sitemap";
pub const NO_PAGE_TO_LIST_HINT: &str = "only fetched pages that do not ask to be left out are; see `groma pages`";
pub const EXPORT_THERE_HINT: &str = "name another place, or remove it first";

pub fn no_such_form(name: &str) -> String {
    format!("there is no form `{name}` of it")
}

pub fn is_there(path: &str) -> String {
    format!("{path} is there already")
}
