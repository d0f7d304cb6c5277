//! How much of the whole has been seen, when it is not proved to be all?
//!
//! ```text
//! total        rows / T                                  the open question showed a total that counts
//! two samples  N = (a+1)(b+1)/(ab+1) - 1                  a: rows of the first cut answer, b: rows of answers without a cut,
//!                                                         ab: rows in both (Lincoln-Petersen in Chapman's form)
//! Chao1        N = S + f1 (f1-1) / (2 (f2+1))             f1, f2: rows seen once, twice, in questions that overlap
//! interval     Wilson's for ab of a (two samples); log-normal (Chao1); the point itself (total)
//! ```
//!
//! Sources: Chapman 1951; Chao 1984; Wilson 1927. Two samples: the first answer that was cut is taken for a random sample of the
//! whole, and the share of it that the parts found again is the share that the parts can find; records without a value, heavy
//! points and failures all count. Cost: O(rows). Not guaranteed: if the form sorts what splits cannot find to the end of its
//! lists, the share is too high.

use super::ledger::Counts;
use super::statement::Estimate;

/// Everything the estimate is made from.
pub(super) struct Evidence {
    pub(super) distinct: u64,
    /// Records seen, copies included.
    pub(super) records: u64,
    /// A total of the open question that counts.
    pub(super) total: Option<u64>,
    /// Rows in the first answer that was cut.
    pub(super) first: u64,
    pub(super) counts: Counts,
    /// Questions overlap, so that seeing a row again says something.
    pub(super) overlapping: bool,
}

pub(super) fn estimate(evidence: &Evidence) -> Option<Estimate> {
    if let Some(total) = evidence.total.filter(|total| *total > 0) {
        let share = (evidence.records as f64 / total as f64).min(1.0);
        return Some(Estimate { share, low: share, high: share, method: "total shown by the form" });
    }
    let seen = evidence.distinct as f64;
    let Counts { once, twice, leaves, both } = evidence.counts;
    if evidence.overlapping && once + twice > 0 && evidence.distinct > 0 {
        let (once, twice) = (once as f64, twice as f64);
        let unseen = once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0));
        let share = seen / (seen + unseen);
        let (low, high) = log_normal(seen, unseen, once, twice);
        return Some(Estimate { share, low, high, method: "Chao1" });
    }
    if evidence.first > 0 && leaves > 0 {
        let (a, b, ab) = (evidence.first as f64, leaves as f64, both as f64);
        let all = ((a + 1.0) * (b + 1.0) / (ab + 1.0) - 1.0).max(seen);
        let (low, high) = wilson(ab, a);
        // What the first answer showed beyond the parts has been seen as well.
        let beyond = (seen - b).max(0.0);
        let shared = |found: f64| if found <= 0.0 { 0.0 } else { (seen / (b / found).max(b + beyond)).min(1.0) };
        let share = seen / all;
        return Some(Estimate {
            share,
            low: shared(low).min(share),
            high: shared(high).max(share),
            method: "two samples (Lincoln-Petersen)",
        });
    }
    None
}

fn wilson(hits: f64, tries: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let share = hits / tries;
    let scale = 1.0 + Z * Z / tries;
    let centre = share + Z * Z / (2.0 * tries);
    let width = Z * (share * (1.0 - share) / tries + Z * Z / (4.0 * tries * tries)).max(0.0).sqrt();
    (((centre - width) / scale).max(0.0), ((centre + width) / scale).min(1.0))
}

fn log_normal(seen: f64, unseen: f64, once: f64, twice: f64) -> (f64, f64) {
    if unseen <= 0.0 {
        return (seen / (seen + 3.0), 1.0);
    }
    let ratio = once / (twice + 1.0);
    let variance = (twice + 1.0) * (ratio.powi(4) / 4.0 + ratio.powi(3) + ratio * ratio / 2.0);
    let spread = (1.96 * (1.0 + variance / (unseen * unseen)).ln().max(0.0).sqrt()).exp();
    (seen / (seen + unseen * spread), seen / (seen + unseen / spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(counts: Counts) -> Evidence {
        Evidence { distinct: 80, records: 80, total: None, first: 0, counts, overlapping: false }
    }

    #[test]
    fn a_total_is_a_share() {
        let found = estimate(&Evidence { total: Some(100), ..evidence(Counts::default()) }).expect("a total");
        assert!((found.share - 0.8).abs() < 1e-12 && found.low == found.high);
    }

    #[test]
    fn two_samples_tell_what_cannot_be_found() {
        // 40 of the 50 rows of the first answer came again in the parts, which found 70 in all.
        let counts = Counts { leaves: 70, both: 40, ..Counts::default() };
        let found = estimate(&Evidence { first: 50, ..evidence(counts) }).expect("two samples");
        let all = 51.0 * 71.0 / 41.0 - 1.0;
        assert!((found.share - 80.0 / all).abs() < 1e-12, "{found:?}");
        assert!(found.low < found.share && found.share < found.high, "{found:?}");
    }

    #[test]
    fn chao_counts_what_was_seen_once() {
        let counts = Counts { once: 20, twice: 19, ..Counts::default() };
        let found = estimate(&Evidence { overlapping: true, ..evidence(counts) }).expect("sightings");
        assert!((found.share - 80.0 / 89.5).abs() < 1e-12, "{found:?}");
        assert!(found.low < found.share && found.share < found.high, "{found:?}");
    }

    #[test]
    fn nothing_known_is_nothing_said() {
        assert_eq!(estimate(&evidence(Counts::default())), None);
    }
}
