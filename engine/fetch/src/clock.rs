//! What time is it? Whatever is stored, printed or compared with stored times asks here.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970, UTC; 0 on a machine whose clock is set to before.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// Milliseconds since 1970, UTC.
pub fn now_in_millis() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
