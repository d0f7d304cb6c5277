//! Everything that is wrong with a site, in memory: lists, filters and groups are made of it without checking again.

use std::io;

use groma_check::{Finding, Summary, check};
use groma_store::{Folder, Snapshot};
use groma_tasks::check::usual_options;

use crate::error::Problem;

/// Findings kept; of more, the first (they come in order of how bad their kind is) and a word that there are more.
const MOST_FINDINGS: usize = 100_000;

/// The findings of a survey.
#[derive(Debug)]
pub(crate) struct Findings {
    /// In order of their kinds. Those that came up with the last run are new.
    pub(crate) all: Vec<Finding>,
    /// How many there are of each kind, also of those not kept.
    pub(crate) summary: Summary,
    /// There are more than are kept.
    pub(crate) cut: bool,
    /// While pages wait to be fetched: the last layer that was checked.
    pub(crate) horizon: Option<u32>,
}

impl Findings {
    pub(super) fn read(folder: &Folder, store: &mut dyn Snapshot) -> Result<Findings, Problem> {
        let runs = store.runs()?;
        let options = usual_options(store, None)?;
        let mut evidence = groma_tasks::outside::evidence(folder, store)?;
        let horizon = evidence.horizon();
        // With one run only, everything is as new as the survey.
        let since = if runs.len() > 1 { runs.last().map_or(0, |run| run.started) } else { 0 };
        let mut all = Vec::new();
        let mut cut = false;
        let summary = check(&mut evidence, &options, &mut |finding| {
            finding.new = finding.since >= since;
            if all.len() < MOST_FINDINGS {
                all.push(finding.clone());
            } else {
                cut = true;
            }
            Ok::<_, io::Error>(())
        })?;
        Ok(Findings { all, summary, cut, horizon })
    }
}
