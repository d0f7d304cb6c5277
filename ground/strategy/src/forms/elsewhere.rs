//! Where one value of a list must be chosen, the form as it stands shows the records of one value. What its controls do there they need not
//! do beside another value: each is tried there, too.
//!
//! ```text
//! roots    the questions that choose such values and nothing else, but for the one that the form itself asks; those with most records
//! trial    root + setting, for each setting that was accounted for beside the first value
//! holds    it shows known records only, and states no more than the root; without a total, it was read to its end
//! ```
//!
//! A trial that does not hold takes the certificate away and names its control. Cost: as many requests as settings and roots. Assumes: of
//! more than [`ROOTS`] values those with fewer records behave like those with more.

use std::collections::VecDeque;

use groma_gather::cover::{self, Question};

use super::account::TrialOf;
use super::controls::says;
use super::questions::{Course, Questions};
use super::reading::{Purpose, Reading};
use super::typed::overlay;

/// Values beside which controls are tried.
const ROOTS: usize = 8;

/// A control beside another value.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    trial: TrialOf,
    root: Question,
    /// Records of the root.
    records: u64,
}

/// What is to be tried, and what is under way.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    waiting: VecDeque<Beside>,
    asked: Vec<Beside>,
    is_begun: bool,
}

impl Elsewhere {
    /// For another base.
    pub(super) fn reset(&mut self) {
        *self = Elsewhere::default();
    }
}

impl Questions {
    /// Makes the trials, once for each base. False: there are none.
    pub(super) fn begin_elsewhere(&mut self) -> bool {
        if std::mem::replace(&mut self.elsewhere.is_begun, true) || !self.account.proof.is_proved {
            return false;
        }
        // Whoever describes a form says what is chosen.
        if self.found.asking().is_some_and(|asking| asking.elements.iter().any(|element| !element.values.is_empty())) {
            return false;
        }
        let Some(Course::Cover(cover)) = &self.course else { return false };
        let must_choose = |axis: &cover::Axis| matches!(axis, cover::Axis::Choice { any: false, exhaustive: true, .. });
        let forced: Vec<usize> =
            (0..self.axes.space.fields.len()).filter(|nth| must_choose(&self.axes.space.fields[*nth])).collect();
        let names: Vec<&str> = forced.iter().flat_map(|axis| self.axes.fills[*axis].names()).collect();
        let mut roots = cover.roots(&forced);
        let base = self.base();
        let is_base =
            |root: &Question| self.filled(root).iter().all(|(name, value)| self.form_sends(&base, name, value));
        roots.retain(|(root, _)| !is_base(root));
        roots.sort_by_key(|(_, records)| std::cmp::Reverse(*records));
        roots.truncate(ROOTS);
        let is_own = |trial: &&TrialOf| !trial.1.iter().any(|(name, _)| names.contains(&name.as_str()));
        let trials: Vec<TrialOf> = self.account.accounted().iter().filter(is_own).cloned().collect();
        for (root, records) in roots {
            let own = trials.iter().map(|trial| Beside { trial: trial.clone(), root: root.clone(), records });
            self.elsewhere.waiting.extend(own);
        }
        !self.elsewhere.waiting.is_empty()
    }

    /// Does the form send this as it stands?
    fn form_sends(&self, base: &[(String, String)], name: &str, value: &str) -> bool {
        let is_said = base.iter().any(|(own, _)| own == name);
        let chosen = || {
            let field = self.form.field(name)?;
            let chosen = field.domain().find(|choice| choice.chosen).or_else(|| field.domain().next())?;
            Some(chosen.value == value)
        };
        base.iter().any(|(own, sent)| own == name && sent == value) || (!is_said && chosen() == Some(true))
    }

    /// The next trial beside another value.
    pub(super) fn next_elsewhere(&mut self) -> Option<Reading> {
        if self.is_spent() {
            self.checks.untried |= !self.elsewhere.waiting.is_empty();
            self.elsewhere.waiting.clear();
        }
        // What cannot be certified any more need not be tried.
        if !self.account.reasons().is_empty() {
            self.elsewhere.waiting.clear();
        }
        let beside = self.elsewhere.waiting.pop_front()?;
        let filled = overlay(self.filled(&beside.root), &beside.trial.1);
        let about = format!("{}, trying {}", self.axes.says(&beside.root), says(&beside.trial.1));
        self.elsewhere.asked.push(beside);
        Some(Reading::new(Purpose::Elsewhere(self.elsewhere.asked.len() - 1), about, filled))
    }

    pub(super) fn compare_elsewhere(&mut self, nth: usize, reading: &Reading, failed: bool) {
        let Some(Beside { trial: (control, _), records, .. }) = self.elsewhere.asked.get(nth) else { return };
        let sight = reading.sight();
        let holds = match sight.said {
            _ if failed => return self.account.fail(*control),
            Some(said) if self.account.proof.counts => said <= *records,
            _ => sight.whole && sight.rows.len() as u64 <= *records,
        };
        if !holds || !(self.known.has_all(&sight) || self.known.are_dressed(&sight)) {
            self.account.refute(*control);
        }
    }
}
