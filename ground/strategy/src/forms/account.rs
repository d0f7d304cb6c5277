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
//! asked is tried, and what was tried before is compared with the records that are known by then.
//! In another dress (another language, a shorter view): as many in all, and 4 of 5 records show a value, or lead to a page, that one known
//! record shows alone.
//!
//! Assumes: of many values the others behave like those that were tried; the first page of an answer with an exact total stands for the
//! rest of it; three controls that bring records only together are not looked for. Cost: a request for each setting tried.
//! Source: spec of certificates (every control is accounted for).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::controls::{Control, FEW, Setting, Trial, short};

/// Questions that are gathered like the form as it stands.
const STRATA: usize = 64;
/// Rounds in which controls are set to their widest values.
const ROUNDS: u8 = 4;
/// Different values by which records are told in another dress.
const FACES: usize = 4_000_000;

/// What an answer shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Sight {
    /// Its records, in order, each with what it may be known by in another dress.
    pub(super) rows: Vec<(u128, Vec<u64>)>,
    /// An exact total.
    pub(super) said: Option<u64>,
    /// All of it was read, and nothing says that it is cut.
    pub(super) whole: bool,
}

/// What is known of a control before the questions.
#[derive(Clone, Debug, Default)]
struct Mark {
    /// All that was tried has the same total.
    is_neutral: bool,
    /// Something that was tried has a smaller total.
    narrows: bool,
    /// What was tried, and what it showed.
    tried: Vec<(Setting, Sight)>,
}

/// Records that are known, and how they can be told in another dress.
#[derive(Debug, Default)]
pub(super) struct Known {
    keys: HashSet<u128>,
    /// Values and links: how many records show them, 2 standing for more.
    faces: HashMap<u64, u8>,
}

impl Known {
    /// True if it was not known.
    pub(super) fn insert(&mut self, key: u128, faces: &[u64]) -> bool {
        let is_new = self.keys.insert(key);
        if is_new && self.faces.len() < FACES {
            for face in faces {
                let count = self.faces.entry(*face).or_insert(0);
                *count = count.saturating_add(1).min(2);
            }
        }
        is_new
    }

    pub(super) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    pub(super) fn has_all(&self, sight: &Sight) -> bool {
        sight.rows.iter().all(|(key, _)| self.keys.contains(key))
    }

    /// Are these known records in another dress?
    fn are_dressed(&self, sight: &Sight) -> bool {
        let is_known = |(key, faces): &&(u128, Vec<u64>)| {
            self.keys.contains(key) || faces.iter().any(|face| self.faces.get(face) == Some(&1))
        };
        !sight.rows.is_empty() && sight.rows.iter().filter(is_known).count() * 5 >= sight.rows.len() * 4
    }
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
    rounds: u8,
    /// Controls that were set wider: their other values are tried all the same.
    widened: BTreeSet<usize>,
    /// Bases that are still to be gathered, and all that ever were.
    strata: VecDeque<Setting>,
    all_strata: BTreeSet<Setting>,
    /// The cover of this base is proved: all its records are known, and totals count.
    pub(super) is_proved: bool,
    pub(super) counts: bool,
    /// Controls that are not accounted for, and why.
    unknown: BTreeMap<usize, &'static str>,
    /// Texts for which a word was answered, and those for which none was so far.
    answered: BTreeSet<usize>,
    unanswered: BTreeSet<usize>,
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
            rounds: 0,
            widened: BTreeSet::new(),
            strata: VecDeque::new(),
            all_strata: BTreeSet::from([Vec::new()]),
            is_proved: false,
            counts: false,
            answered: BTreeSet::new(),
            unanswered: BTreeSet::new(),
            notes: Vec::new(),
        }
    }

    fn is_fixed(&self, control: usize) -> bool {
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
                // One tells whether it chooses at all; a second, where the first did not.
                Trial::Choice { plain: true } if tried.iter().any(|(_, sight)| sight.said != Some(total)) => 0,
                Trial::Choice { plain: true } => 2_usize.saturating_sub(tried.len()).min(1),
                Trial::Choice { plain: false } | Trial::Boxes | Trial::Preset | Trial::Ends => usize::MAX,
                Trial::Empty | Trial::Never => 0,
            };
            trials.extend(control.settings.iter().filter(is_new).take(most).map(|setting| (nth, setting.clone())));
        }
        trials
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
            if self.is_fixed(nth) || self.marks[nth].tried.is_empty() {
                continue;
            }
            let (control, mark) = (&self.controls[nth], &mut self.marks[nth]);
            let totals: Vec<Option<u64>> = mark.tried.iter().map(|(_, sight)| sight.said).collect();
            let same = totals.iter().all(|said| *said == Some(total));
            mark.narrows = totals.iter().flatten().any(|said| *said < total);
            mark.is_neutral = same && (totals.len() > 1 || control.settings.len() == 1);
            let widest = mark.tried.iter().max_by_key(|(_, sight)| sight.said);
            let Some((setting, sight)) = widest else { continue };
            let most = sight.said.unwrap_or(0);
            if most > total && self.rounds < ROUNDS && is_superset(control, &totals, total, most) {
                wider.extend(setting.clone());
                self.widened.insert(nth);
                self.notes.push(format!(
                    "the {} {} brings {most} records instead of {total}: it is set so",
                    control.word,
                    short(&control.title)
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
            let begins = self.base.rows.iter().zip(&sight.rows).all(|((one, _), (other, _))| one == other);
            if begins && sight.rows.len() >= self.base.rows.len() && sight.said == self.base.said {
                self.fixed.extend(setting.clone());
                self.marks[nth].is_neutral = true;
            }
        }
    }

    /// What is tried after the questions of a base: what no question has asked. `asked`: values that questions have sent; `words`: what
    /// records show, for a text; `most`: so many trials of what stands at "any".
    pub(super) fn late(
        &mut self,
        asked: &dyn Fn(&str, &str) -> bool,
        free: &dyn Fn(&Control) -> bool,
        words: &dyn Fn(&Control) -> Vec<String>,
        known: &Known,
        most: usize,
    ) -> Vec<TrialOf> {
        let (mut trials, mut others) = (Vec::new(), Vec::new());
        for nth in 0..self.controls.len() {
            if (self.is_fixed(nth) && !self.widened.contains(&nth)) || !free(&self.controls[nth]) {
                continue;
            }
            for (setting, sight) in std::mem::take(&mut self.marks[nth].tried) {
                // The records of what a question has asked are known.
                if matches!(&setting[..], [(name, value)] if asked(name, value)) {
                    continue;
                }
                self.take_late((nth, setting), &sight, known);
            }
            let (control, mark) = (&self.controls[nth], &self.marks[nth]);
            if mark.is_neutral && (self.counts || self.sizes.iter().any(|(name, _)| *name == control.name)) {
                continue;
            }
            let settings = match control.trial {
                Trial::Empty => {
                    let words = words(control).into_iter();
                    words.map(|word| vec![(control.name.clone(), word)]).collect()
                }
                _ => control.settings.clone(),
            };
            let left = settings.into_iter().filter(|setting| match &setting[..] {
                [(name, value)] => !asked(name, value),
                _ => true,
            });
            match control.trial {
                Trial::Choice { plain: true } => {
                    others.extend(left.enumerate().map(|(rank, setting)| (rank, (nth, setting))));
                }
                _ => trials.extend(left.map(|setting| (nth, setting))),
            }
        }
        // Of lists that stand at "any" the ends first, all lists in turn, as far as the size of the database allows.
        others.sort_by_key(|(rank, _)| *rank);
        let room = most.saturating_sub(trials.len());
        trials.extend(others.into_iter().take(room).map(|(_, trial)| trial));
        trials.retain(|(_, setting)| !self.all_strata.contains(&self.with(setting)));
        trials
    }

    /// What a trial after the questions has shown.
    pub(super) fn take_late(&mut self, (nth, setting): TrialOf, sight: &Sight, known: &Known) {
        self.answered.insert(nth);
        self.unanswered.remove(&nth);
        match self.verdict(sight, known) {
            Verdict::Accounted => {}
            Verdict::Unknown => {
                self.unknown.entry(nth).or_insert(": nothing tells whether it brings other records");
            }
            Verdict::Other => {
                let stratum = self.with(&setting);
                if self.all_strata.len() >= STRATA {
                    self.unknown.entry(nth).or_insert(" to its end: it brings other records time and again");
                } else if self.all_strata.insert(stratum.clone()) {
                    self.strata.push_back(stratum);
                }
            }
        }
    }

    /// No answer came to a trial. Of several words for a text one is enough: many forms say nothing where nothing is found.
    pub(super) fn fail(&mut self, nth: usize) {
        if self.controls[nth].trial == Trial::Empty {
            if !self.answered.contains(&nth) {
                self.unanswered.insert(nth);
            }
            return;
        }
        self.unknown.entry(nth).or_insert(": there was no answer");
    }

    fn with(&self, setting: &Setting) -> Setting {
        let mut all = overlay(self.fixed.clone(), setting);
        all.sort_unstable();
        all.dedup();
        all
    }

    fn verdict(&self, sight: &Sight, known: &Known) -> Verdict {
        let totals = self.base.said.zip(sight.said).filter(|_| self.counts || !self.is_proved);
        // As long as not all of the base is known, only a total tells.
        if !self.is_proved {
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
        let as_many = match self.base.said.zip(sight.said) {
            Some((all, said)) => all == said,
            None => sight.whole && self.base.whole && sight.rows.len() == self.base.rows.len(),
        };
        if as_many && known.are_dressed(sight) { Verdict::Accounted } else { Verdict::Other }
    }

    /// The next base that is gathered like the form as it stands.
    pub(super) fn next_stratum(&mut self) -> bool {
        let Some(stratum) = self.strata.pop_front() else { return false };
        let says: Vec<String> =
            stratum.iter().map(|(name, value)| format!("{} = {}", short(name), short(value))).collect();
        self.notes.push(format!("records that come with {} alone: gathered as well", says.join(", ")));
        self.fixed = stratum;
        self.base = Sight::default();
        self.rounds = ROUNDS;
        self.widened.clear();
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
        unknown.extend(self.unanswered.iter().map(|nth| (*nth, ": there was no answer")));
        let mut said: Vec<String> = unknown.iter().map(says).take(NAMED).collect();
        if unknown.len() > NAMED {
            said.push(format!("{} more controls were not varied", unknown.len() - NAMED));
        }
        said
    }

    /// Controls whose values have not all been tried, in sentences.
    pub(super) fn samples(&self) -> Vec<String> {
        let is_sampled = |control: &&Control| control.values > FEW && matches!(control.trial, Trial::Choice { .. });
        let names: Vec<&str> = self.controls.iter().filter(is_sampled).map(|control| control.title.as_str()).collect();
        names.into_iter().map(short).collect()
    }
}

/// What is filled in, with the fields of a setting as that has them.
pub(super) fn overlay(filled: Setting, setting: &Setting) -> Setting {
    let is_own = |name: &String| setting.iter().any(|(own, _)| own == name);
    filled.into_iter().filter(|(name, _)| !is_own(name)).chain(setting.iter().cloned()).collect()
}

/// Does the widest value stand for the others? Of a list from which one must be chosen, only if it brings more than they do together.
fn is_superset(control: &Control, totals: &[Option<u64>], base: u64, most: u64) -> bool {
    if control.trial != (Trial::Choice { plain: false }) {
        return true;
    }
    let others: u64 = totals.iter().flatten().fold(base, |sum, said| sum.saturating_add(*said)).saturating_sub(most);
    control.values == 1 || most.saturating_mul(10) >= others.saturating_mul(9)
}
