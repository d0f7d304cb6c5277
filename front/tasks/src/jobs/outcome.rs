//! How work on a job came to an end.

/// How work on a job came to an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It is done; how, in words.
    Done(String),
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
