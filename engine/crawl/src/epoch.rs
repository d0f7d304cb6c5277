//! The clock of the survey: what is stored has its time in seconds since 1970.

use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn epoch() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}
