//! Whoever runs a task and looks on while it works: a terminal, or the row of a job.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_graph::{Going, Progress as Round};
use serde_json::{Value, json};

use crate::bounds;

/// How far a task is.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// Pages and links are read.
    Reading,
    /// Ranks are computed.
    Ranking,
    /// The map is drawn.
    Drawing {
        /// Pages on the map.
        pages: u32,
    },
    /// The site is checked.
    Checking,
    /// Links that lead out are asked whether they are there.
    Asking {
        /// Links that were asked.
        done: u64,
        /// Links there are.
        of: u64,
    },
    /// Pages are indexed.
    Indexing {
        /// Changes that were looked at.
        done: u64,
        /// Changes there are.
        of: u64,
    },
    /// Values are read out of pages.
    Extracting {
        /// URLs that were looked at.
        done: u64,
        /// URLs there are.
        of: u64,
    },
    /// A site is looked for, or clusters are made.
    Bounds(bounds::Progress),
    /// A graph engine elsewhere computes.
    Engine(&'a Round),
    /// The result is written.
    Writing,
}

impl Step<'_> {
    /// As programs see it.
    pub fn json(&self) -> Value {
        match self {
            Step::Reading | Step::Bounds(bounds::Progress::Reading) => json!({ "phase": "reading" }),
            Step::Ranking => json!({ "phase": "ranking" }),
            Step::Drawing { pages } => json!({ "phase": "drawing", "pages": pages }),
            Step::Checking => json!({ "phase": "checking" }),
            Step::Asking { done, of } => json!({ "phase": "asking", "done": done, "of": of }),
            Step::Indexing { done, of } => json!({ "phase": "indexing", "done": done, "of": of }),
            Step::Extracting { done, of } => json!({ "phase": "extracting", "done": done, "of": of }),
            Step::Bounds(bounds::Progress::Clustering { round, chaos }) => {
                json!({ "phase": "clustering", "round": round, "chaos": chaos })
            }
            Step::Bounds(bounds::Progress::Cutting) => json!({ "phase": "cutting" }),
            Step::Bounds(bounds::Progress::Telling) => json!({ "phase": "telling" }),
            Step::Engine(round) => json!({ "phase": round.step, "round": round.round, "change": round.change }),
            Step::Writing => json!({ "phase": "writing" }),
        }
    }
}

/// Looks on while a task is run.
pub trait Observer {
    /// The task has got so far.
    fn step(&mut self, step: Step<'_>);

    /// Something people should know about the result.
    fn note(&mut self, line: &str);

    /// Set by somebody who wants the task to stop. Whoever asks for it looks at it until the next step that is no round of anything.
    fn stop(&self) -> &Arc<AtomicBool>;

    /// Does somebody want it to stop?
    fn is_stopped(&self) -> bool {
        self.stop().load(Ordering::Relaxed)
    }
}

impl dyn Observer + '_ {
    /// Follows a search for bounds; it goes on until somebody says stop.
    pub(crate) fn bounds(&mut self, progress: bounds::Progress) -> bool {
        self.step(Step::Bounds(progress));
        !self.is_stopped()
    }

    /// Follows the rounds of a graph engine; it goes on until somebody says stop.
    pub(crate) fn round(&mut self, round: &Round) -> Going {
        self.step(Step::Engine(round));
        if self.is_stopped() { Going::Stop } else { Going::On }
    }
}
