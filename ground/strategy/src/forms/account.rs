//! Is every control of the form accounted for? What each brings out is compared with what the form brings out as it stands.
//!
//! ```text
//! A(q), T(q)   the records that a question brings, the exact total it states; q0 the form as it stands, q0+s with a control set to s
//! wider        T(q0+s) > T(q0)                                  s becomes part of q0 (the widest of a control), and all is tried again
//! neutral      T(q0+s) = T(q0), records that are known, perhaps in another dress        left alone; the longest page is taken
//! narrower     T(q0+s) < T(q0), and A(q0+s) among the records of q0 once these are known                 left alone, or split by
//! other        A(q0+s) has records that q0, proved whole, does not have        q0+s is gathered like q0: a *stratum*
//! unknown      no total that counts, and q0+s cannot be read to its end                       named; there is no certificate
//! ```
//!
//! Before the questions, what can be decided by totals is (so that the widest form is split); after them, every setting that was not
//! asked is tried, and what was tried before is compared with the records that are known by then. A value that records show stands in
//! what "any" brings, and need not be tried.
//!
//! | control | accounted for, if |
//! |---|---|
//! | list, boxes | each value is asked, tried, or shown by records |
//! | holds something ([`Trial::Preset`]) | nothing that is tried changes the answer; or left out or empty it is wider, and that is set |
//! | empty number or date ([`Trial::Window`]) | one of its ends brings no less; or records show two values of it, so that empty is none of them |
//! | empty text | a word narrows; or words, a number and a date bring nothing else |
//! | two ends | tried apart and together; dates that are written by guess must change something |
//!
//! Radio buttons of which none is pressed *stand* at a value that brings what the form brings, row by row, if another value brings other
//! rows only: then each is asked, and nothing stands for all.
//!
//! Assumes: a hidden field without whose value the form itself comes back says which form was sent, not which records; of many values
//! the others behave like those that were tried; the first page of an answer with an exact total and the farthest that it leads to stand
//! for the rest of it; two controls that bring records only together are not looked for. Cost: a request for each setting tried, two
//! where it has several pages of known records.
//! Source: spec of certificates (every control is accounted for).

mod marks;

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use marks::{Changed, Mark, TrialAnswers};

use super::axes::Base;
use super::controls::{Control, FEW, Setting, Trial, says, short};
use super::known::{Known, Sight};
use super::typed::{COUNTS, is_alone, neighbors, overlay};

/// Questions that are gathered like the form as it stands.
const STRATA: usize = 64;
/// Rounds in which controls are set to their widest values.
const ROUNDS: u8 = 4;

/// What the questions and the records say, for trials after them.
pub(super) struct After<'a> {
    /// Was a value sent in a question?
    pub(super) asked: &'a dyn Fn(&str, &str) -> bool,
    /// May a control be tried at all?
    pub(super) free: &'a dyn Fn(&Control) -> bool,
    /// What records show for a text or a number.
    pub(super) words: &'a dyn Fn(&Control) -> Vec<String>,
    /// Values of a list that records show.
    pub(super) shown: &'a dyn Fn(&Control) -> HashSet<String>,
}

/// What becomes of a setting that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Accounted,
    /// It brings records that are not known.
    Other,
    Unknown,
}

/// One trial: which control, and what it is set to.
pub(super) type TrialOf = (usize, Setting);

/// The cover of a base, as far as trials depend on it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proof {
    /// All its records are known.
    pub(super) is_proved: bool,
    /// Its totals can be relied upon.
    pub(super) counts: bool,
    /// How many records it has.
    pub(super) rows: u64,
}

/// The controls of a form and what became of them.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) controls: Vec<Control>,
    marks: Vec<Mark>,
    sizes: Setting,
    /// What is filled in in any case, and which controls that sets.
    pub(super) fixed: Setting,
    /// The form as it stands, with what is fixed.
    pub(super) base: Sight,
    /// There was no answer to it.
    pub(super) is_refused: bool,
    rounds: u8,
    changed: Changed,
    /// Bases that are still to be gathered, and all that ever were.
    pub(super) strata: VecDeque<Setting>,
    all_strata: BTreeSet<Setting>,
    pub(super) proof: Proof,
    /// Controls that are not accounted for, and why.
    unknown: BTreeMap<usize, &'static str>,
    answers: TrialAnswers,
    /// What was tried on this base and brought no other records.
    accounted: Vec<TrialOf>,
    /// What was found out, in words.
    pub(super) notes: Vec<String>,
}

impl Account {
    /// `sizes`: what sets the longest pages, by the names of fields.
    pub(super) fn new(controls: Vec<Control>, sizes: Setting) -> Account {
        let unknown = controls.iter().enumerate().filter(|(_, control)| control.trial == Trial::Never);
        Account {
            unknown: unknown.map(|(nth, _)| (nth, "")).collect(),
            marks: vec![Mark::default(); controls.len()],
            controls,
            sizes,
            fixed: Vec::new(),
            base: Sight::default(),
            is_refused: false,
            rounds: 0,
            changed: Changed::default(),
            strata: VecDeque::new(),
            all_strata: BTreeSet::from([Vec::new()]),
            proof: Proof::default(),
            answers: TrialAnswers::default(),
            accounted: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Is there an answer where all is left as it stands?
    pub(super) fn base_is(&self) -> Base {
        match self.is_refused {
            _ if !self.base.rows.is_empty() => Base::Answered,
            true => Base::Refused,
            false => Base::Unknown,
        }
    }

    /// The same, for a list.
    pub(super) fn base_of(&self, name: &str) -> Base {
        let is_standing = self.changed.standing.iter().any(|nth| self.controls[*nth].name == name);
        if is_standing { Base::Chosen } else { self.base_is() }
    }

    /// Does it only say how long pages are, and is it set to the longest?
    pub(super) fn is_size(&self, nth: usize) -> bool {
        self.marks[nth].is_neutral && self.sizes.iter().any(|(name, _)| *name == self.controls[nth].name)
    }

    pub(super) fn is_fixed(&self, control: usize) -> bool {
        self.fixed.iter().any(|(name, _)| *name == self.controls[control].name)
    }

    /// Is it known, by totals, that a field does not choose among records?
    pub(super) fn is_neutral(&self, name: &str) -> bool {
        self.is(name, |mark| mark.is_neutral)
    }

    /// Is it known, by totals, that it does?
    pub(super) fn narrows(&self, name: &str) -> bool {
        self.is(name, |mark| mark.narrows)
    }

    fn is(&self, name: &str, what: impl Fn(&Mark) -> bool) -> bool {
        let mut both = self.controls.iter().zip(&self.marks);
        both.any(|(control, mark)| control.name == name && what(mark))
    }

    /// What a field is set to in any case.
    pub(super) fn fixed_at(&self, name: &str) -> Option<&str> {
        self.fixed.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// What is tried before the questions: all that may widen, and one value of what stands at "any". `free`: it may be tried at all.
    pub(super) fn early(&self, free: &dyn Fn(&Control) -> bool) -> Vec<TrialOf> {
        let mut trials = Vec::new();
        for (nth, control) in self.controls.iter().enumerate() {
            if self.is_fixed(nth) || !free(control) || self.base.rows.is_empty() {
                continue;
            }
            let tried = &self.marks[nth].tried;
            if let Some(size) = self.sizes.iter().find(|(name, _)| *name == control.name) {
                trials.extend(tried.is_empty().then(|| (nth, vec![size.clone()])));
                continue;
            }
            let Some(total) = self.base.said.filter(|total| *total > 0) else { continue };
            let is_new = |setting: &&Setting| !tried.iter().any(|(known, _)| known == *setting);
            let most = match control.trial {
                Trial::Choice { plain: true } if control.is_unset && self.brings_others(tried) => usize::MAX,
                // One tells whether it chooses at all; a second, where the first did not.
                Trial::Choice { plain: true } if tried.iter().any(|(_, sight)| sight.said != Some(total)) => 0,
                Trial::Choice { plain: true } => 2_usize.saturating_sub(tried.len()).min(1),
                // Where both ends together bring no less, none of them hides anything.
                Trial::Ends { guessed: false } if tried.is_empty() => 1,
                Trial::Ends { guessed: false } if tried.iter().any(|(_, sight)| sight.said >= Some(total)) => 0,
                Trial::Empty | Trial::Never => 0,
                // All at once, and none: of many, each alone is tried after the questions, when nothing is set wider any more.
                Trial::Boxes if control.settings.len() > 3 => {
                    control.settings.iter().filter(|setting| !is_alone(setting)).count()
                }
                _ => usize::MAX,
            };
            let most = if control.trial == Trial::Boxes { most.saturating_sub(tried.len()) } else { most };
            trials.extend(control.settings.iter().filter(is_new).take(most).map(|setting| (nth, setting.clone())));
        }
        trials
    }

    fn brings_others(&self, tried: &[(Setting, Sight)]) -> bool {
        tried.iter().any(|(_, sight)| sight.is_of_others(&self.base))
    }

    /// How many records the form as it stands brings, if they stand on one page, and something that was tried brings the same in quite
    /// another order.
    pub(super) fn reordered(&self) -> Option<u64> {
        let mut tried = self.marks.iter().flat_map(|mark| &mark.tried);
        let is_reordered = tried.any(|(_, sight)| self.base.is_reordered(sight));
        is_reordered.then_some(self.base.rows.len() as u64)
    }

    /// The value that is meant where nothing is chosen.
    fn stands_at(&self, nth: usize) -> Option<&Setting> {
        let tried = &self.marks[nth].tried;
        let same = tried.iter().find(|(_, sight)| sight.is_row_by_row(&self.base)).map(|(setting, _)| setting)?;
        (self.controls[nth].is_unset && self.brings_others(tried)).then_some(same)
    }

    /// What a trial before the questions has shown.
    pub(super) fn take_early(&mut self, (nth, setting): TrialOf, sight: Sight) {
        self.marks[nth].tried.push((setting, sight));
    }

    /// All trials of a round are there. True: the form is set wider, and has to be asked anew as it stands then.
    pub(super) fn decide(&mut self) -> bool {
        self.decide_sizes();
        let Some(total) = self.base.said.filter(|total| *total > 0) else { return false };
        let mut wider: Setting = Vec::new();
        for nth in 0..self.controls.len() {
            let is_standing = self.changed.standing.contains(&nth);
            if self.is_fixed(nth) || is_standing || self.marks[nth].tried.is_empty() {
                continue;
            }
            if let Some(setting) = self.stands_at(nth) {
                let title = short(&self.controls[nth].title);
                self.notes
                    .push(format!("nothing chosen in {title} means {}, so each of its values is asked", says(setting)));
                self.changed.standing.insert(nth);
                self.marks[nth].narrows = true;
                continue;
            }
            let (control, mark) = (&self.controls[nth], &mut self.marks[nth]);
            let totals: Vec<Option<u64>> = mark.tried.iter().map(|(_, sight)| sight.said).collect();
            let same = totals.iter().all(|said| *said == Some(total));
            mark.narrows = totals.iter().flatten().any(|said| *said < total);
            // Two lists that are counted only to some limit have the same total, too.
            mark.is_neutral = same && !is_round(total) && (totals.len() > 1 || control.settings.len() == 1);
            let may_widen = |setting: &Setting| control.trial != Trial::Preset || control.is_lifted_by(setting);
            let widest = mark.tried.iter().filter(|(setting, _)| may_widen(setting));
            let Some((setting, sight)) = widest.max_by_key(|(_, sight)| sight.said) else { continue };
            let most = sight.said.unwrap_or(0);
            if most > total && self.rounds < ROUNDS && control.is_superset(&totals, total, most) {
                wider.extend(setting.clone());
                self.changed.widened.insert(nth);
                if control.trial == Trial::Preset {
                    self.changed.lifted.insert(nth);
                }
                self.notes.push(format!(
                    "the {} {} brings {most} records instead of {total}: it is set so ({})",
                    control.word,
                    short(&control.title),
                    says(setting)
                ));
            } else if same && matches!(control.trial, Trial::Choice { .. }) {
                let longest = mark.tried.iter().max_by_key(|(_, sight)| sight.rows.len());
                if let Some((setting, _)) = longest.filter(|(_, sight)| sight.rows.len() > self.base.rows.len()) {
                    self.fixed.extend(setting.clone());
                }
            }
        }
        if wider.is_empty() {
            return false;
        }
        self.rounds += 1;
        self.fixed.extend(wider);
        // What did not widen this one may widen the wider one.
        self.marks.iter_mut().for_each(|mark| *mark = Mark::default());
        true
    }

    /// Longer pages of the same list.
    fn decide_sizes(&mut self) {
        for nth in 0..self.controls.len() {
            let is_size = self.sizes.iter().any(|(name, _)| *name == self.controls[nth].name);
            let Some((setting, sight)) = self.marks[nth].tried.first().filter(|_| is_size && !self.is_fixed(nth))
            else {
                continue;
            };
            if sight.begins_like(&self.base) && sight.rows.len() >= self.base.rows.len() && sight.said == self.base.said
            {
                self.fixed.extend(setting.clone());
                self.marks[nth].is_neutral = true;
            }
        }
    }

    /// What is tried after the questions of a base: what no question has asked.
    pub(super) fn late(&mut self, after: &After<'_>, known: &Known) -> Vec<TrialOf> {
        let mut trials: Vec<TrialOf> = Vec::new();
        for nth in 0..self.controls.len() {
            if (self.is_fixed(nth) && !self.changed.widened.contains(&nth)) || !(after.free)(&self.controls[nth]) {
                continue;
            }
            let judged = self.judge_tried(nth, after, known);
            if !self.is_size(nth) {
                let left = self.left(nth, after, &judged);
                trials.extend(left.into_iter().map(|setting| (nth, setting)));
            }
        }
        trials.retain(|(_, setting)| !self.all_strata.contains(&self.with(setting)));
        trials
    }

    /// What was tried before the questions, compared with the records that are known by now. What that does not decide is tried again,
    /// and read to its end.
    fn judge_tried(&mut self, nth: usize, after: &After<'_>, known: &Known) -> Vec<Setting> {
        let mut judged = Vec::new();
        for (setting, sight) in std::mem::take(&mut self.marks[nth].tried) {
            // The records of what a question has asked are known.
            if is_asked(&setting, after) {
                continue;
            }
            if self.verdict(&sight, known) != Verdict::Unknown {
                self.take_late((nth, setting.clone()), &sight, known);
                judged.push(setting);
                self.marks[nth].is_judged = true;
            }
        }
        judged
    }

    /// Settings of a control that are still to be tried.
    fn left(&mut self, nth: usize, after: &After<'_>, judged: &[Setting]) -> Vec<Setting> {
        let control = &self.controls[nth];
        let own = |value: &str| vec![(control.name.clone(), value.to_owned())];
        let mut settings = control.settings.clone();
        if matches!(control.trial, Trial::Empty | Trial::Window) {
            let words = (after.words)(control);
            self.marks[nth].shows_two = words.len() > 1;
            settings.extend(words.iter().map(|word| own(word)));
            if let (Trial::Window, [one]) = (control.trial, &words[..]) {
                settings.extend(neighbors(one).iter().map(|value| own(value)));
            }
        }
        if control.trial == (Trial::Ends { guessed: false }) {
            let first = if self.marks[nth].is_equaled { 0 } else { 1 };
            settings.truncate(if judged.is_empty() { first } else { settings.len() * first });
        }
        let is_open = |setting: &Setting| !judged.contains(setting) && !is_asked(setting, after);
        settings.retain(is_open);
        if !control.choices.is_empty() {
            let shown = (after.shown)(control);
            let values = control.choices.iter().filter(|(value, _)| !shown.contains(value));
            let rest: Vec<Setting> = values.map(|(value, _)| own(value)).filter(is_open).collect();
            settings.retain(|setting| !matches!(&setting[..], [(_, value)] if shown.contains(value)));
            if control.every || rest.len() <= FEW {
                let more: Vec<Setting> = rest.into_iter().filter(|setting| !settings.contains(setting)).collect();
                settings.extend(more);
            }
        }
        settings
    }

    /// What a trial after the questions has shown.
    pub(super) fn take_late(&mut self, (nth, setting): TrialOf, sight: &Sight, known: &Known) {
        self.answers.answered.insert(nth);
        self.answers.unanswered.remove(&nth);
        let verdict = self.verdict(sight, known);
        if verdict == Verdict::Accounted {
            self.accounted.push((nth, setting.clone()));
        }
        let (is_less, is_same) = (self.is_less(sight), self.is_same(sight, known));
        let mark = &mut self.marks[nth];
        mark.is_equaled |= !is_less;
        // A word that is found nowhere may be no word at all.
        mark.reacts |= is_less && (self.controls[nth].trial != Trial::Empty || !sight.rows.is_empty());
        match self.controls[nth].trial {
            Trial::Preset => self.take_preset(nth, &setting, verdict, is_same),
            _ => self.enter(nth, &setting, verdict),
        }
    }

    /// A field that holds something: either nothing else changes the answer, or what lifts it is set.
    fn take_preset(&mut self, nth: usize, setting: &Setting, verdict: Verdict, is_same: bool) {
        const NARROWS: &str = ": other values change the answer, and none that was tried brings all";
        if is_same {
            return;
        }
        if self.changed.lifted.contains(&nth) {
            if self.is_fixed(nth) && verdict != Verdict::Accounted {
                self.unknown.entry(nth).or_insert(NARROWS);
            }
            return;
        }
        if verdict == Verdict::Other && self.controls[nth].is_lifted_by(setting) {
            self.changed.lifted.insert(nth);
            self.unknown.remove(&nth);
            return self.enter(nth, setting, verdict);
        }
        self.unknown.entry(nth).or_insert(NARROWS);
    }

    fn enter(&mut self, nth: usize, setting: &Setting, verdict: Verdict) {
        match verdict {
            Verdict::Accounted => {}
            Verdict::Unknown => {
                self.unknown.entry(nth).or_insert(": nothing tells whether it brings other records");
            }
            Verdict::Other => {
                let stratum = self.with(setting);
                if self.all_strata.len() >= STRATA {
                    self.unknown.entry(nth).or_insert(" to its end: it brings other records time and again");
                } else if self.all_strata.insert(stratum.clone()) {
                    self.strata.push_back(stratum);
                }
            }
        }
    }

    /// What was tried and brought no other records.
    pub(super) fn accounted(&self) -> &[TrialOf] {
        &self.accounted
    }

    /// What brings no other records here does elsewhere, or nobody can tell.
    pub(super) fn refute(&mut self, nth: usize) {
        self.unknown
            .entry(nth)
            .or_insert(" beside each value of the others: it brings other records there, or nothing tells");
    }

    /// The answer to a trial was the form itself.
    pub(super) fn take_form_again(&mut self, nth: usize) {
        self.marks[nth].came_back = true;
    }

    /// No answer came to a trial. Of several words for a text one is enough: many forms say nothing where nothing is found. The ends of
    /// what is empty may be refused, and so may what is worse than what is set.
    pub(super) fn fail(&mut self, nth: usize) {
        match self.controls[nth].trial {
            Trial::Empty => {
                if !self.answers.answered.contains(&nth) {
                    self.answers.unanswered.insert(nth);
                }
            }
            Trial::Window => {}
            Trial::Preset if self.changed.lifted.contains(&nth) => {}
            // Without it the site does not know that it was asked: it says which form was sent.
            Trial::Preset if self.controls[nth].is_hidden() && self.marks[nth].came_back => {}
            _ => {
                self.unknown.entry(nth).or_insert(": there was no answer");
            }
        }
    }

    /// Trials that those before make necessary: a text that no word narrows may take numbers or dates, and of two ends that bring less
    /// together one may bring more alone.
    pub(super) fn follow_up(&mut self, free: &dyn Fn(&Control) -> bool) -> Vec<TrialOf> {
        let mut trials = Vec::new();
        for (nth, (control, mark)) in self.controls.iter().zip(&mut self.marks).enumerate() {
            if !self.proof.is_proved || !self.answers.answered.contains(&nth) || mark.followed || !free(control) {
                continue;
            }
            if control.trial == Trial::Empty && !mark.reacts {
                mark.followed = true;
                trials.extend(COUNTS.map(|value| (nth, vec![(control.name.clone(), value.to_owned())])));
            }
            if control.trial == (Trial::Ends { guessed: false }) && !mark.is_equaled && !mark.is_judged {
                mark.followed = true;
                trials.extend(control.settings.iter().skip(1).map(|setting| (nth, setting.clone())));
            }
        }
        trials
    }

    /// All trials of a base are there: is what they should show shown?
    pub(super) fn settle(&mut self, free: &dyn Fn(&Control) -> bool) {
        for nth in 0..self.controls.len() {
            let (control, mark) = (&self.controls[nth], &self.marks[nth]);
            if !self.proof.is_proved || !free(control) || self.is_fixed(nth) {
                continue;
            }
            let why = match control.trial {
                Trial::Window if !mark.is_equaled && !mark.shows_two => ": nothing shows that empty means all",
                Trial::Ends { guessed: true } if !mark.reacts => ": nothing tells how dates are written there",
                _ => continue,
            };
            self.unknown.entry(nth).or_insert(why);
        }
    }

    fn verdict(&self, sight: &Sight, known: &Known) -> Verdict {
        let totals = self.base.said.zip(sight.said).filter(|_| self.proof.counts || !self.proof.is_proved);
        // As long as not all of the base is known, only a total tells.
        if !self.proof.is_proved {
            return if totals.is_some_and(|(all, said)| said > all) { Verdict::Other } else { Verdict::Accounted };
        }
        if known.has_all(sight) {
            return match totals {
                Some((all, said)) if said <= all => Verdict::Accounted,
                Some(_) => Verdict::Other,
                None if sight.whole && sight.rows.len() as u64 <= known.len() => Verdict::Accounted,
                None => Verdict::Unknown,
            };
        }
        if self.is_as_many(sight) && known.are_dressed(sight) { Verdict::Accounted } else { Verdict::Other }
    }

    fn is_as_many(&self, sight: &Sight) -> bool {
        match self.base.said.zip(sight.said) {
            Some((all, said)) => all == said,
            None => sight.whole && sight.rows.len() as u64 == self.proof.rows,
        }
    }

    fn is_same(&self, sight: &Sight, known: &Known) -> bool {
        self.is_as_many(sight) && (!self.proof.is_proved || known.has_all(sight) || known.are_dressed(sight))
    }

    fn is_less(&self, sight: &Sight) -> bool {
        match self.base.said.zip(sight.said) {
            Some((all, said)) => said < all,
            None => sight.whole && (sight.rows.len() as u64) < self.proof.rows,
        }
    }

    /// What is fixed, with a setting above it.
    pub(super) fn with(&self, setting: &Setting) -> Setting {
        let mut all = overlay(self.fixed.clone(), setting);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The next base that is gathered like the form as it stands.
    pub(super) fn next_stratum(&mut self) -> bool {
        let Some(stratum) = self.strata.pop_front() else { return false };
        self.notes.push(format!("records that come with {} alone: gathered as well", says(&stratum)));
        self.fixed = stratum;
        self.accounted.clear();
        self.base = Sight::default();
        self.rounds = ROUNDS;
        self.changed.widened = self.changed.lifted.clone();
        self.marks.iter_mut().for_each(|mark| *mark = Mark::default());
        true
    }

    /// Controls that are not accounted for, in sentences.
    pub(super) fn reasons(&self) -> Vec<String> {
        const NAMED: usize = 12;
        let says = |(nth, why): (&usize, &&str)| {
            let control = &self.controls[*nth];
            format!("the {} {} was not varied{why}", control.word, short(&control.title))
        };
        let mut unknown = self.unknown.clone();
        unknown.extend(self.answers.unanswered.iter().map(|nth| (*nth, ": there was no answer")));
        let mut said: Vec<String> = unknown.iter().map(says).take(NAMED).collect();
        if unknown.len() > NAMED {
            said.push(format!("{} more controls were not varied", unknown.len() - NAMED));
        }
        said
    }

    /// Controls whose values have not all been tried, in sentences.
    pub(super) fn samples(&self) -> Vec<String> {
        let is_sampled = |control: &&Control| control.choices.len() > FEW && !control.every;
        let names: Vec<&str> = self.controls.iter().filter(is_sampled).map(|control| control.title.as_str()).collect();
        names.into_iter().map(short).collect()
    }
}

/// Could a program have stopped counting there?
fn is_round(total: u64) -> bool {
    total >= 50 && (total.is_multiple_of(50) || total.is_power_of_two() || (total + 1).is_multiple_of(100))
}

fn is_asked(setting: &Setting, after: &After<'_>) -> bool {
    matches!(&setting[..], [(name, value)] if (after.asked)(name, value))
}
