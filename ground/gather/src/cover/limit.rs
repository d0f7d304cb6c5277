//! After how many rows do answers stop, and can an answer be believed when it looks whole?
//!
//! ```text
//! told        an answer read to its end had fewer rows than the total it shows, or a sign that it is cut; totals also: two
//!             answers that say they are cut show different ones
//! believed    r rows, no sign of more, and one of
//!             r < K            K given from outside
//!             r < r'           another answer had r' rows, so the limit is not r
//!             told before      the form is known to speak when it cuts, in the same way as it speaks here
//! counts(T)   T is the number of records that match: totals were *earned* (a list read to its end had as many rows as its total),
//!             and T is no limit itself: totals above the rows shown were seen, or T was the sum of the totals of its parts
//! usual(T)    a number that programs stop at: a multiple of 10, of 25 or of the rows of a page, a power of two, one more or less than
//!             a multiple of 50 or a power of two (`LIMIT 501`); of a page that is all there is, up to 100, and up to 400 a multiple of 12
//! proves(T)   counts(T), and T is confirmed (a larger total was seen, or its parts added up to it) or not usual; else all parts must be
//!             whole and come to just T records
//! revoked     more records than T were seen where T was stated: totals from T on are a limit of counting, smaller ones stand
//! ```
//!
//! Assumes that one form has one limit K; if an answer is told to be cut below the size of another one, there is no such K and
//! only forms that speak are believed. "50 of 50" proves nothing before the form has once shown a total above its rows: it may be
//! the limit that is shown. A total of whole thousands may be a limit of counting and counts for nothing until a larger one was seen.
//! A limit may be one of pages, too: where pages of one list have different numbers of rows, an answer with as many pages as the
//! longest is doubted like one with as many rows.
//! Cost: O(1) an answer. Not guaranteed: a form that stops or counts at some number that is not usual, and has exactly so many records
//! within reach.

use super::space::{Cut, Heard};

/// What the form says of answers that are cut.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    /// Totals that are larger than what is shown.
    totals: bool,
    /// Words or marks that say there is more.
    signs: bool,
}

/// What has been learned about the form's limit.
#[derive(Clone, Debug, Default)]
pub(super) struct Limit {
    /// K, given from outside.
    given: Option<u64>,
    /// The form is known from outside to speak when it cuts.
    speaks: bool,
    /// The largest answer, read to its end.
    largest: Option<u64>,
    /// Answers of that size.
    of_largest: u32,
    /// Rows of an answer that was told to be cut, the most.
    cut_at: Option<u64>,
    /// The total of an answer that says it is cut.
    cut_total: Option<u64>,
    told: Told,
    /// Cut answers of different sizes.
    wavers: bool,
    highest_total: u64,
    /// Lists read to their end, with rows, that had as many as their total: the shortest and the longest.
    earned: Option<(u64, u64)>,
    /// The largest total that was the sum of the totals of its parts.
    summed: u64,
    /// The smallest total below which more records were seen than it says.
    revoked: Option<u64>,
    /// Pages of the longest answer, read to its end.
    most_pages: u64,
    /// A list with as many rows as its total was cut all the same.
    pub(super) totals_are_limits: bool,
    /// The form shows totals that cannot be true.
    pub(super) totals_lie: bool,
}

impl Limit {
    pub(super) fn new(given: Option<u64>, speaks: bool) -> Limit {
        Limit { given, speaks, ..Limit::default() }
    }

    pub(super) fn learn(&mut self, heard: &Heard<'_>) {
        let listed = heard.listed();
        let said = heard.said.unwrap_or(0);
        self.highest_total = self.highest_total.max(said);
        if heard.cut == Cut::Yes {
            self.told.signs = true;
            // A total that is only the limit is the same for all that is cut.
            self.told.totals |= self.cut_total.zip(heard.said).is_some_and(|(one, other)| one != other);
            self.cut_total = self.cut_total.or(heard.said);
        }
        if heard.said.is_some_and(|said| said < listed) {
            self.totals_lie = true;
        }
        if self.given.is_some_and(|limit| said > limit) {
            self.told.totals = true;
        }
        if heard.more {
            return;
        }
        self.most_pages = self.most_pages.max(heard.pages.len() as u64);
        if said > listed {
            self.told.totals = true;
        }
        if listed > 0 && said == listed {
            let (least, most) = self.earned.unwrap_or((listed, listed));
            self.earned = Some((least.min(listed), most.max(listed)));
        }
        if said > listed || heard.cut == Cut::Yes {
            self.wavers |= self.largest.is_some_and(|largest| largest > listed);
            self.cut_at = self.cut_at.max(Some(listed));
        } else {
            self.wavers |= self.cut_at.is_some_and(|cut| cut < listed);
        }
        if self.largest == Some(listed) {
            self.of_largest = self.of_largest.saturating_add(1);
        } else if self.largest.is_none_or(|largest| largest < listed) {
            self.largest = Some(listed);
            self.of_largest = 1;
        }
    }

    /// How many rows an answer can have, where known or suspected.
    pub(super) fn rows(&self) -> Option<u64> {
        self.given.or(self.cut_at).or(self.largest.filter(|_| self.of_largest > 1))
    }

    /// Is it sure that more rows match than can be shown, from a total alone?
    pub(super) fn exceeds(&self, said: u64) -> bool {
        match self.given.or(self.cut_at) {
            Some(limit) => said > limit || (said == limit && !self.told(true)),
            // Two lists that ended there may be as long by chance: a larger total, whose list goes on, tells.
            None => self.rows().is_some_and(|limit| said == limit),
        }
    }

    /// Was no answer read up to the limit yet?
    pub(super) fn is_unknown(&self) -> bool {
        self.rows().is_none() && !self.told.totals
    }

    /// Are more rows than can be shown, if this is how many there are?
    pub(super) fn is_beyond(&self, rows: u64) -> bool {
        self.given.or(self.cut_at).is_some_and(|limit| rows > limit)
    }

    fn told(&self, has_total: bool) -> bool {
        self.speaks || self.told.signs || (self.told.totals && has_total && !self.totals_are_limits)
    }

    /// An answer that shows no sign of more: could it be cut all the same? `pages`: of one whose pages have different numbers of rows.
    pub(super) fn doubts(&self, listed: u64, pages: u64, said: Option<u64>) -> bool {
        if self.told(said.is_some() && !self.totals_lie) {
            return false;
        }
        if pages > 1 && pages >= self.most_pages {
            return true;
        }
        match self.given {
            Some(limit) => listed >= limit || self.wavers,
            None => self.wavers || self.largest.is_none_or(|largest| listed >= largest),
        }
    }

    /// Do answers that were believed for their size stand?
    pub(super) fn stands(&self) -> bool {
        !self.wavers || self.speaks || self.told.signs || self.told.totals
    }

    /// Is this total the number of records that match?
    pub(super) fn counts(&self, total: u64) -> bool {
        let rounded = total >= 1000 && total.is_multiple_of(1000) && total >= self.highest_total;
        let is_no_limit = self.told.totals && !rounded;
        let earned = self.earned.is_some() && (is_no_limit && !self.totals_are_limits || total <= self.summed);
        (self.speaks || earned) && !self.totals_lie && !self.is_revoked(total)
    }

    /// Is that proved, as far as it can be? `page`: rows of a page.
    pub(super) fn proves(&self, total: u64, page: u64) -> bool {
        self.counts(total) && (self.is_confirmed(total) || !is_usual(total, page))
    }

    /// Is this total no limit of counting, whatever number it is?
    pub(super) fn is_confirmed(&self, total: u64) -> bool {
        self.speaks || self.highest_total > total || total <= self.summed
    }

    /// More records were seen than this total says.
    pub(super) fn revoke(&mut self, total: u64) {
        self.revoked = Some(self.revoked.map_or(total, |known| known.min(total)));
    }

    fn is_revoked(&self, total: u64) -> bool {
        self.revoked.is_some_and(|least| total >= least)
    }

    /// May it be taken for that number where nothing is proved by it? Nobody has contradicted it yet.
    pub(super) fn may_count(&self, total: u64) -> bool {
        let rounded = total >= 1000 && total.is_multiple_of(1000) && total >= self.highest_total;
        let is_told = self.told.totals && !rounded && !self.totals_lie && !self.totals_are_limits;
        self.counts(total) || (is_told && !self.is_revoked(total))
    }

    /// A total was the sum of the totals of its parts.
    pub(super) fn add_up(&mut self, total: u64) {
        self.summed = self.summed.max(total);
    }

    /// Did another list end after just as many rows?
    pub(super) fn is_shared(&self, rows: u64) -> bool {
        self.largest == Some(rows) && self.of_largest > 1
    }

    /// Totals were earned by lists of two sizes.
    pub(super) fn is_earned_twice(&self) -> bool {
        self.earned.is_some_and(|(least, most)| least < most) && !self.totals_lie && !self.totals_are_limits
    }

    /// After how many rows an answer is known to stop.
    pub(super) fn known(&self) -> Option<u64> {
        self.given.or(self.cut_at)
    }

    /// Were totals believed that cannot be true? Those that were never believed do no harm.
    pub(super) fn is_contradicted(&self) -> bool {
        self.totals_lie && (self.told.totals || self.speaks)
    }
}

/// Is this a number that a program is made to stop at? `page`: rows of a page. One page that is all there is has as many rows as it has:
/// pages are hardly longer than 100 rows, and then for a grid.
pub(super) fn is_usual(number: u64, page: u64) -> bool {
    const LONG: u64 = 100;
    const GRID: u64 = 12;
    let is_page =
        if number == page { number <= LONG || number.is_multiple_of(GRID) } else { number.is_multiple_of(page.max(1)) };
    let is_near = |other: u64| other.is_multiple_of(50) || (other >= 16 && other.is_power_of_two());
    let is_beside = is_near(number.saturating_add(1)) || number.checked_sub(1).is_some_and(is_near);
    number.is_multiple_of(10)
        || number.is_multiple_of(25)
        || (page > 0 && is_page)
        || number.is_power_of_two()
        || is_beside
}

#[cfg(test)]
mod tests {
    use super::super::space::AnswerRecord;
    use super::*;

    fn hear(limit: &mut Limit, rows: usize, said: Option<u64>, more: bool, cut: Cut) {
        let page: Vec<AnswerRecord> =
            (0..rows).map(|key| AnswerRecord { key: key as u128, values: Vec::new() }).collect();
        limit.learn(&Heard { pages: &[page], said, more, cut });
    }

    #[test]
    fn the_largest_answer_is_doubted_and_smaller_ones_are_not() {
        let mut limit = Limit::default();
        hear(&mut limit, 50, Some(50), false, Cut::No);
        assert!(limit.doubts(50, 0, Some(50)));
        assert!(!limit.doubts(49, 0, Some(49)));
        hear(&mut limit, 50, Some(50), false, Cut::No);
        assert_eq!(limit.rows(), Some(50));
        hear(&mut limit, 51, None, false, Cut::Unknown);
        assert!(!limit.doubts(50, 0, Some(50)));
    }

    #[test]
    fn a_form_that_told_once_is_believed_in_the_same_words_only() {
        let mut limit = Limit::default();
        hear(&mut limit, 50, Some(900), false, Cut::Unknown);
        assert!(!limit.doubts(50, 0, Some(50)));
        assert!(limit.doubts(50, 0, None));
        assert!(!limit.counts(900), "nothing has shown yet that totals count records");
        hear(&mut limit, 20, Some(20), false, Cut::Unknown);
        assert!(limit.counts(900) && !limit.counts(1000));
        hear(&mut limit, 50, None, false, Cut::Yes);
        assert!(!limit.doubts(50, 0, None));
    }

    #[test]
    fn a_total_above_what_was_read_so_far_tells_nothing() {
        let mut limit = Limit::default();
        hear(&mut limit, 10, Some(50), true, Cut::Unknown);
        assert!(!limit.counts(50));
        // With the limit known, a total above it does.
        let mut limit = Limit::new(Some(40), false);
        hear(&mut limit, 10, Some(50), true, Cut::Unknown);
        hear(&mut limit, 10, Some(10), false, Cut::Unknown);
        assert!(limit.counts(50));
    }

    #[test]
    fn two_totals_of_cut_answers_are_counted_ones() {
        let mut limit = Limit::default();
        hear(&mut limit, 10, Some(50), true, Cut::Yes);
        hear(&mut limit, 10, Some(50), true, Cut::Yes);
        assert!(!limit.counts(50));
        hear(&mut limit, 10, Some(51), true, Cut::Yes);
        hear(&mut limit, 10, Some(10), false, Cut::Unknown);
        assert!(limit.counts(50));
    }

    #[test]
    fn a_sum_of_parts_is_no_limit() {
        let mut limit = Limit::default();
        hear(&mut limit, 50, Some(50), false, Cut::Unknown);
        assert!(!limit.counts(50) && !limit.is_earned_twice());
        hear(&mut limit, 20, Some(20), false, Cut::Unknown);
        limit.add_up(50);
        assert!(limit.counts(50) && !limit.counts(51) && limit.is_earned_twice());
    }

    #[test]
    fn limits_of_different_sizes_make_all_answers_doubtful() {
        let mut limit = Limit::default();
        hear(&mut limit, 50, None, false, Cut::Unknown);
        assert!(!limit.doubts(20, 0, None) && limit.stands());
        let mut limit = limit.clone();
        hear(&mut limit, 30, Some(90), false, Cut::Unknown);
        assert!(limit.doubts(20, 0, None));
    }

    #[test]
    fn a_usual_number_proves_nothing_before_a_larger_one_was_seen() {
        for usual in [25, 75, 99, 100, 101, 255, 256, 257, 499, 501, 999, 1001, 9999, 40, 48] {
            assert!(is_usual(usual, 12), "{usual}");
        }
        // One page that is all there is.
        assert!(is_usual(36, 36) && is_usual(97, 97) && is_usual(120, 120) && is_usual(132, 132));
        assert!(!is_usual(239, 239) && !is_usual(754, 754) && is_usual(2 * 239, 239));
        for odd in [37, 47, 83, 97, 478, 503, 1003] {
            assert!(!is_usual(odd, 10), "{odd}");
        }
        let mut limit = Limit::default();
        hear(&mut limit, 10, Some(501), false, Cut::Unknown);
        hear(&mut limit, 7, Some(7), false, Cut::Unknown);
        assert!(limit.counts(501) && !limit.proves(501, 10) && limit.proves(497, 10));
        hear(&mut limit, 10, Some(612), false, Cut::Unknown);
        assert!(limit.proves(501, 10));
        limit.revoke(501);
        assert!(!limit.counts(501) && !limit.counts(612) && limit.proves(497, 10));
    }

    #[test]
    fn a_total_below_the_rows_is_no_total() {
        let mut limit = Limit::default();
        hear(&mut limit, 50, Some(900), false, Cut::Unknown);
        hear(&mut limit, 20, Some(3), false, Cut::Unknown);
        assert!(limit.is_contradicted() && !limit.counts(900));
    }
}
