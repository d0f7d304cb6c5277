//! The borders in a SQLite file beside the survey: `bounds.db`.

mod clusters;
mod decisions;
mod schema;
mod sites;

use std::path::Path;

use super::beside::{Beside, damaged};
use crate::StoreError;
use crate::borders::{
    Borders, Clusters, ClustersHead, DecisionId, DecisionRow, Manner, NewDecision, SiteHead, SiteRow, Watermark,
};

/// Borders in a SQLite file.
pub struct SqliteBorders {
    file: Beside,
}

impl SqliteBorders {
    /// Opens them, or begins them.
    pub fn open(path: &Path) -> Result<SqliteBorders, StoreError> {
        Beside::open(path, &schema::KIND).map(|file| SqliteBorders { file })
    }

    /// Opens those that are there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteBorders, StoreError> {
        Beside::open_reading(path, &schema::KIND).map(|file| SqliteBorders { file })
    }

    /// Borders with nothing in them, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteBorders, StoreError> {
        Beside::nothing_at(path, &schema::KIND).map(|file| SqliteBorders { file })
    }

    /// May they be written to?
    pub fn is_writable(&self) -> bool {
        self.file.is_writable()
    }
}

/// All 64 bits of a number, as SQLite keeps them.
fn bits(number: u64) -> i64 {
    number as i64
}

/// A mark out of three columns that follow one another.
fn mark_of(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Watermark> {
    let get = |at: usize| row.get::<_, i64>(at).map(|bits| bits as u64);
    Ok(Watermark { survey: get(first)?, change: get(first + 1)?, graph: get(first + 2)? })
}

/// A number that stands for nothing we know.
fn unknown(column: usize, what: &'static str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Integer, what.into())
}

impl Borders for SqliteBorders {
    fn keep_clusters(&mut self, clusters: &Clusters) -> Result<(), StoreError> {
        self.file.write(|tx| clusters::keep(tx, clusters))
    }

    fn clusters(&mut self, manner: &Manner, graph: u64) -> Result<Option<Clusters>, StoreError> {
        self.file.read(|db| clusters::of(db, manner, graph))
    }

    fn clusterings(&mut self) -> Result<Vec<ClustersHead>, StoreError> {
        self.file.read(clusters::heads)
    }

    fn decide(&mut self, decisions: &[NewDecision]) -> Result<Option<Vec<DecisionId>>, StoreError> {
        self.file.write_if(|tx| decisions.iter().map(|decision| decisions::add(tx, decision)).collect())
    }

    fn decisions(&mut self, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError> {
        self.file.read(|db| decisions::log(db, site))
    }

    fn keep_site(&mut self, site: &SiteRow) -> Result<(), StoreError> {
        self.file.write(|tx| sites::keep(tx, site))
    }

    fn site(&mut self, start: &str) -> Result<Option<SiteRow>, StoreError> {
        self.file.read(|db| sites::of(db, Some(start)))
    }

    fn last_site(&mut self) -> Result<Option<SiteRow>, StoreError> {
        self.file.read(|db| sites::of(db, None))
    }

    fn sites(&mut self) -> Result<Vec<SiteHead>, StoreError> {
        self.file.read(sites::heads)
    }

    fn drop_site(&mut self, start: &str) -> Result<bool, StoreError> {
        self.file.write(|tx| Ok(tx.execute("DELETE FROM site WHERE start = ?1", [start])? > 0))
    }

    fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.file.read(clusters::complaints)?;
        found.extend(self.file.read(decisions::complaints)?);
        found.extend(self.file.read(sites::complaints)?);
        Ok(found)
    }
}
