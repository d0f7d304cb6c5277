//! What a page of a list shows, what the site says of the length, and where the next page is.

use encoding_rs::UTF_8;

use crate::data_set::{Pairs, query};
use crate::drawn::design::Design;
use crate::drawn::habits::{Cut, Totals};
use crate::drawn::paths::{LIST, PAGE};
use crate::drawn::tongue::Tongue;

/// A page of a list.
pub(crate) struct Listing<'l> {
    pub(crate) design: &'l Design,
    pub(crate) tongue: Tongue,
    pub(crate) view: Option<&'l str>,
    /// What the next page must be asked with, besides its number.
    pub(crate) data: &'l Pairs,
    pub(crate) page: usize,
    pub(crate) pages: usize,
    /// How many records satisfy the question.
    pub(crate) total: usize,
    /// How many of them the list has.
    pub(crate) listed: usize,
    pub(crate) from: usize,
    /// The records of this page.
    pub(crate) here: &'l [usize],
}

/// A number that a site states, and in which words.
pub(crate) enum Stated {
    Exactly(usize),
    About(usize),
    AtLeast(usize),
    MoreThan(usize),
    Nothing,
}

impl Listing<'_> {
    /// What the site says of the length.
    pub(crate) fn stated(&self) -> Stated {
        match self.design.habits.totals {
            Totals::Exact => Stated::Exactly(self.total),
            Totals::About => Stated::About(rounded(self.total)),
            Totals::AtLeast => Stated::AtLeast(floored(self.total)),
            Totals::MoreThan(most) if self.total > most => Stated::MoreThan(most),
            Totals::MoreThan(_) => Stated::Exactly(self.total),
            Totals::Capped(most) => Stated::Exactly(self.total.min(most)),
            Totals::Shown => Stated::Exactly(self.listed),
            Totals::None => Stated::Nothing,
        }
    }

    pub(super) fn says(&self) -> String {
        let (tongue, said, seed) = (self.tongue, self.tongue.phrases(), self.design.seed);
        if self.total == 0 {
            return said.none.to_owned();
        }
        let span = (self.from + 1, self.from + self.here.len());
        let noun = said.nouns[self.design.rows.topic as usize];
        let of = |templates: &[&'static str], n| tongue.filled(tongue.worded(templates, seed), n, span, noun);
        match self.stated() {
            Stated::Exactly(n) => of(&said.exact, n),
            Stated::About(n) => of(&said.about, n),
            Stated::AtLeast(n) => of(&said.at_least, n),
            Stated::MoreThan(n) => of(&said.more_than, n),
            Stated::Nothing => String::new(),
        }
    }

    /// The sentence of a list that was cut.
    pub(super) fn cut(&self) -> Option<String> {
        let (said, habits) = (self.tongue.phrases(), &self.design.habits);
        let Cut::Said(k) = habits.cut else { return None };
        let filled = |template, n| self.tongue.filled(template, n, (k, k), "");
        (self.total > k).then(|| match habits.totals {
            Totals::Exact => filled(said.cut_of, self.total),
            _ => filled(said.cut, k),
        })
    }
}

/// Two digits that count.
fn rounded(number: usize) -> usize {
    let mut step = 1;
    while number / step >= 100 {
        step *= 10;
    }
    (number + step / 2) / step * step
}

/// Rounded down: to hundreds, to tens, or not at all.
fn floored(number: usize) -> usize {
    let step = match number {
        0..10 => 1,
        10..100 => 10,
        _ => 100,
    };
    number / step * step
}

/// What the next page must be asked with.
pub(super) fn numbered(listing: &Listing<'_>, page: usize) -> Pairs {
    let mut all = listing.data.clone();
    all.push((PAGE.to_owned(), page.to_string()));
    all
}

/// The URL of a page of the list.
pub(crate) fn place(listing: &Listing<'_>, page: usize) -> String {
    format!("{LIST}?{}", query(&numbered(listing, page), UTF_8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_search_engines_do() {
        assert_eq!([7, 99, 104, 1249, 1250].map(rounded), [7, 99, 100, 1200, 1300]);
        assert_eq!([7, 19, 104, 1299].map(floored), [7, 10, 100, 1200]);
    }
}
