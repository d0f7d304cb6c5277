//! How long a job belongs to whoever took it without a sign of life.

/// Seconds for which a job belongs to a worker that gives no sign of life.
pub(crate) const LEASE: i64 = 10;
