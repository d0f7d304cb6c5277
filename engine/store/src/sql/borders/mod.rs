//! The borders: clusterings, decisions of people, found sites.

mod clusters;
mod decisions;
pub(crate) mod schema;
mod sites;

use std::path::Path;

use super::{Anywhere, Base, Repeat, Row, args};
use crate::StoreError;
use crate::borders::{
    Borders, Clusters, ClustersHead, DecisionId, DecisionRow, Manner, NewDecision, SiteHead, SiteRow, Watermark,
};
use crate::postgres::PgRoom;
use crate::sqlite::SqliteFile;
use crate::{Server, SurveyName};

/// Borders, wherever their tables lie.
pub struct BordersIn<B> {
    base: B,
}

/// Borders in a SQLite file beside the survey: `bounds.db`.
pub type SqliteBorders = BordersIn<SqliteFile>;

/// Borders on a PostgreSQL server.
pub type PgBorders = BordersIn<PgRoom>;

/// Borders of which it was decided when they were opened where the tables lie.
pub type OpenBorders = BordersIn<Anywhere>;

impl<B: Into<Anywhere>> BordersIn<B> {
    /// The same, wherever it lies.
    pub(crate) fn anywhere(self) -> OpenBorders {
        BordersIn { base: self.base.into() }
    }
}

impl BordersIn<SqliteFile> {
    /// Opens them, or begins them.
    pub fn open(path: &Path) -> Result<SqliteBorders, StoreError> {
        SqliteFile::open(path, &schema::KIND).map(|base| BordersIn { base })
    }

    /// Opens those that are there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteBorders, StoreError> {
        SqliteFile::open_reading(path, &schema::KIND).map(|base| BordersIn { base })
    }

    /// Nothing, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteBorders, StoreError> {
        SqliteFile::nothing_at(path, &schema::KIND).map(|base| BordersIn { base })
    }
}

impl BordersIn<PgRoom> {
    /// Opens those of a survey, or begins them.
    pub fn open(server: &Server, survey: &SurveyName) -> Result<PgBorders, StoreError> {
        PgRoom::open(server, survey.as_str(), &schema::ROOM).map(|base| BordersIn { base })
    }

    /// Opens those of a survey if somebody has begun them.
    pub fn open_reading(server: &Server, survey: &SurveyName) -> Result<Option<PgBorders>, StoreError> {
        Ok(PgRoom::open_reading(server, survey.as_str(), &schema::ROOM)?.map(|base| BordersIn { base }))
    }
}

/// A mark out of three columns that follow one another.
fn mark_of(row: &Row<'_>, first: usize) -> Result<Watermark, StoreError> {
    let get = |at: usize| row.get::<i64>(at).map(|bits| bits as u64);
    Ok(Watermark { survey: get(first)?, change: get(first + 1)?, graph: get(first + 2)? })
}

impl BordersIn<Anywhere> {
    /// May they be written to?
    pub fn is_writable(&self) -> bool {
        self.base.is_writable()
    }
}

impl<B: Base> Borders for BordersIn<B> {
    fn keep_clusters(&mut self, clusters: &Clusters) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| clusters::keep(db, clusters))
    }

    fn clusters(&mut self, manner: &Manner, graph: u64) -> Result<Option<Clusters>, StoreError> {
        self.base.read(|db| clusters::of(db, manner, graph))
    }

    fn clusterings(&mut self) -> Result<Vec<ClustersHead>, StoreError> {
        self.base.read(clusters::heads)
    }

    fn decide(&mut self, decisions: &[NewDecision]) -> Result<Option<Vec<DecisionId>>, StoreError> {
        self.base.write_if(Repeat::Once, |db| decisions.iter().map(|decision| decisions::add(db, decision)).collect())
    }

    fn decisions(&mut self, site: Option<&str>) -> Result<Vec<DecisionRow>, StoreError> {
        self.base.read(|db| decisions::log(db, site))
    }

    fn keep_site(&mut self, site: &SiteRow) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| sites::keep(db, site))
    }

    fn site(&mut self, start: &str) -> Result<Option<SiteRow>, StoreError> {
        self.base.read(|db| sites::of(db, Some(start)))
    }

    fn last_site(&mut self) -> Result<Option<SiteRow>, StoreError> {
        self.base.read(|db| sites::of(db, None))
    }

    fn sites(&mut self) -> Result<Vec<SiteHead>, StoreError> {
        self.base.read(sites::heads)
    }

    fn drop_site(&mut self, start: &str) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| Ok(db.run("DELETE FROM site WHERE start = ?1", &args![start])? > 0))
    }

    fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(clusters::complaints)?);
        found.extend(self.base.read(decisions::complaints)?);
        found.extend(self.base.read(sites::complaints)?);
        Ok(found)
    }
}
