//! The end of a check, as those learn of it who tell its findings.

use crate::gate::Verdict;
use crate::summary::Summary;

/// What is said in the end.
#[derive(Clone, Copy, Debug)]
pub struct Closing<'a> {
    /// How much was found.
    pub summary: &'a Summary,
    /// Whether that is too much.
    pub verdict: &'a Verdict,
}
