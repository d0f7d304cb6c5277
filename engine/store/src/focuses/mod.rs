//! Focused crawls of a survey: what was asked for, the pages each went to in their order and what it thought of them, how it ended.
//!
//! They live in a file of their own beside the survey (`focus.db`): the pages themselves are in the survey, where several focused
//! crawls share them. A crawl that goes on is shown its pages again and comes to the same steps; only those that are new, or that
//! came out otherwise this time, are written.
//!
//! Invariants, checked by the exam:
//! - a crawl that was asked for in the same words is the same crawl;
//! - its steps are numbered from 0 without a gap, and each says how many relevant pages there were up to it;
//! - steps that are put in take the place of all that stood there or later;
//! - whatever is kept appears as a whole or not at all.

mod rows;

pub use rows::{FocusId, FocusRow, NewFocus, StepRow};

use groma_model::PageId;

use crate::StoreError;

/// Focused crawls that are kept; those that rested longest go first.
pub const FOCUSES: usize = 200;

/// The focused crawls of one survey. Any number of processes may use them at once. Times are seconds since 1970 and come from the
/// caller.
pub trait Focuses: Send {
    /// Begins a crawl, or goes on with the one that was asked for in the same words; its end, if it had one, is taken back.
    fn begin(&mut self, new: &NewFocus) -> Result<FocusRow, StoreError>;

    /// Puts in steps that follow one another, in place of all that stood at the first of them or later. False, and nothing is
    /// written, if there is no such crawl or they would leave a gap.
    fn add_steps(&mut self, id: FocusId, steps: &[StepRow], at: i64) -> Result<bool, StoreError>;

    /// Says why it ended. False if there is no such crawl.
    fn end(&mut self, id: FocusId, why: &str, at: i64) -> Result<bool, StoreError>;

    /// One crawl.
    fn focus(&mut self, id: FocusId) -> Result<Option<FocusRow>, StoreError>;

    /// All of them, the one that was last at work first.
    fn focuses(&mut self) -> Result<Vec<FocusRow>, StoreError>;

    /// Steps from a place on, in their order, up to `most`; all, or the relevant pages alone.
    fn steps(&mut self, id: FocusId, from: u32, most: usize, relevant: bool) -> Result<Vec<StepRow>, StoreError>;

    /// The relevant pages, the best first, after the first `skip` of them, up to `most`.
    fn best(&mut self, id: FocusId, skip: usize, most: usize) -> Result<Vec<StepRow>, StoreError>;

    /// The step that went to a page.
    fn step_of(&mut self, id: FocusId, page: PageId) -> Result<Option<StepRow>, StoreError>;

    /// How many relevant pages there were after how many steps: at most `points` pairs, the last step among them.
    fn curve(&mut self, id: FocusId, points: usize) -> Result<Vec<(u32, u32)>, StoreError>;

    /// Forgets a crawl; its pages stay in the survey. False if there is none.
    fn forget(&mut self, id: FocusId) -> Result<bool, StoreError>;

    /// What is wrong with what is kept, in words; for `groma verify`.
    fn complaints(&mut self) -> Result<Vec<String>, StoreError>;
}
