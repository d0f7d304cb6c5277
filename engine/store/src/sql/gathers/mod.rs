//! Gatherings: their answers, records, values and curves, generation by generation.

mod reading;
pub(crate) mod schema;
mod writing;

use std::path::Path;

use super::{Anywhere, Base, Repeat, args, bits};
use crate::StoreError;
use crate::codec::compress;
use crate::gathers::{AnswerRow, GatherId, GatherRow, Gathers, Harvest, NewGather, RecordRow, RobotsKept};
use crate::postgres::PgRoom;
use crate::sqlite::SqliteFile;
use crate::{Server, SurveyName};

/// The tables that hold what belongs to a generation.
const OF_GENERATION: [&str; 4] = ["answer", "record", "value", "point"];

/// Gatherings, wherever their tables lie.
pub struct GathersIn<B> {
    base: B,
}

/// Gatherings in a SQLite file beside the survey: `gather.db`.
pub type SqliteGathers = GathersIn<SqliteFile>;

/// Gatherings on a PostgreSQL server.
pub type PgGathers = GathersIn<PgRoom>;

/// Gatherings of which it was decided when they were opened where the tables lie.
pub type OpenGathers = GathersIn<Anywhere>;

impl<B: Into<Anywhere>> GathersIn<B> {
    /// The same, wherever it lies.
    pub(crate) fn anywhere(self) -> OpenGathers {
        GathersIn { base: self.base.into() }
    }
}

impl GathersIn<SqliteFile> {
    /// Opens them, or begins them.
    pub fn open(path: &Path) -> Result<SqliteGathers, StoreError> {
        SqliteFile::open(path, &schema::KIND).map(|base| GathersIn { base })
    }

    /// Opens those that are there for reading. On a disk that cannot be written the file is taken as it stands.
    pub fn open_reading(path: &Path) -> Result<SqliteGathers, StoreError> {
        SqliteFile::open_reading(path, &schema::KIND).map(|base| GathersIn { base })
    }

    /// Nothing, for a place where none can be begun.
    pub(crate) fn nothing_at(path: &Path) -> Result<SqliteGathers, StoreError> {
        SqliteFile::nothing_at(path, &schema::KIND).map(|base| GathersIn { base })
    }
}

impl GathersIn<PgRoom> {
    /// Opens those of a survey, or begins them.
    pub fn open(server: &Server, survey: &SurveyName) -> Result<PgGathers, StoreError> {
        PgRoom::open(server, survey.as_str(), &schema::ROOM).map(|base| GathersIn { base })
    }

    /// Opens those of a survey if somebody has begun them.
    pub fn open_reading(server: &Server, survey: &SurveyName) -> Result<Option<PgGathers>, StoreError> {
        Ok(PgRoom::open_reading(server, survey.as_str(), &schema::ROOM)?.map(|base| GathersIn { base }))
    }
}

impl<B: Base> Gathers for GathersIn<B> {
    fn begin(&mut self, new: &NewGather) -> Result<GatherRow, StoreError> {
        self.base.write(Repeat::Once, |db| writing::begin(db, new))
    }

    fn answer(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answer(db, id, key, 0))
    }

    fn answer_before(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answer(db, id, key, 1))
    }

    fn answer_about(&mut self, id: GatherId, about: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answer_about(db, id, about))
    }

    fn keep(&mut self, id: GatherId, answer: &AnswerRow) -> Result<bool, StoreError> {
        let packed = compress(&answer.body);
        Ok(self.base.write_if(Repeat::Harmless, |db| writing::keep(db, id, answer, &packed))?.is_some())
    }

    fn add(&mut self, id: GatherId, found: &Harvest) -> Result<bool, StoreError> {
        Ok(self.base.write_if(Repeat::Once, |db| writing::add(db, id, found))?.is_some())
    }

    fn tell(&mut self, id: GatherId, report: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE gather SET report = ?2 WHERE id = ?1";
        self.base.touch(|db| Ok(db.run(sql, &args![bits(id.0), report])? > 0))
    }

    fn end(&mut self, id: GatherId, why: &str, statement: &str, at: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Harmless, |db| writing::end(db, id, why, statement, at))
    }

    fn gather(&mut self, id: GatherId) -> Result<Option<GatherRow>, StoreError> {
        self.base.read(|db| reading::gather(db, id))
    }

    fn gathers(&mut self) -> Result<Vec<GatherRow>, StoreError> {
        self.base.read(reading::gathers)
    }

    fn answers(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answers(db, id, from, most))
    }

    fn records(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<RecordRow>, StoreError> {
        self.base.read(|db| reading::records(db, id, from, most))
    }

    fn attributes(&mut self, id: GatherId) -> Result<Vec<(String, u32)>, StoreError> {
        self.base.read(|db| reading::attributes(db, id))
    }

    fn values(&mut self, id: GatherId, attribute: &str, from: u32, most: usize) -> Result<Vec<String>, StoreError> {
        self.base.read(|db| reading::values(db, id, attribute, from, most))
    }

    fn curve(&mut self, id: GatherId, points: usize) -> Result<Vec<(u32, u32)>, StoreError> {
        let all = self.base.read(|db| reading::curve(db, id))?;
        let points = points.max(1).min(all.len());
        // The last of each of as many equal stretches.
        Ok((1..=points).map(|n| all[all.len() * n / points - 1]).collect())
    }

    fn robots(&mut self, origin: &str) -> Result<Option<RobotsKept>, StoreError> {
        let sql = "SELECT at, status, body FROM robots WHERE origin = ?1";
        self.base.read(|db| {
            db.first(sql, &args![origin], |row| {
                Ok(RobotsKept { at: row.get(0)?, status: row.get(1)?, body: row.get(2)? })
            })
        })
    }

    fn keep_robots(&mut self, origin: &str, said: &RobotsKept) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| {
            let fields = args![origin, said.at, said.status, &said.body];
            if db.run("UPDATE robots SET at = ?2, status = ?3, body = ?4 WHERE origin = ?1", &fields)? == 0 {
                db.run("INSERT INTO robots (origin, at, status, body) VALUES (?1, ?2, ?3, ?4)", &fields)?;
            }
            Ok(())
        })
    }

    fn forget(&mut self, id: GatherId) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| writing::forget(db, id))
    }

    fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(reading::complaints)?);
        Ok(found)
    }
}
