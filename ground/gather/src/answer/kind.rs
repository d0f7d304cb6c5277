//! Is it an answer at all? Records, nothing found, or a page that answers nothing: an expired session, a sign-in page, a robot check.
//!
//! A page that is no answer, counted as an empty one, makes a certificate false; an empty answer that is taken for none costs a request.
//! Known pages decide: the form's own page, answers with records, empty answers.
//!
//! ```text
//! shape(page)  = the paths of its tags, and its lines outside records, digits alike, as two sets of hashes
//! new lines    = lines of the page that no known page has and that do not repeat what was asked
//! message      = lines that all known empty answers have, and neither the form's page nor an answer with records
//! share(a, b)  = the part of the paths of a that b has as well
//! ```
//!
//! The first that holds:
//!
//! 1. it has records, or counts some: *records*, unless a new line says otherwise and its paths are unlike those of known answers
//! 2. a robot check or a password field that no known page has, and no word of finding nothing: *no answer*
//! 3. it says that nothing was found: *empty*, unless a new line says otherwise and the frame of the form's page is missing
//! 4. a new line says why it is none: *no answer*
//! 5. it has the message of the known empty answers: *empty*
//! 6. it has no new lines, and its paths are those of an empty answer, or of an answer with records without these: *empty*
//! 7. the form with what was asked in it, on a site whose answers stand below the form, without new lines: *empty*
//! 8. *no answer*: the page of the form once more, or unlike all that is known
//!
//! Cost: linear in the page, a bounded number of hashes for each set and at most [`KNOWN`] known pages. Not guaranteed: an empty answer without a
//! word for it, before any answer with records is known, counts as no answer.

use std::collections::HashSet;

use serde::Serialize;

use super::Answer;
use super::page_shape::PageShape;
use super::refusal::NoAnswerWhy;

/// Known pages of a kind.
const KNOWN: usize = 8;

/// Paths in common from which on a page is like another.
const LIKE: f64 = 0.8;

/// The part of the form's paths below which its frame is missing.
const FRAME: f64 = 0.3;

/// What an answer page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerKind {
    /// It has records, or says that there are some.
    Records,
    /// It answers that there are none.
    Empty,
    /// It is no answer to the question.
    NoAnswer(NoAnswerWhy),
}

/// The pages of one form that are known.
#[derive(Clone, Debug, Default)]
pub struct KnownPages {
    form: Option<PageShape>,
    records: Vec<PageShape>,
    empty: Vec<PageShape>,
}

/// The part of a set that another one has, too; all of an empty one.
fn share(of: &HashSet<u64>, with: &HashSet<u64>) -> f64 {
    if of.is_empty() { 1.0 } else { of.intersection(with).count() as f64 / of.len() as f64 }
}

/// Like each other in both directions.
fn similarity(one: &HashSet<u64>, other: &HashSet<u64>) -> f64 {
    let common = one.intersection(other).count() as f64;
    let all = one.len() + other.len();
    if all == 0 { 1.0 } else { 2.0 * common / all as f64 }
}

impl KnownPages {
    /// Before the first question: only the page of the form is known.
    pub fn new(form: PageShape) -> KnownPages {
        KnownPages { form: Some(form), ..KnownPages::default() }
    }

    /// What an answer is, and remembers it.
    pub fn take(&mut self, answer: &Answer) -> AnswerKind {
        let kind = self.judge(answer);
        let known = match kind {
            AnswerKind::Records => &mut self.records,
            AnswerKind::Empty => &mut self.empty,
            AnswerKind::NoAnswer(_) => return kind,
        };
        if known.len() < KNOWN {
            known.push(answer.shape.clone());
        }
        kind
    }

    /// What an answer is.
    pub fn judge(&self, answer: &Answer) -> AnswerKind {
        let page = &answer.shape;
        let all: Vec<&PageShape> = self.form.iter().chain(&self.records).chain(&self.empty).collect();
        let refusal = page.refusals.iter().find(|(line, _)| !all.iter().any(|known| known.lines.contains(line)));
        let refusal = refusal.map(|(_, why)| *why);
        let counts = answer.total.is_some_and(|total| total.number > 0) || answer.shown.is_some();
        if !answer.records.is_empty() || counts || answer.values.values().any(|values| !values.is_empty()) {
            let likest = self.records.iter().map(|known| similarity(&known.paths, &page.paths)).reduce(f64::max);
            return match (refusal, likest) {
                (Some(why), Some(likest)) if likest < 0.5 => AnswerKind::NoAnswer(why),
                _ => AnswerKind::Records,
            };
        }
        let is_foreign = |has: fn(&PageShape) -> bool| has(page) && !all.iter().any(|known| has(known));
        if !answer.none && is_foreign(|page| page.has_robot_check) {
            return AnswerKind::NoAnswer(NoAnswerWhy::RobotCheck);
        }
        if !answer.none && is_foreign(|page| page.has_password) {
            return AnswerKind::NoAnswer(refusal.unwrap_or(NoAnswerWhy::SignIn));
        }
        match refusal {
            Some(why) if !answer.none || (why != NoAnswerWhy::Refused && !self.has_frame(page)) => {
                AnswerKind::NoAnswer(why)
            }
            _ if answer.none || self.is_like_empty(page, &all) => AnswerKind::Empty,
            _ if self.is_form(page) => AnswerKind::NoAnswer(NoAnswerWhy::FormAgain),
            _ => AnswerKind::NoAnswer(NoAnswerWhy::Unlike),
        }
    }

    /// Does a page have the frame of the site, as the page of the form or any known answer has it?
    fn has_frame(&self, page: &PageShape) -> bool {
        let framed = |known: &PageShape| share(&known.paths, &page.paths) >= FRAME;
        self.form.iter().chain(&self.empty).any(framed) || self.records.iter().any(framed)
    }

    /// Is it empty without a word that is known to say so?
    fn is_like_empty(&self, page: &PageShape, all: &[&PageShape]) -> bool {
        let others: Vec<&PageShape> = self.form.iter().chain(&self.records).collect();
        if let Some((first, more)) = self.empty.split_first() {
            let is_said = |line: &&u64| {
                more.iter().all(|empty| empty.lines.contains(line))
                    && !others.iter().any(|known| known.lines.contains(line))
            };
            let mut message = first.lines.iter().filter(is_said).peekable();
            if message.peek().is_some() {
                return message.any(|line| page.lines.contains(line));
            }
        }
        if page.new_lines(all).next().is_some() {
            return false;
        }
        let is_empty = self.empty.iter().any(|known| similarity(&known.paths, &page.paths) >= LIKE);
        // What an answer has and the form's page has not: its heading, its container.
        let is_answer = |known: &PageShape| {
            let form = self.form.as_ref();
            let own = |at: &&u64, of: fn(&PageShape) -> &HashSet<u64>| form.is_none_or(|form| !of(form).contains(at));
            let lines = known.lines.iter().filter(|line| own(line, |page| &page.lines));
            let paths = known.paths.iter().filter(|path| own(path, |page| &page.paths));
            let shown = lines.filter(|line| page.lines.contains(line)).count();
            let built = paths.filter(|path| page.paths.contains(path)).count();
            share(&page.paths, &known.paths) >= 0.9 && (shown > 0 || built > 0)
        };
        is_empty || self.records.iter().any(is_answer) || self.echoes(page)
    }

    /// The form with what was asked in it, on a site whose answers stand below the form.
    fn echoes(&self, page: &PageShape) -> bool {
        let Some(form) = &self.form else { return false };
        let below = self.records.iter().any(|known| share(&form.paths, &known.paths) >= 0.9);
        let mut asked = page.asked.iter().filter(|pair| !form.filled.contains(pair)).peekable();
        below && asked.peek().is_some() && asked.all(|pair| page.filled.contains(pair))
    }

    fn is_form(&self, page: &PageShape) -> bool {
        self.form.as_ref().is_some_and(|form| {
            similarity(&form.paths, &page.paths) >= 0.95 && page.new_lines(&[form]).next().is_none()
        })
    }
}
