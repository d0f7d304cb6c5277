//! Answers that are not kept yet, and names that nobody believes yet.

use std::time::{Duration, Instant};

use groma_store::StoreError;
use groma_store::outside::{Outside, OutsideAnswer, OutsideRobots};

/// Answers that are kept together.
const BATCH: usize = 256;
/// None waits longer to be kept.
const LONGEST: Duration = Duration::from_secs(1);

/// What has come since answers were kept last.
pub(super) struct Fresh {
    answers: Vec<OutsideAnswer>,
    robots: Vec<(String, OutsideRobots)>,
    /// Names that do not exist, as a resolver says of which nobody knows yet whether it knows any.
    nameless: Vec<OutsideAnswer>,
    /// A name was looked up and found.
    pub(super) resolves: bool,
    kept: Instant,
}

impl Fresh {
    pub(super) fn new() -> Fresh {
        Fresh { answers: Vec::new(), robots: Vec::new(), nameless: Vec::new(), resolves: false, kept: Instant::now() }
    }

    /// Takes an answer; one that says there is no such name waits until some name was found.
    pub(super) fn add(&mut self, answer: OutsideAnswer, is_nameless: bool) {
        if is_nameless && !self.resolves { self.nameless.push(answer) } else { self.answers.push(answer) }
    }

    pub(super) fn add_robots(&mut self, origin: String, robots: OutsideRobots) {
        self.robots.push((origin, robots));
    }

    /// What a host's robots.txt said, kept or not.
    pub(super) fn robots(&self, keeper: &mut Outside, origin: &str) -> Result<Option<OutsideRobots>, StoreError> {
        match self.robots.iter().find(|(known, _)| known == origin) {
            Some((_, robots)) => Ok(Some(robots.clone())),
            None => keeper.robots(origin),
        }
    }

    /// Is it time to keep them?
    pub(super) fn is_due(&self) -> bool {
        self.answers.len() >= BATCH || self.kept.elapsed() >= LONGEST
    }

    /// Answers that nobody believes, since no name was ever found.
    pub(super) fn unbelieved(&self) -> u64 {
        if self.resolves { 0 } else { self.nameless.len() as u64 }
    }

    /// Keeps what has come: a kill costs at most what came since.
    pub(super) fn keep(&mut self, keeper: &mut Outside) -> Result<(), StoreError> {
        self.kept = Instant::now();
        if self.resolves {
            self.answers.append(&mut self.nameless);
        }
        if !self.robots.is_empty() {
            keeper.keep_robots(&std::mem::take(&mut self.robots))?;
        }
        if !self.answers.is_empty() {
            keeper.keep(&std::mem::take(&mut self.answers))?;
        }
        Ok(())
    }
}
