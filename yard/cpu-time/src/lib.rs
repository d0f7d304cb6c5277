//! How long did this thread compute? For tests that say "no input makes this slow": the clock on the wall would blame them for
//! whatever else the machine does.
//!
//! ```
//! let (sum, spent) = groma_cpu_time::measured(|| (0..1_000_u64).sum::<u64>());
//! assert_eq!(sum, 499_500);
//! assert!(spent.as_secs() < 10);
//! ```

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// CPU time of the calling thread; where the system does not tell it, the time of day.
pub fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.as_deref().and_then(|stat| stat.split(' ').next()?.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    nanoseconds.map_or_else(now, Duration::from_nanos)
}

/// What the work gives, and the CPU time of the calling thread that it took.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = cpu_time();
    let result = work();
    (result, cpu_time().saturating_sub(start))
}
