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

mod rows;

pub use rows::{AnswerRow, GatherId, GatherRow, Harvest, NewGather, RecordRow, RobotsKept};

use crate::StoreError;

/// Gatherings that are kept; those that rested longest go first.
pub const GATHERINGS: usize = 200;

/// The gatherings of one survey. Any number of processes may use them at once. Times are seconds since 1970 and come from the
/// caller.
pub trait Gathers: Send {
    /// Begins a gathering, or goes on with the one that was asked for in the same words. If that had come to its end, a new
    /// generation begins. What it had found so far in this generation is forgotten: its answers are not, and it is told them again.
    fn begin(&mut self, new: &NewGather) -> Result<GatherRow, StoreError>;

    /// The answer to a question in this generation.
    fn answer(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError>;

    /// The answer to the same question in the generation before.
    fn answer_before(&mut self, id: GatherId, key: &str) -> Result<Option<AnswerRow>, StoreError>;

    /// The first answer that came to the question people know by these words, in the generation that is shown; without its body.
    fn answer_about(&mut self, id: GatherId, about: &str) -> Result<Option<AnswerRow>, StoreError>;

    /// Keeps an answer, in place of one to the same question. False if there is no such gathering.
    fn keep(&mut self, id: GatherId, answer: &AnswerRow) -> Result<bool, StoreError>;

    /// Adds what was found since the last time. False, and nothing is written, if there is no such gathering.
    fn add(&mut self, id: GatherId, found: &Harvest) -> Result<bool, StoreError>;

    /// Keeps what the last run said of itself, as JSON, whether it came to the end or not. False if there is no such gathering.
    fn tell(&mut self, id: GatherId, report: &str) -> Result<bool, StoreError>;

    /// Says how it ended, with its statement as JSON; what is older is forgotten. False if there is no such gathering.
    fn end(&mut self, id: GatherId, why: &str, statement: &str, at: i64) -> Result<bool, StoreError>;

    /// One gathering.
    fn gather(&mut self, id: GatherId) -> Result<Option<GatherRow>, StoreError>;

    /// All of them, the one that was last at work first.
    fn gathers(&mut self) -> Result<Vec<GatherRow>, StoreError>;

    /// Answers in the order in which they came, without their bodies, from a place on.
    fn answers(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<AnswerRow>, StoreError>;

    /// Records from a place on, in their order.
    fn records(&mut self, id: GatherId, from: u32, most: usize) -> Result<Vec<RecordRow>, StoreError>;

    /// The attributes with the number of their distinct values, by the alphabet.
    fn attributes(&mut self, id: GatherId) -> Result<Vec<(String, u32)>, StoreError>;

    /// Values of an attribute from a place on, in the order in which they were found.
    fn values(&mut self, id: GatherId, attribute: &str, from: u32, most: usize) -> Result<Vec<String>, StoreError>;

    /// How many records there were after so many requests: up to `points` points.
    fn curve(&mut self, id: GatherId, points: usize) -> Result<Vec<(u32, u32)>, StoreError>;

    /// What a host's robots.txt said, if it was asked for.
    fn robots(&mut self, origin: &str) -> Result<Option<RobotsKept>, StoreError>;

    /// Keeps what a host's robots.txt said.
    fn keep_robots(&mut self, origin: &str, said: &RobotsKept) -> Result<(), StoreError>;

    /// Forgets a gathering. False if there is none.
    fn forget(&mut self, id: GatherId) -> Result<bool, StoreError>;

    /// What is not as it has to be, in sentences.
    fn complaints(&mut self) -> Result<Vec<String>, StoreError>;
}
