//! The outcomes of a run as tables: by kind of feature, the false certificates, and why what could be proved was not.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::drawn::design::FIRST_WORDS_SEED;
use crate::exam::Outcome;

/// Outcomes that can be shown.
pub struct Tables<'o> {
    outcomes: &'o [Outcome],
}

/// Seeds that are shown as examples.
const EXAMPLES: usize = 4;

impl<'o> Tables<'o> {
    /// Tables of some outcomes.
    pub fn new(outcomes: &'o [Outcome]) -> Tables<'o> {
        Tables { outcomes }
    }

    /// All tables and lists.
    pub fn all(&self) -> String {
        let (wrong, unproved) = (self.false_certificates(), self.unproved());
        let least = self.beside_the_least();
        format!(
            "{}\n{least}\nFalse certificates: {}\n{wrong}\n{unproved}\n{}",
            self.by_feature(),
            self.wrong(),
            self.oddities()
        )
    }

    /// Those with everything drawn.
    fn drawn(&self) -> Vec<&'o Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.seed % 1_000_000 < FIRST_WORDS_SEED).collect()
    }

    fn for_words(&self) -> Vec<&'o Outcome> {
        self.outcomes.iter().filter(|outcome| outcome.seed % 1_000_000 >= FIRST_WORDS_SEED).collect()
    }

    /// The table by kind of feature, as Markdown.
    pub fn by_feature(&self) -> String {
        let mut out = String::from(
            "| feature | | sites | certified | **false** | proof exists | certified of these | found, median % | cost n/p, median | p90 | \
             intervals | truth inside | requests |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        );
        let drawn = self.drawn();
        row(&mut out, "all", "", &drawn);
        row(&mut out, "word search, K=50", "", &self.for_words());
        let mut groups: BTreeMap<(&str, &str), Vec<&Outcome>> = BTreeMap::new();
        for outcome in drawn {
            for (kind, name) in &outcome.features {
                groups.entry((kind, name)).or_default().push(outcome);
            }
        }
        for ((kind, name), outcomes) in groups {
            row(&mut out, kind, name, &outcomes);
        }
        out
    }

    /// What certificates cost beside the cheapest proof there is, by how many pages hold the records.
    pub fn beside_the_least(&self) -> String {
        let mut out = String::from(
            "| pages of records | certified where a proof exists | paid, n/p, median | p90 | the cheapest proof, n/p, median | p90 | \
             paid beside the cheapest, median | p90 |\n|---|---|---|---|---|---|---|---|\n",
        );
        let drawn = self.drawn();
        for (name, from, to) in
            [("all", 0, u64::MAX), ("to 9", 0, 10), ("10 to 99", 10, 100), ("100 on", 100, u64::MAX)]
        {
            let is_of = |outcome: &&&Outcome| {
                let pages = outcome.reachable.div_ceil(outcome.page.max(1));
                outcome.certified && outcome.is_provable() && (from..to).contains(&pages)
            };
            let some: Vec<&&Outcome> = drawn.iter().filter(is_of).collect();
            let two = |of: &dyn Fn(&Outcome) -> Option<f64>| {
                let values: Vec<f64> = some.iter().filter_map(|outcome| of(outcome)).collect();
                format!("{} | {}", figure(&values, 0.5), figure(&values, 0.9))
            };
            let paid = two(&|outcome| Some(outcome.cost()));
            let (least, beside) = (two(&Outcome::least_cost), two(&Outcome::beside_least));
            let _ = writeln!(out, "| {name} | {} | {paid} | {least} | {beside} |", some.len());
        }
        out
    }

    /// The false certificates, a line each.
    pub fn false_certificates(&self) -> String {
        let wrong = self.outcomes.iter().filter(|outcome| outcome.is_false());
        wrong.fold(String::new(), |mut out, outcome| {
            let features: Vec<&str> = outcome.features.iter().map(|(_, name)| name.as_str()).collect();
            let (seed, found, all) = (outcome.seed, outcome.found, outcome.reachable);
            let _ = writeln!(out, "- seed {seed}: certified {found} of {all} ({})", features.join("; "));
            out
        })
    }

    /// Why sites were not certified though a proof exists: each reason, how often, and seeds.
    pub fn unproved(&self) -> String {
        let mut reasons: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for outcome in self.drawn().into_iter().filter(|outcome| outcome.is_provable() && !outcome.certified) {
            let mut said = outcome.reasons.clone();
            said.extend(outcome.fault.clone());
            if outcome.spent {
                said.push("(the budget of the examination was spent)".to_owned());
            }
            if said.is_empty() {
                said.push("(nothing was said)".to_owned());
            }
            said.sort();
            reasons.entry(said.join("; ")).or_default().push(outcome.seed);
        }
        let mut sorted: Vec<(String, Vec<u64>)> = reasons.into_iter().collect();
        sorted.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
        let mut out = String::from("| why not certified where a proof exists | sites | seeds |\n|---|---|---|\n");
        for (reason, seeds) in sorted {
            let some: Vec<String> = seeds.iter().take(EXAMPLES).map(u64::to_string).collect();
            let _ = writeln!(out, "| {reason} | {} | {} |", seeds.len(), some.join(" "));
        }
        out
    }

    /// What is odd beyond the figures: breaks, budgets, records that are none, records that came twice, time.
    pub fn oddities(&self) -> String {
        let mut out = String::new();
        let mut say = |what: &str, which: Vec<&Outcome>| {
            if !which.is_empty() {
                let seeds: Vec<String> = which.iter().take(EXAMPLES).map(|outcome| outcome.seed.to_string()).collect();
                let _ = writeln!(out, "- {what}: {} sites ({})", which.len(), seeds.join(" "));
            }
        };
        let of = |holds: &dyn Fn(&Outcome) -> bool| self.outcomes.iter().filter(|outcome| holds(outcome)).collect();
        say("the strategy broke", of(&|outcome| outcome.broke));
        say("it came to nothing", of(&|outcome| outcome.fault.is_some() && !outcome.broke));
        say("the budget was spent", of(&|outcome| outcome.spent && outcome.seed % 1_000_000 < FIRST_WORDS_SEED));
        say("nothing was found", of(&|outcome| outcome.found == 0 && outcome.reachable > 0));
        say("records that are none", of(&|outcome| outcome.strangers > 0));
        say("records under two sets of values", of(&|outcome| outcome.doubled > 0));
        let slow = self.outcomes.iter().max_by_key(|outcome| outcome.took);
        if let Some(slow) = slow {
            let _ = writeln!(out, "- the slowest: seed {}, {:.1} s", slow.seed, slow.took.as_secs_f64());
        }
        out
    }

    /// Certificates that are false.
    pub fn wrong(&self) -> u64 {
        self.outcomes.iter().filter(|outcome| outcome.is_false()).count() as u64
    }

    /// Certified where a proof exists, of 1; nothing without such a site.
    pub fn proved(&self) -> Option<f64> {
        let provable = self.drawn().into_iter().filter(|outcome| outcome.is_provable());
        share(provable.map(|outcome| outcome.certified))
    }

    /// Intervals that hold the truth, of 1; nothing without an interval.
    pub fn inside(&self) -> Option<f64> {
        share(self.outcomes.iter().filter_map(Outcome::is_inside))
    }

    /// The median and the ninth decile of what certificates cost.
    pub fn cost(&self) -> Option<(f64, f64)> {
        let certified = self.drawn().into_iter().filter(|outcome| outcome.certified);
        let costs: Vec<f64> = certified.map(Outcome::cost).collect();
        Some((quantile(&costs, 0.5)?, quantile(&costs, 0.9)?))
    }

    /// The median share that the search by words found.
    pub fn words_found(&self) -> Option<f64> {
        quantile(&self.for_words().into_iter().map(Outcome::share).collect::<Vec<_>>(), 0.5)
    }
}

fn row(out: &mut String, kind: &str, name: &str, outcomes: &[&Outcome]) {
    let count = |holds: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| holds(outcome)).count();
    let shares: Vec<f64> = outcomes.iter().map(|outcome| outcome.share() * 100.0).collect();
    let costs: Vec<f64> = outcomes.iter().filter(|outcome| outcome.certified).map(|outcome| outcome.cost()).collect();
    let wrong = match count(&Outcome::is_false) {
        0 => "0".to_owned(),
        some => format!("**{some}**"),
    };
    let _ = writeln!(
        out,
        "| {kind} | {name} | {} | {} | {wrong} | {} | {} | {} | {} | {} | {} | {} | {} |",
        outcomes.len(),
        count(&|outcome| outcome.certified),
        count(&Outcome::is_provable),
        count(&|outcome| outcome.is_provable() && outcome.certified),
        figure(&shares, 0.5),
        figure(&costs, 0.5),
        figure(&costs, 0.9),
        count(&|outcome| outcome.interval.is_some()),
        count(&|outcome| outcome.is_inside() == Some(true)),
        outcomes.iter().map(|outcome| outcome.requests).sum::<u64>(),
    );
}

fn figure(values: &[f64], at: f64) -> String {
    quantile(values, at).map_or("–".to_owned(), |value| format!("{value:.1}"))
}

fn share(holds: impl Iterator<Item = bool>) -> Option<f64> {
    let all: Vec<bool> = holds.collect();
    (!all.is_empty()).then(|| all.iter().filter(|holds| **holds).count() as f64 / all.len() as f64)
}

/// The value below which so much of all lies (nearest rank).
fn quantile(values: &[f64], at: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get(((last as f64) * at).round() as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_the_values() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0], 0.9), Some(10.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
