//! The examination of gathering: sites drawn from seeds are asked over HTTP on loopback, and what is said about each is held against
//! the truth, which the asker never sees.
//!
//! ```text
//! site(seed)     everything drawn from the seed: controls, totals, cuts, pagers, tokens, markup, records (`drawn`)
//! asker          the strategy that `groma gather` runs, told the answers in the order in which it asked, one request at a time
//! found          records that came out and show the key of a record that the form can reach
//! false          certified, and a record that the form can reach did not come out
//! proof exists   as `drawn/proof.rs` has it: exact totals, stable lists, and parts that add up down to lists that are not cut
//! cost           pages of lists asked for, divided by the fewest that could hold what was found: found / records a page
//! cheapest       the pages that the cheapest proof takes (`drawn/proof.rs`), by somebody who knows the records; a certificate costs more
//! inside         an interval was stated, and the true share, found / reachable, lies in it
//! budget         40 n/p + 400 requests, or for the search by words 3 n/p + 200 pages of lists; then it is broken off
//! ```
//!
//! Seeds: site `i` of a run `S` has the seed `S * 1,000,000 + i`; from 900,000 on they are sites with one text field for whole words,
//! whose lists are cut after 50. `hold` keeps to a fifth of the sites (`i` modulo 5), so that what was tuned on four fifths can be
//! tried on the last. Cost: that of the requests; nobody sleeps. Not measured: robots.txt, pauses, requests under way at once,
//! and stores, which the engine adds around the same strategy.

mod client;
mod gathering;
mod outcome;
mod tables;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, bail};

use crate::drawn::design::FIRST_WORDS_SEED;
use crate::options::{Options, SiteKind};
use crate::site::Site;

pub use outcome::Outcome;
pub use tables::Tables;

/// Parts of a run that can be kept to.
const PARTS: u64 = 5;

/// A run over many sites.
#[derive(Clone, Copy, Debug)]
pub struct Exam {
    /// Sites with everything drawn.
    pub sites: u64,
    /// Sites for searching by words alone.
    pub words: u64,
    /// The number of the run, from which the seeds are made.
    pub seed: u64,
    /// The fifth of the sites to keep to.
    pub hold: Option<u64>,
    /// Sites examined at a time.
    pub threads: usize,
}

impl Exam {
    /// The seeds of all its sites.
    ///
    /// # Errors
    /// If the numbers are beyond what seeds are made for.
    pub fn seeds(&self) -> anyhow::Result<Vec<u64>> {
        if self.sites > FIRST_WORDS_SEED || self.words > 100_000 || self.hold.is_some_and(|part| part >= PARTS) {
            bail!("at most {FIRST_WORDS_SEED} sites, 100000 for words, and a part from 0 to {}", PARTS - 1);
        }
        let all = (0..self.sites).chain((0..self.words).map(|nth| FIRST_WORDS_SEED + nth));
        let kept = all.filter(|nth| self.hold.is_none_or(|part| nth % PARTS == part));
        Ok(kept.map(|nth| self.seed * 1_000_000 + nth).collect())
    }

    /// Examines all its sites; `heard` is told of each as it ends. The outcomes are in the order of the seeds.
    ///
    /// # Errors
    /// If a site cannot be served.
    pub fn run(&self, heard: &(dyn Fn(&Outcome) + Sync)) -> anyhow::Result<Vec<Outcome>> {
        let seeds = self.seeds()?;
        let next = AtomicU64::new(0);
        let done: Mutex<Vec<anyhow::Result<Outcome>>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    while let Some(seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                        let outcome = examine(*seed, false);
                        if let Ok(outcome) = &outcome {
                            heard(outcome);
                        }
                        done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(outcome);
                    }
                });
            }
        });
        let done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut outcomes = done.into_iter().collect::<anyhow::Result<Vec<Outcome>>>()?;
        outcomes.sort_by_key(|outcome| outcome.seed);
        Ok(outcomes)
    }
}

/// Examines one site; with `trace`, every request is kept in the outcome.
///
/// # Errors
/// If the site cannot be served.
pub fn examine(seed: u64, trace: bool) -> anyhow::Result<Outcome> {
    let site = Site::start(&Options { seed, ..Options::new(SiteKind::Drawn) })?;
    let drawn = site.drawn().context("a drawn site")?;
    let budget = gathering::Budget::for_design(&drawn.design, seed % 1_000_000 >= FIRST_WORDS_SEED);
    let gathered = gathering::gather(&site.form(), budget, &|| drawn.lists(), trace)?;
    Ok(outcome::judge(seed, drawn, gathered))
}
