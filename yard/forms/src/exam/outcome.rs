//! What is said about a site, held against the truth.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use groma_strategy::forms::Record;

use super::gathering::Gathered;
use crate::drawn::{DrawnSite, proof};
use crate::table::Cell;

/// What came of examining a site.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The seed of the site: it can be examined again alone.
    pub seed: u64,
    /// What was drawn: a kind of feature and the feature.
    pub features: Vec<(&'static str, String)>,
    /// Records that the form can reach.
    pub reachable: u64,
    /// How many of these came out.
    pub found: u64,
    /// Distinct records that came out and show the key of none.
    pub strangers: u64,
    /// Records that came out under more than one set of values.
    pub doubled: u64,
    /// Everything is said to be out.
    pub certified: bool,
    /// Pages that the cheapest proof takes; nothing where none exists.
    pub least: Option<u64>,
    /// Pages of lists asked for.
    pub lists: u64,
    /// Records a page, as long as nobody chooses otherwise.
    pub page: u64,
    /// Requests in all.
    pub requests: u64,
    /// The stated share of the whole: not less, not more; 0 to 1.
    pub interval: Option<(f64, f64)>,
    /// The budget was spent.
    pub spent: bool,
    /// Why there is no certificate, in its own words.
    pub reasons: Vec<String>,
    /// Notes of the gathering.
    pub notes: Vec<String>,
    /// Why it came to nothing, or what it said when it broke.
    pub fault: Option<String>,
    /// The strategy broke (a panic).
    pub broke: bool,
    /// How long it took.
    pub took: Duration,
    /// Every request, where that was wanted.
    pub trace: Vec<String>,
    /// Some reachable records that did not come out, as JSON.
    pub missing: Vec<String>,
}

/// Missing records that are kept.
const MISSING: usize = 3;

impl Outcome {
    /// All of it in lines, for people.
    pub fn told(&self) -> String {
        let mut lines = self.trace.clone();
        lines.extend(self.features.iter().map(|(kind, name)| format!("{kind}: {name}")));
        lines.push(format!(
            "seed {}: found {} of {} ({} strangers, {} twice); certified {}, proof exists {}; {} lists of {} a page (x {:.2}), {} requests; \
             {:.2} s",
            self.seed,
            self.found,
            self.reachable,
            self.strangers,
            self.doubled,
            self.certified,
            self.least.map_or("not".to_owned(), |pages| format!("of {pages} pages")),
            self.lists,
            self.page,
            self.cost(),
            self.requests,
            self.took.as_secs_f64(),
        ));
        lines.push(format!("interval {:?}, truth {:.3}; budget spent {}", self.interval, self.share(), self.spent));
        lines.extend(self.reasons.iter().map(|reason| format!("reason: {reason}")));
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines.extend(self.fault.iter().map(|fault| format!("fault: {fault}")));
        lines.extend(self.missing.iter().map(|record| format!("missing: {record}")));
        if self.is_false() {
            lines.push("FALSE CERTIFICATE".to_owned());
        }
        lines.join("\n") + "\n"
    }

    /// Certified, and not whole.
    pub fn is_false(&self) -> bool {
        self.certified && self.found < self.reachable
    }

    /// The true share of the whole.
    pub fn share(&self) -> f64 {
        if self.reachable == 0 { 1.0 } else { self.found as f64 / self.reachable as f64 }
    }

    /// Pages of lists asked for, divided by the fewest that could hold what was found.
    pub fn cost(&self) -> f64 {
        self.lists as f64 / (self.found as f64 / self.page as f64).ceil().max(1.0)
    }

    /// A proof would have been possible.
    pub fn is_provable(&self) -> bool {
        self.least.is_some()
    }

    /// Pages that the cheapest proof takes, divided by the fewest that could hold the records.
    pub fn least_cost(&self) -> Option<f64> {
        Some(self.least? as f64 / (self.reachable as f64 / self.page as f64).ceil().max(1.0))
    }

    /// Pages of lists asked for, divided by those of the cheapest proof.
    pub fn beside_least(&self) -> Option<f64> {
        Some(self.lists as f64 / self.least?.max(1) as f64)
    }

    /// The true share lies in the stated interval, if one was stated.
    pub fn is_inside(&self) -> Option<bool> {
        // What is shown has whole percents.
        let near = 0.005;
        self.interval.map(|(low, high)| (low - near..=high + near).contains(&self.share()))
    }
}

pub(super) fn judge(seed: u64, site: &DrawnSite, gathered: Gathered) -> Outcome {
    let design = &site.design;
    let truth = site.truth();
    let key = |id: usize| design.rows.cells[id].first().map(Cell::shown).unwrap_or_default();
    let by_key: HashMap<String, usize> = truth.iter().map(|row| (key(row.id), row.id)).collect();
    let (mut seen, mut strangers, mut doubled) = (BTreeSet::new(), 0, 0);
    for record in &gathered.records {
        match id_of(record, &by_key) {
            Some(id) => doubled += u64::from(!seen.insert(id)),
            None => strangers += 1,
        }
    }
    let reachable = truth.iter().filter(|row| row.reachable);
    let missing: Vec<String> = reachable
        .clone()
        .filter(|row| !seen.contains(&row.id))
        .take(MISSING)
        .map(|row| row.json().to_string())
        .collect();
    let found = reachable.clone().filter(|row| seen.contains(&row.id)).count() as u64;
    let closing = gathered.closing.as_ref();
    Outcome {
        seed,
        features: design.features(),
        reachable: reachable.count() as u64,
        found,
        strangers,
        doubled,
        certified: closing.is_some_and(|closing| closing.certified) && !gathered.spent,
        least: proof::least(design),
        lists: site.lists(),
        page: design.habits.page as u64,
        requests: gathered.requests,
        interval: closing.and_then(|closing| closing.share).map(|share| (share.low, share.high)),
        spent: gathered.spent,
        reasons: closing.map(|closing| closing.reasons.clone()).unwrap_or_default(),
        notes: closing.map(|closing| closing.notes.clone()).unwrap_or_default(),
        fault: gathered.broke.clone().or_else(|| closing.and_then(|closing| closing.fault.clone())),
        broke: gathered.broke.is_some(),
        took: gathered.took,
        trace: gathered.trace,
        missing,
    }
}

/// Which record it is: a value is its key, or holds it, or its link does.
fn id_of(record: &Record, by_key: &HashMap<String, usize>) -> Option<usize> {
    let whole = record.values.iter().find_map(|(_, value)| by_key.get(value.trim()));
    let words = || {
        let mut all = record.values.iter().flat_map(|(_, value)| value.split([' ', ',', ';', ':', '|', '"']));
        all.find_map(|word| by_key.get(word))
    };
    let linked = || by_key.get(record.link.as_deref()?.rsplit('/').next()?);
    let glued = || {
        let holds = |key: &String| record.values.iter().any(|(_, value)| value.contains(key.as_str()));
        by_key.iter().filter(|(key, _)| holds(key)).max_by_key(|(key, _)| key.len()).map(|(_, id)| id)
    };
    whole.or_else(words).or_else(linked).or_else(glued).copied()
}
