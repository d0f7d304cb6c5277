//! Is the index of a site older than its survey? Every search wants to know, so the answer is kept while nothing moves.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma_store::Stamp;

/// Gatherings can change without the survey: they are looked at again after this.
const KEPT: Duration = Duration::from_secs(5);

#[derive(Debug, Default)]
pub(super) struct Behind(Mutex<Option<Compared>>);

#[derive(Debug)]
struct Compared {
    survey: Option<Stamp>,
    index: u64,
    at: Instant,
    behind: bool,
}

impl Behind {
    /// `compare` is asked if survey or index moved, or the last answer is old. Where nothing can be compared, the index answers all
    /// the same; `groma verify` names what is damaged.
    pub(super) fn or_else(&self, survey: Option<Stamp>, index: u64, compare: impl FnOnce() -> Option<bool>) -> bool {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.as_ref() {
            let same = known.survey == survey && known.index == index && survey.is_some();
            if same && known.at.elapsed() < KEPT {
                return known.behind;
            }
        }
        let behind = compare().unwrap_or(false);
        *kept = Some(Compared { survey, index, at: Instant::now(), behind });
        behind
    }
}
