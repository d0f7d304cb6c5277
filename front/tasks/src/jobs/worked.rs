//! How work on a job came to an end.

use crate::outcome::Outcome;

/// How work on a job came to an end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Worked {
    /// It is done, and this is what it came to.
    Done(Outcome),
    /// The flag was set: it can go on.
    Stopped,
    /// The moment was bad: once more in so many seconds.
    Later {
        /// Seconds from now.
        seconds: i64,
        /// Why it must wait.
        says: String,
    },
}
