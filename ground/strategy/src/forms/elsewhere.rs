//! Where one value of a list must be chosen, the form as it stands shows the records of one value. What its controls do there they need not
//! do beside another value: each is tried there, too.
//!
//! ```text
//! roots    the questions that choose such values and nothing else, but for the one that the form itself asks; those with most records
//! trial    root + setting, for each setting that was accounted for beside the first value
//! holds    it shows known records only, and states no more than the root; without a total, it was read to its end
//! ```
//!
//! A trial that does not hold takes the certificate away and names its control. Cost: as many requests as settings and roots. Assumes: of
//! more than [`ROOTS`] values those with fewer records behave like those with more.

use std::collections::VecDeque;

use groma_gather::cover::Question;

use super::account::TrialOf;

/// Values beside which controls are tried.
pub(super) const ROOTS: usize = 8;

/// A control beside another value.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub(super) trial: TrialOf,
    pub(super) root: Question,
    /// Records of the root.
    pub(super) records: u64,
}

/// What is to be tried, and what is under way.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    pub(super) waiting: VecDeque<Beside>,
    pub(super) asked: Vec<Beside>,
    pub(super) is_begun: bool,
}

impl Elsewhere {
    /// For another base.
    pub(super) fn reset(&mut self) {
        *self = Elsewhere::default();
    }
}
