//! One question on its way: the pages of its answer as they come.

use groma_gather::answer::{Absorbed, Answer as Page, Ended, Navigator, Total, TotalKind};
use groma_gather::cover::{AnswerRecord, Cut, Heard, QuestionId};
use groma_model::Request;

use super::account::TrialOf;
use super::known::Sight;

/// Pages of one answer that are read at most.
const PAGES: usize = 10_000;

/// Whose turn an answer is.
#[derive(Debug)]
pub(super) enum Pending {
    /// A page of the answer to this question.
    Page(u32),
    /// A fresh form for this question.
    Fresh(u32),
}

/// What a question is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A question of the cover.
    Cover(QuestionId),
    /// One of the paper's.
    Product,
    /// The form as it stands.
    Base,
    /// A control is tried before the questions.
    Early(TrialOf),
    /// A control is tried after them.
    Late(TrialOf),
    /// A control is tried beside another value of a list from which one must be chosen (see [`super::elsewhere`]).
    Elsewhere(usize),
    /// Something that was asked before, to see whether it is still so.
    Again(usize),
}

/// A record as it was read, and what it may be known by in another dress.
pub(super) type Seen = (AnswerRecord, Vec<u64>);

/// What an answer says of how much there is.
#[derive(Debug)]
struct Told {
    /// The total, where the answer gives it exactly.
    said: Option<u64>,
    /// A total that is not exact.
    bound: Option<Total>,
    cut: Cut,
}

/// The answer to one question, as far as it was read.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) purpose: Purpose,
    /// The question in words.
    pub(super) about: String,
    /// What was filled in.
    pub(super) filled: Vec<(String, String)>,
    /// A second try with a fresh form has been made.
    pub(super) tried_again: bool,
    /// The word that it asks for in a text field.
    pub(super) word: Option<String>,
    /// Records that nobody knew before.
    pub(super) new: usize,
    /// The page that is asked for now, and whether it is asked for the second time.
    pub(super) current: Option<(Request, bool)>,
    /// The whole list is asked for again: another question came between its pages.
    pub(super) anew: bool,
    pages: Vec<Vec<AnswerRecord>>,
    /// Pages that brought nothing new: part of the list if something new comes behind them.
    held: Vec<Vec<AnswerRecord>>,
    /// Rows that look like records and were not read.
    passed_over: u64,
    /// The records of a trial, or of the first page.
    rows: Vec<(u128, Vec<u64>)>,
    /// Pages that were asked for since its first one was.
    asked: u64,
    told: Told,
    /// Which pages there are; nothing before the first is asked for.
    navigator: Option<Navigator>,
}

impl Reading {
    pub(super) fn new(purpose: Purpose, about: String, filled: Vec<(String, String)>) -> Reading {
        Reading {
            purpose,
            about,
            filled,
            tried_again: false,
            word: None,
            new: 0,
            current: None,
            anew: false,
            pages: Vec::new(),
            held: Vec::new(),
            passed_over: 0,
            rows: Vec::new(),
            asked: 0,
            told: Told { said: None, bound: None, cut: Cut::Unknown },
            navigator: None,
        }
    }

    /// The first page is asked for.
    pub(super) fn begin(&mut self, first: &Request, tokens: &[String]) {
        self.navigator = Some(Navigator::new(first, PAGES, tokens));
        self.asked = 0;
    }

    /// Forgets what was read: it is asked for again from its first page on.
    pub(super) fn restart(&mut self) {
        let (purpose, about, filled) = (self.purpose.clone(), self.about.clone(), self.filled.clone());
        let fresh = Reading::new(purpose, about, filled);
        let (tried_again, word) = (self.tried_again, self.word.take());
        *self = Reading { tried_again, word, anew: true, new: self.new, ..fresh };
    }

    /// The number of the page that is asked for now; also one that brings nothing new has a number.
    pub(super) fn next_number(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }

    /// Takes in a page and its rows.
    pub(super) fn take(&mut self, page: &Page, rows: Vec<Seen>, whole: bool) {
        let Some(navigator) = &mut self.navigator else { return };
        let first = self.pages.is_empty();
        let keys: Vec<u128> = rows.iter().map(|(row, _)| row.key).collect();
        if first || !matches!(self.purpose, Purpose::Cover(_) | Purpose::Product) {
            self.rows.extend(rows.iter().map(|(row, faces)| (row.key, faces.clone())));
        }
        let rows: Vec<AnswerRecord> = rows.into_iter().map(|(row, _)| row).collect();
        match navigator.absorb(page, &keys) {
            Absorbed::New(_) => {
                self.pages.append(&mut self.held);
                self.pages.push(rows);
            }
            Absorbed::Known if !rows.is_empty() => self.held.push(rows),
            Absorbed::Known | Absorbed::First => {}
        }
        self.passed_over += page.passed_over;
        if let Some(total) = page.total {
            match total.is_exact() {
                true => self.told.said = Some(total.number),
                false => self.told.bound = Some(total),
            }
        }
        if page.none && first && self.told.said.is_none() {
            self.told.said = Some(0);
        }
        // Of half a page, or of too many pages, nobody knows the rest.
        if page.cut.is_some() || !whole || navigator.ended() == Some(Ended::Capped) {
            self.told.cut = Cut::Yes;
        }
    }

    /// What was heard so far. `limit`: after how many rows answers are known to stop.
    pub(super) fn heard(&self, limit: Option<u64>) -> Heard<'_> {
        let more = self.navigator.as_ref().is_some_and(|navigator| navigator.ended().is_none());
        Heard {
            pages: &self.pages,
            said: self.told.said,
            more,
            cut: if self.is_bound(more, limit) { Cut::Yes } else { self.told.cut },
        }
    }

    /// Does a total that is not exact say that rows are missing? Not by itself: "1–11 of about 11" is all there is.
    fn is_bound(&self, more: bool, limit: Option<u64>) -> bool {
        let Some(total) = self.told.bound else { return false };
        let least = match total.kind {
            TotalKind::AtLeast => total.number,
            // Rounded, or guessed: what is far more than the rows is more.
            TotalKind::About => total.number / 10 * 7,
            TotalKind::Exact | TotalKind::AtMost => return false,
        };
        let listed: u64 = self.pages.iter().map(|page| page.len() as u64).sum();
        if more { limit.is_some_and(|limit| least > limit) } else { least > listed }
    }

    /// Why nobody knows whether that was all of the list, where no exact total says so.
    pub(super) fn flaw(&self) -> Option<&'static str> {
        if self.told.said.is_some() {
            return None;
        }
        if self.passed_over > 0 {
            return Some(
                "rows of a list could not be read like the others, and no total says that they are no records",
            );
        }
        let is_held = !self.held.is_empty();
        is_held.then_some("a page of a list showed nothing but what came before, and no total says that it was the end")
    }

    /// What was seen, for comparing.
    pub(super) fn sight(&self) -> Sight {
        let heard = self.heard(None);
        Sight { rows: self.rows.clone(), said: self.told.said, whole: !heard.more && heard.cut != Cut::Yes }
    }

    /// The next page, if there is one.
    pub(super) fn next(&mut self) -> Option<Request> {
        self.navigator.as_mut()?.step()
    }

    /// The farthest page that is known of.
    pub(super) fn leap(&mut self) -> Option<Request> {
        self.navigator.as_mut()?.leap()
    }

    /// Does it state an exact total?
    pub(super) fn is_told(&self) -> bool {
        self.told.said.is_some()
    }

    /// Pages that were read.
    pub(super) fn pages(&self) -> u64 {
        self.pages.len() as u64
    }

    /// The total that was shown, exact or not.
    pub(super) fn stated(&self) -> Option<Total> {
        self.told.said.map(|number| Total { number, kind: TotalKind::Exact }).or(self.told.bound)
    }
}

#[cfg(test)]
mod tests {
    use groma_url::Url;

    use super::*;

    #[test]
    fn pages_are_numbered_as_they_are_asked_for() {
        let mut reading = Reading::new(Purpose::Base, "everything".to_owned(), Vec::new());
        let first = Request::get(Url::parse("http://a.test/?q=1").unwrap());
        reading.begin(&first, &[]);
        assert_eq!(reading.next_number(), 1);
        reading.take(&Page::default(), Vec::new(), true);
        // The second brings nothing new and is no page of the list; the third is the third all the same.
        assert_eq!(reading.next_number(), 2);
        reading.take(&Page::default(), Vec::new(), true);
        assert_eq!((reading.pages(), reading.next_number()), (1, 3));
        // Asked for again with a fresh form, it begins with its first page.
        reading.begin(&first, &[]);
        assert_eq!(reading.next_number(), 1);
    }
}
