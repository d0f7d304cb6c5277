//! One question on its way: the pages of its answer as they come.

use groma_gather::answer::{Answer as Page, Ended, Navigator};
use groma_gather::cover::{Cut, Heard, QuestionId, Row};
use groma_model::Request;

/// Pages of one answer that are read at most.
const PAGES: usize = 10_000;

/// The answer to one question, as far as it was read.
#[derive(Debug)]
pub(super) struct Reading {
    /// The question of the cover; nothing for one of the paper's.
    pub(super) id: Option<QuestionId>,
    /// The question in words.
    pub(super) about: String,
    /// What was filled in.
    pub(super) filled: Vec<(String, String)>,
    /// A second try with a fresh form has been made.
    pub(super) tried_again: bool,
    pages: Vec<Vec<Row>>,
    said: Option<u64>,
    cut: Cut,
    /// Which pages there are; nothing before the first is asked for.
    navigator: Option<Navigator>,
}

impl Reading {
    pub(super) fn new(id: Option<QuestionId>, about: String, filled: Vec<(String, String)>) -> Reading {
        Reading {
            id,
            about,
            filled,
            tried_again: false,
            pages: Vec::new(),
            said: None,
            cut: Cut::Unknown,
            navigator: None,
        }
    }

    /// The first page is asked for.
    pub(super) fn begin(&mut self, first: &Request, tokens: &[String]) {
        self.navigator = Some(Navigator::new(first, PAGES, tokens));
    }

    /// Takes in a page and its rows.
    pub(super) fn take(&mut self, page: &Page, rows: Vec<Row>, whole: bool) {
        let Some(navigator) = &mut self.navigator else { return };
        let first = self.pages.is_empty();
        // A page that brings nothing but what was there is none.
        if navigator.absorb(page) > 0 || first {
            self.pages.push(rows);
        }
        if let Some(total) = page.total {
            match total.exact {
                true => self.said = Some(total.number),
                false => self.cut = Cut::Yes,
            }
        }
        if page.none && first && self.said.is_none() {
            self.said = Some(0);
        }
        // Of half a page, or of too many pages, nobody knows the rest.
        if page.cut.is_some() || !whole || navigator.ended() == Some(Ended::Capped) {
            self.cut = Cut::Yes;
        }
    }

    /// What was heard so far.
    pub(super) fn heard(&self) -> Heard<'_> {
        let more = self.navigator.as_ref().is_some_and(|navigator| navigator.ended().is_none());
        Heard { pages: &self.pages, said: self.said, more, cut: self.cut }
    }

    /// The next page, if there is one.
    pub(super) fn next(&mut self) -> Option<Request> {
        self.navigator.as_mut()?.step()
    }

    /// Pages that were read.
    pub(super) fn pages(&self) -> u64 {
        self.pages.len() as u64
    }

    /// The total that was shown.
    pub(super) fn said(&self) -> Option<u64> {
        self.said
    }
}
