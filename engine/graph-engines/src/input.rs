//! Where links lie and which of them count.
//!
//! Rule for plain links: every row with a source and a target is a link, every number that occurs is a node. For an exported
//! survey the rules are those of `groma rank` on a survey whose crawl has ended: nodes are indexed and registered pages; links are those
//! of indexed pages that lead a reader on (no image, script, style or form); a link to another name of a page is a link to the page.
//! Parallel links are one, loops none; an arc is navigation if all its links are.
//! Not guaranteed: menus that `groma rank` tells by how often a host repeats them are not told here; what is marked as navigation counts.

use crate::GraphEngineError;

/// Kinds of links that lead to a part of a page, not to another page.
pub(crate) const PARTS_OF_PAGES: [&str; 4] = ["image", "script", "style", "form"];

/// Reasons of pages that are known and stand outside the map.
pub(crate) const OUTSIDE: [&str; 2] = ["out-of-scope", "private-address"];

/// Where links are read from, as Parquet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A folder (or URL) of files with `source`, `target` and, if they like, `navigation`. Names are the numbers.
    Links(String),
    /// An exported survey: a folder (or URL) with the tables `links` and `pages`.
    Survey(String),
}

impl Input {
    /// Where the links lie.
    pub(crate) fn links(&self) -> String {
        match self {
            Input::Links(path) => path.trim_end_matches('/').to_owned(),
            Input::Survey(path) => below(path, "links"),
        }
    }

    /// Where the pages lie, if there are any.
    pub(crate) fn pages(&self) -> Option<String> {
        match self {
            Input::Links(_) => None,
            Input::Survey(path) => Some(below(path, "pages")),
        }
    }
}

/// A place below a place.
pub(crate) fn below(path: &str, name: &str) -> String {
    format!("{}/{name}", path.trim_end_matches('/'))
}

/// Refuses what clusters would take for a pattern, and nothing at all.
pub(crate) fn plain(path: &str) -> Result<(), GraphEngineError> {
    let refuse = |why| Err(GraphEngineError::Place { path: path.to_owned(), why });
    if path.trim_matches('/').is_empty() {
        return refuse("it is empty");
    }
    if path.contains(['*', '?', '[', ']', '{', '}', '\\', ',', '\0', '\n']) {
        return refuse("Spark would take one of its signs (* ? [ ] { } , \\) for a pattern; choose a plain name");
    }
    Ok(())
}
