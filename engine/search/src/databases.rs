//! What is known of the databases whose records are in the index: their forms, and where those stand in the survey.
//!
//! A form's page may be found, move on the map or get another rank while its records stay what they are: so this is a file of its
//! own beside the index, a few lines for each of at most a few hundred databases, read into memory.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{SearchError, sealed};

pub(crate) const NAME: &str = "databases";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Database {
    /// The number of its gathering.
    pub(crate) gather: u32,
    /// The page people use to ask it.
    pub(crate) form: String,
    /// What it is called.
    pub(crate) title: String,
    /// What its provider says it is about, and the keywords for it: a line each.
    #[serde(default)]
    pub(crate) about: String,
    /// The generation of the gathering that was taken up.
    #[serde(default)]
    pub(crate) shown: u32,
    /// The number of the form's page, if that is in the survey.
    pub(crate) page: Option<u32>,
    /// The language of the form's page, by which the words of the records are stemmed; empty if unknown.
    pub(crate) language: String,
    /// Records, or values where there are no records, that there was no room for.
    pub(crate) left_out: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Databases {
    /// In the order of their gatherings.
    pub(crate) list: Vec<Database>,
}

impl Databases {
    pub(crate) fn by_gather(&self, gather: u32) -> Option<&Database> {
        let at = self.list.binary_search_by_key(&gather, |database| database.gather).ok()?;
        self.list.get(at)
    }

    /// Records and values that are not searched because there was no room for them.
    pub(crate) fn left_out(&self) -> u64 {
        self.list.iter().map(|database| database.left_out).sum()
    }

    /// Reads the file in this folder; none if there is none. [`SearchError::Unusable`] if it is damaged.
    pub(crate) fn load(folder: &Path) -> Result<Databases, SearchError> {
        let bytes = sealed::read(&folder.join(NAME))?;
        let mut all: Databases = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        all.list.sort_unstable_by_key(|database| database.gather);
        Ok(all)
    }

    /// Writes the file into this folder. Where there never was a database there is no file.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), SearchError> {
        if self.list.is_empty() && !folder.join(NAME).exists() {
            return Ok(());
        }
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::from)?;
        Ok(sealed::write(&folder.join(NAME), &bytes)?)
    }
}

/// Scheme, name and port of an address.
pub(crate) fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find(['/', '?', '#']).map_or(url, |at| &url[..start + at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn databases_are_kept_and_found() {
        let folder = std::env::temp_dir().join(format!("groma-databases-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Databases::default().write(&folder).unwrap();
        assert!(!folder.join(NAME).exists(), "nothing is made for nothing");
        let of = |gather: u32| Database { gather, left_out: 2, ..Database::default() };
        let all = Databases { list: vec![of(2), of(7)] };
        all.write(&folder).unwrap();
        let back = Databases::load(&folder).unwrap();
        assert_eq!((back.by_gather(7), back.by_gather(3), back.left_out()), (Some(&of(7)), None, 4));
        std::fs::write(folder.join(NAME), "damage").unwrap();
        assert!(matches!(Databases::load(&folder), Err(SearchError::Unusable(_))));
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(origin("https://a.test:8?x"), "https://a.test:8");
    }
}
