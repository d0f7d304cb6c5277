//! Does a proof exist that everything was seen, if one asks this site the right questions? And how many pages does the cheapest take?
//!
//! ```text
//! proof(site)   stable lists, no hidden element that narrows, an empty question allowed, exact totals, and for every root question
//!               whole(its records)
//! roots         every choice of each select or radio group without "any"; all widening controls at their widest; else nothing set
//! whole(R)      |R| <= K, or R falls into parts by one control, each smaller than R, and every part is whole
//! parts         by the choices of a list of one value (every record of R has one, and each is offered), by a range (every record of
//!               R has a value; down to single values), or by the next letter of a field that compares beginnings (every record of R
//!               has another letter there)
//! exact totals  of each root: the number that is shown is the number of records, also where the list is cut
//! least(site)   the sum over roots of [|R| > K] + least(R), and a page for each list or box that nothing was split by: that it hides
//!               nothing takes a question, too
//! least(R)      |R| / page where |R| <= K, else the least sum of least(part) over the ways to split; what is split again is not asked
//! ```
//!
//! `least` is what somebody pays who knows the records beforehand and asks only for parts that have some: nobody who does not know them
//! gets by with it. Where there are more ways to split than can be tried, |R| / page counts for the rest, so it is never too much.
//!
//! So the sum of the parts' totals equals the total of what they are parts of, which leaves no room for a record that was not seen.
//! Where totals are rounded, capped, missing, or those of cut lists, no list of the generated kind proves that it was not cut in
//! silence, and no sum that no record lacks a value: then there is no proof, and none is asked for. Also left out, though a proof
//! may exist: boxes and selects of columns with several values, sliders, and fields for words, as ways to split.

use std::collections::BTreeMap;

use crate::drawn::control::{Asks, Choices, Control};
use crate::drawn::design::Design;
use crate::drawn::habits::Totals;
use crate::drawn::rows::Role;
use crate::drawn::text::By;
use crate::table::Cell;

/// Records, by their places.
type Records = Vec<usize>;

/// A site that is looked at.
struct Proof<'d> {
    design: &'d Design,
}

/// Sets of records that are split to find the cheapest proof, at most.
const TRIES: u32 = 20_000;

/// The pages of the cheapest proof, as above; nothing where there is none.
pub(crate) fn least(design: &Design) -> Option<u64> {
    let proof = Proof { design };
    proof.exists().then(|| proof.least())
}

impl Proof<'_> {
    fn exists(&self) -> bool {
        let habits = &self.design.habits;
        let fixed = self.design.controls.iter().any(|control| matches!(control.asks, Asks::Fixed(_)));
        let never_widest =
            self.design.controls.iter().any(|control| matches!(control.asks, Asks::Slider { free: false, .. }));
        let never_lifted = self
            .design
            .controls
            .iter()
            .any(|control| matches!(control.asks, Asks::Trap(trap) if !trap.can_be_lifted()));
        if habits.unstable || fixed || never_lifted || never_widest || habits.refuse_empty || !self.has_narrowing() {
            return false;
        }
        let all: Records = (0..self.design.rows.cells.len()).collect();
        self.roots(all, 0).iter().all(|root| self.shows_exactly(root.len()) && self.is_whole(root, ""))
    }

    fn least(&self) -> u64 {
        let most = self.design.habits.cut.most();
        let roots = self.roots((0..self.design.rows.cells.len()).collect(), 0);
        let (mut pages, mut is_split, mut tries) = (0, false, TRIES);
        for root in &roots {
            let is_cut = root.len() > most;
            pages += u64::from(is_cut) + self.least_of(root, "", u64::MAX, &mut tries);
            is_split |= is_cut;
        }
        let hides = |control: &&Control| match &control.asks {
            Asks::Text(_) => false,
            Asks::Select(_) | Asks::Radio(_) | Asks::Multi { .. } | Asks::Range { .. } => {
                !is_split && !control.is_forced()
            }
            _ => true,
        };
        pages + self.design.controls.iter().filter(hides).count() as u64
    }

    /// At most `bound`, if it is not less.
    fn least_of(&self, records: &[usize], begun: &str, bound: u64, tries: &mut u32) -> u64 {
        let fewest = |records: &[usize]| records.len().div_ceil(self.design.habits.page).max(1) as u64;
        let spent = tries.checked_sub(1);
        *tries = spent.unwrap_or_default();
        if records.len() <= self.design.habits.cut.most() || spent.is_none() {
            return fewest(records).min(bound);
        }
        let sum = |parts: &[Records]| parts.iter().map(|part| fewest(part)).sum::<u64>();
        let splits = self.design.controls.iter().filter_map(|control| self.parts(control, records, begun));
        let mut splits: Vec<(Vec<Records>, bool)> =
            splits.filter(|(parts, _)| parts.iter().all(|part| part.len() < records.len())).collect();
        if splits.is_empty() {
            return fewest(records).min(bound);
        }
        splits.sort_by_cached_key(|(parts, _)| sum(parts));
        let mut best = bound;
        for (parts, letters) in &splits {
            let mut least = sum(parts);
            for part in parts {
                if least >= best {
                    break;
                }
                let begun = if *letters { self.longer(part, begun, records) } else { begun.to_owned() };
                let others = least - fewest(part);
                least = others + self.least_of(part, &begun, best - others, tries);
            }
            best = best.min(least);
        }
        best
    }

    /// Totals are earned by lists of two sizes.
    fn has_narrowing(&self) -> bool {
        self.design
            .controls
            .iter()
            .any(|control| !control.is_neutral() && !matches!(control.asks, Asks::Widen | Asks::Trap(_)))
    }

    fn shows_exactly(&self, records: usize) -> bool {
        match self.design.habits.totals {
            Totals::Exact => true,
            Totals::MoreThan(most) | Totals::Capped(most) => records < most && records <= self.design.habits.cut.most(),
            Totals::About | Totals::AtLeast | Totals::Shown | Totals::None => false,
        }
    }

    /// The records of each question that sets only what must be set.
    fn roots(&self, records: Records, from: usize) -> Vec<Records> {
        let mut forced = self.design.controls.iter().enumerate().skip(from).filter(|(_, control)| control.is_forced());
        let Some((nth, control)) = forced.next() else { return vec![records] };
        let parts = self.parts_by_value(control.column, &records);
        let offered = |value: &String| list_of(control).is_none_or(|choices| offers(choices, value));
        let kept = parts.into_iter().filter(|(value, _)| offered(value)).map(|(_, part)| part);
        kept.flat_map(|part| self.roots(part, nth + 1)).collect()
    }

    /// By value; records without one are under the empty value.
    fn parts_by_value(&self, column: usize, records: &[usize]) -> BTreeMap<String, Records> {
        let mut parts: BTreeMap<String, Records> = BTreeMap::new();
        for record in records {
            parts.entry(self.design.rows.cells[*record][column].shown()).or_default().push(*record);
        }
        parts
    }

    fn is_whole(&self, records: &[usize], begun: &str) -> bool {
        if records.len() <= self.design.habits.cut.most() {
            return true;
        }
        let splits = self.design.controls.iter().filter_map(|control| self.parts(control, records, begun));
        let mut smaller = splits.filter(|(parts, _)| parts.iter().all(|part| part.len() < records.len()));
        // Whatever way of splitting is open for a set is open for its parts: the first one does no harm.
        smaller.next().is_some_and(|(parts, letters)| {
            parts.iter().all(|part| {
                let begun = if letters { self.longer(part, begun, records) } else { begun.to_owned() };
                self.is_whole(part, &begun)
            })
        })
    }

    /// The parts by a control, and whether they are parts by a letter.
    fn parts(&self, control: &Control, records: &[usize], begun: &str) -> Option<(Vec<Records>, bool)> {
        let column = control.column;
        if self.design.rows.role(column) == Some(Role::Set) {
            return None;
        }
        match &control.asks {
            Asks::Text(matching) if matching.by == By::Prefix => {
                Some((self.parts_by_letter(column, matching.case, records, begun)?, true))
            }
            Asks::Select(_) | Asks::Radio(_) | Asks::Multi { .. } | Asks::Range { .. } => {
                let parts = self.parts_by_value(column, records);
                let known = |value: &String| match (&control.asks, list_of(control)) {
                    (Asks::Multi { choices }, _) => choices.iter().any(|choice| choice.shown == *value),
                    (_, Some(choices)) => offers(choices, value),
                    _ => !value.is_empty(),
                };
                parts.keys().all(known).then(|| (parts.into_values().collect(), false))
            }
            _ => None,
        }
    }

    fn parts_by_letter(&self, column: usize, case: bool, records: &[usize], begun: &str) -> Option<Vec<Records>> {
        let mut parts: BTreeMap<char, Records> = BTreeMap::new();
        for record in records {
            let Cell::Text(text) = &self.design.rows.cells[*record][column] else { return None };
            let text = if case { text.clone() } else { text.to_lowercase() };
            // Parts by a letter are parts of what begins alike; by two such fields at once nobody splits here.
            let next = text.strip_prefix(begun)?.chars().next()?;
            parts.entry(next).or_default().push(*record);
        }
        let all: Vec<Records> = parts.into_values().collect();
        // With one letter only, the beginning grows and the part does not shrink.
        if let [one] = all.as_slice() {
            let longer = self.longer(one, begun, records);
            return (longer.len() > begun.len()).then(|| self.parts_by_letter(column, case, records, &longer))?;
        }
        Some(all)
    }

    /// The longest beginning that the texts of a part have in common, if it is longer.
    fn longer(&self, part: &[usize], begun: &str, of: &[usize]) -> String {
        let prefix = self.design.controls.iter().find_map(|control| match control.asks {
            Asks::Text(matching) if matching.by == By::Prefix => Some((control.column, matching.case)),
            _ => None,
        });
        let Some((column, case)) = prefix.filter(|_| part.len() <= of.len()) else { return begun.to_owned() };
        let texts = part.iter().map(|record| self.design.rows.cells[*record][column].shown());
        let mut texts = texts.map(|text| if case { text } else { text.to_lowercase() });
        let first = texts.next().unwrap_or_default();
        let common = texts.fold(first.clone(), |common, text| {
            common.chars().zip(text.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
        });
        if common.len() > begun.len() { common } else { begun.to_owned() }
    }
}

fn list_of(control: &Control) -> Option<&Choices> {
    match &control.asks {
        Asks::Select(choices) | Asks::Radio(choices) => Some(choices),
        _ => None,
    }
}

fn offers(choices: &Choices, value: &str) -> bool {
    choices.all.iter().any(|choice| choice.shown == value) || (value.is_empty() && choices.without.is_some())
}
