//! Gatherings: databases behind forms, what was asked of each, what came back, and what it came to.
//!
//! They live in a file of their own beside the survey (`gather.db`): answers to filled-in forms are no pages of it. A gathering
//! that goes on is told its answers again and comes to the same records without a request; one that is asked for again after
//! its end begins a new *generation*, whose answers replace those of the one before when it is done.
//!
//! Invariants, checked by the exam:
//! - a gathering that was asked for in the same words is the same gathering;
//! - a question has at most one answer in a generation;
//! - records and values are numbered from 0 without a gap in the order in which they were found;
//! - what is shown is the last generation that came to its end, or the first while it is at work;
//! - whatever is kept appears as a whole or not at all.

mod reading;
mod rows;
pub(crate) mod schema;
mod writing;

pub use rows::{AnswerRow, GatherId, GatherRow, Harvest, NewGather, RecordRow, RobotsKept};

use crate::StoreError;
use crate::codec::compress;
use crate::postgres::ServerSchema;
use crate::sql::{Base, Repeat, SideStore, args, bits};
use crate::sqlite::FileSchema;

/// Gatherings that are kept; those that rested longest go first.
pub const GATHERINGS: usize = 200;

/// The tables that hold what belongs to a generation.
const OF_GENERATION: [&str; 4] = ["answer", "record", "value", "point"];

/// The gatherings of one survey. Any number of processes may use them at once. Times are seconds since 1970 and come from the
/// caller.
pub struct Gathers {
    base: Base,
}

impl SideStore for Gathers {
    const FILE: &'static FileSchema = &schema::FILE_SCHEMA;
    const SERVER: &'static ServerSchema = &schema::SERVER_SCHEMA;

    fn over(base: Base) -> Gathers {
        Gathers { base }
    }
}

impl Gathers {
    /// Begins a gathering, or goes on with the one that was asked for in the same words. If that had come to its end, a new
    /// generation begins. What it had found so far in this generation is forgotten: its answers are not, and it is told them again.
    pub fn begin(&mut self, new: &NewGather) -> Result<GatherRow, StoreError> {
        self.base.write(Repeat::Once, |db| writing::begin(db, new))
    }

    /// The answer to a question in this generation.
    pub fn answer(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answer(db, id, key, 0))
    }

    /// The answer to the same question in the generation before.
    pub fn answer_before(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answer(db, id, key, 1))
    }

    /// The first answer that came to the question people know by these words, in the generation that is shown; without its body.
    pub fn answer_about(&mut self, id: GatherId, about: &str) -> Result<Option<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answer_about(db, id, about))
    }

    /// Keeps an answer, in place of one to the same question. False if there is no such gathering.
    pub fn keep(&mut self, id: GatherId, answer: &AnswerRow) -> Result<bool, StoreError> {
        let packed = compress(&answer.body);
        Ok(self.base.write_if(Repeat::Harmless, |db| writing::keep(db, id, answer, &packed))?.is_some())
    }

    /// Adds what was found since the last time. False, and nothing is written, if there is no such gathering.
    pub fn add(&mut self, id: GatherId, found: &Harvest) -> Result<bool, StoreError> {
        Ok(self.base.write_if(Repeat::Once, |db| writing::add(db, id, found))?.is_some())
    }

    /// Keeps what the last run said of itself, as JSON, whether it came to the end or not. False if there is no such gathering.
    pub fn tell(&mut self, id: GatherId, report: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE gather SET report = ?2 WHERE id = ?1";
        self.base.touch(|db| Ok(db.run(sql, &args![bits(id.0), report])? > 0))
    }

    /// Says how it ended, with its statement as JSON; what is older is forgotten. False if there is no such gathering.
    pub fn end(&mut self, id: GatherId, why: &str, statement: &str, at: i64) -> Result<bool, StoreError> {
        self.base.write(Repeat::Harmless, |db| writing::end(db, id, why, statement, at))
    }

    /// A gathering by its number; nothing if it was forgotten.
    pub fn gather(&mut self, id: GatherId) -> Result<Option<GatherRow>, StoreError> {
        self.base.read(|db| reading::gather(db, id))
    }

    /// All of them, the one that was last at work first.
    pub fn gathers(&mut self) -> Result<Vec<GatherRow>, StoreError> {
        self.base.read(reading::gathers)
    }

    /// Answers in the order in which they came, without their bodies, from a place on.
    pub fn answers(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<AnswerRow>, StoreError> {
        self.base.read(|db| reading::answers(db, id, from, most))
    }

    /// Records from a place on, in their order.
    pub fn records(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<RecordRow>, StoreError> {
        self.base.read(|db| reading::records(db, id, from, most))
    }

    /// The attributes with the number of their distinct values, by the alphabet.
    pub fn attributes(&mut self, id: GatherId) -> Result<Vec<(String, u32)>, StoreError> {
        self.base.read(|db| reading::attributes(db, id))
    }

    /// Values of an attribute from a place on, in the order in which they were found.
    pub fn values(&mut self, id: GatherId, attribute: &str, from: u32, most: usize) -> Result<Vec<String>, StoreError> {
        self.base.read(|db| reading::values(db, id, attribute, from, most))
    }

    /// How many records there were after so many requests: up to `points` points.
    pub fn curve(&mut self, id: GatherId, points: usize) -> Result<Vec<(u32, u32)>, StoreError> {
        let all = self.base.read(|db| reading::curve(db, id))?;
        let points = points.max(1).min(all.len());
        // The last of each of as many equal stretches.
        Ok((1..=points).map(|n| all[all.len() * n / points - 1]).collect())
    }

    /// What a host's robots.txt said, if it was asked for.
    pub fn robots(&mut self, origin: &str) -> Result<Option<RobotsKept>, StoreError> {
        let sql = "SELECT at, status, body FROM robots WHERE origin = ?1";
        self.base.read(|db| {
            db.first(sql, &args![origin], |row| {
                Ok(RobotsKept { at: row.get(0)?, status: row.get(1)?, body: row.get(2)? })
            })
        })
    }

    /// Keeps what a host's robots.txt said.
    pub fn keep_robots(&mut self, origin: &str, said: &RobotsKept) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| {
            let fields = args![origin, said.at, said.status, &said.body];
            if db.run("UPDATE robots SET at = ?2, status = ?3, body = ?4 WHERE origin = ?1", &fields)? == 0 {
                db.run("INSERT INTO robots (origin, at, status, body) VALUES (?1, ?2, ?3, ?4)", &fields)?;
            }
            Ok(())
        })
    }

    /// Forgets a gathering. False if there is none.
    pub fn forget(&mut self, id: GatherId) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| writing::forget(db, id))
    }

    /// What is not as it has to be, in sentences.
    pub fn complaints(&mut self) -> Result<Vec<String>, StoreError> {
        let mut found = self.base.damage()?;
        found.extend(self.base.read(reading::complaints)?);
        Ok(found)
    }
}
