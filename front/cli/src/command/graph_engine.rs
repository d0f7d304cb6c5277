//! `--engine`: what people see while a cluster computes, and how Ctrl-C stops it between two rounds.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_model::wording::grouped;
use groma_settings::Fault;
use groma_store::Folder;
use groma_tasks::graph_engine::wording::ENGINE_GOES_ON;
use groma_tasks::graph_engine::{Going, InParts, Progress, Request};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{EngineArgs, PartArgs};
use crate::output::tell;
use crate::survey::on_signals;

/// The cluster that was asked for; nothing if this machine computes.
pub(crate) fn request(args: &EngineArgs, folder: &Folder) -> Result<Option<Request>, Fault> {
    Request::parse(&args.engine, args.work.as_deref(), folder)
}

/// The same where the survey is looked at in parts.
pub(crate) fn in_parts(args: &PartArgs, folder: &Folder) -> Result<Option<InParts>, Fault> {
    Ok(request(&args.engine, folder)?.map(|at| InParts { at, largest: args.part }))
}

/// Shows how far a cluster is.
pub(crate) struct EngineProgress {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
    /// The step that is being made.
    step: &'static str,
}

impl EngineProgress {
    pub(crate) fn new() -> Result<EngineProgress, Fault> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            bar.set_style(style);
        }
        Ok(EngineProgress { bar, stop: on_signals()?, step: "" })
    }

    /// Told of every round.
    pub(crate) fn step(&mut self, progress: &Progress) -> Going {
        if self.step != progress.step {
            self.step = progress.step;
            if progress.round > 1 {
                self.bar.suspend(|| tell(&format!("note: {}", goes_on(progress.step, progress.round - 1))));
            }
        }
        self.bar.set_message(graph_engine(progress.step, progress.round, progress.change));
        self.bar.tick();
        if self.stop.load(Ordering::Relaxed) { Going::Stop } else { Going::On }
    }

    /// It is over.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    pub(crate) fn stopped(&self) {
        self.end();
        tell(&format!("note: {}", ENGINE_GOES_ON));
    }
}

fn goes_on(step: &str, round: u32) -> String {
    format!("{step}: going on after round {round}, which an earlier run made")
}

fn graph_engine(step: &str, round: u32, change: f64) -> String {
    match step {
        "links" => format!("passing links on: {}", grouped(change as u64)),
        "ranks" => format!("ranks: round {round}, largest change {change:.1e}"),
        "map" => format!("map: layer {round}, {} pages", grouped(change as u64)),
        "clusters" => format!("clusters: part {round}, {} links", grouped(change as u64)),
        other => format!("{other}: round {round}"),
    }
}
