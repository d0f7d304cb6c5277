//! The steps of a focused crawl on their way into `focus.db`.
//!
//! A crawl that goes on comes to the same steps again: those that are there already are passed over, and from the first that came
//! out otherwise on they are written anew.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use groma_model::PageId;
use groma_settings::clock::now;
use groma_store::StoreError;
use groma_store::focuses::{FocusId, Focuses, StepRow};
use groma_strategy::focus::FocusVisit;

use super::line::Line;

/// Steps that wait to be written at most, and for how long at most.
const WAITING: usize = 256;
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes the steps of a focused crawl to the store, several at a time.
pub(super) struct Trail {
    focuses: Focuses,
    id: FocusId,
    /// The steps that are kept: page and score, in their order.
    kept: Vec<(PageId, f64)>,
    /// Steps that were taken in, fetched or not.
    seen: usize,
    /// Of those that were fetched: the URL by page, for children.
    addresses: HashMap<PageId, String>,
    pub(super) fetched: u32,
    pub(super) read: u32,
    pub(super) relevant: u32,
    waiting: Vec<StepRow>,
    since: Instant,
}

impl Trail {
    /// Goes on with a crawl.
    pub(super) fn open(mut focuses: Focuses, id: FocusId) -> Result<Trail, StoreError> {
        let kept = focuses.steps(id, 0, usize::MAX >> 1, false)?;
        let kept = kept.into_iter().map(|step| (step.page, step.score)).collect();
        let (addresses, waiting) = (HashMap::new(), Vec::new());
        Ok(Trail {
            focuses,
            id,
            kept,
            seen: 0,
            addresses,
            fetched: 0,
            read: 0,
            relevant: 0,
            waiting,
            since: Instant::now(),
        })
    }

    /// Takes in the steps so far: those that are new since the last time are given to `tell`.
    pub(super) fn take(&mut self, steps: &[FocusVisit], tell: &mut dyn FnMut(&Line)) -> Result<(), StoreError> {
        if steps.len() < self.seen {
            // The crawl began anew: pages were found to be other names of others.
            (self.seen, self.fetched, self.read, self.relevant) = (0, 0, 0, 0);
            self.write()?;
        }
        for step in &steps[self.seen..] {
            self.seen += 1;
            if step.fetched {
                self.add(step, tell);
            }
        }
        if self.waiting.len() >= WAITING || self.since.elapsed() >= PATIENCE {
            self.write()?;
        }
        Ok(())
    }

    fn add(&mut self, step: &FocusVisit, tell: &mut dyn FnMut(&Line)) {
        let order = self.fetched;
        self.fetched += 1;
        self.read += u32::from(step.relevance.is_some());
        self.relevant += u32::from(step.is_relevant());
        self.addresses.insert(step.page, step.address.clone());
        let parent = step.parent.and_then(|parent| self.addresses.get(&parent)).cloned();
        let line = Line::from_visit(self.fetched, step, parent);
        tell(&line);
        let place = order as usize;
        if self.kept.get(place) == Some(&(step.page, line.r)) {
            return;
        }
        self.kept.truncate(place);
        self.kept.push((step.page, line.r));
        self.waiting.push(StepRow {
            order,
            page: step.page,
            address: line.url.clone(),
            score: line.r,
            relevant: line.relevant,
            found: self.relevant,
            said: serde_json::to_string(&line).unwrap_or_default(),
        });
    }

    /// Steps that were taken in.
    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    /// Writes the steps that wait.
    pub(super) fn write(&mut self) -> Result<(), StoreError> {
        self.since = Instant::now();
        let waiting = std::mem::take(&mut self.waiting);
        if !waiting.is_empty() && !self.focuses.add_steps(self.id, &waiting, now())? {
            return Err(StoreError::Damaged(format!("the steps of focused crawl {}", self.id.0)));
        }
        Ok(())
    }

    /// Writes all, and why it ended; nothing if it was interrupted.
    pub(super) fn end(&mut self, why: Option<&str>) -> Result<(), StoreError> {
        self.write()?;
        if let Some(why) = why {
            self.focuses.end(self.id, why, now())?;
        }
        Ok(())
    }
}
