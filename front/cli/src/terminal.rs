//! A terminal that looks on while a task runs: a bar on stderr if somebody sees it, notes, and Ctrl-C.
//!
//! Only a task that looks whether it should stop gets to see the first Ctrl-C; any other one, and any other part of it, is ended by it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_model::wording::grouped;
use groma_tasks::bounds::Progress;
use groma_tasks::observer::{Observer, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::tell;
use crate::signals::Signals;

/// Shows how far a task is.
pub(crate) struct Terminal {
    bar: ProgressBar,
    signals: Signals,
    quiet: bool,
    /// What a graph engine is making.
    making: &'static str,
}

impl Terminal {
    pub(crate) fn new(quiet: bool) -> Terminal {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !quiet {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let terminal = Terminal { bar, signals: Signals::default(), quiet, making: "" };
        terminal.draw_as("{spinner} {msg}");
        terminal
    }

    fn draw_as(&self, template: &str) {
        self.bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    }
}

impl Observer for Terminal {
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Asking { done, of } | Step::Indexing { done, of } | Step::Extracting { done, of } => {
                if self.bar.length().is_none() {
                    self.draw_as("{wide_bar} {msg}");
                }
                self.bar.set_length(of);
                self.bar.set_position(done);
            }
            Step::Engine(round) if self.making != round.step => {
                self.making = round.step;
                if round.round > 1 {
                    self.note(&goes_on(round.step, round.round - 1));
                }
            }
            Step::Engine(_) | Step::Bounds(_) => {}
            Step::Reading | Step::Ranking | Step::Drawing { .. } | Step::Checking | Step::Writing => {
                self.signals.give_back();
            }
        }
        self.bar.set_message(shown(step));
        self.bar.tick();
    }

    fn note(&mut self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| tell(&format!("note: {line}")));
        }
    }

    fn stop(&self) -> &Arc<AtomicBool> {
        self.signals.take()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn shown(step: Step<'_>) -> String {
    match step {
        Step::Reading | Step::Bounds(Progress::Reading) => "reading pages and links".to_owned(),
        Step::Ranking => "ranking pages".to_owned(),
        Step::Drawing { pages } => format!("drawing {} pages", grouped(pages.into())),
        Step::Checking => "checking".to_owned(),
        Step::Asking { done, of } => format!("{} of {} URLs asked whether they are there", grouped(done), grouped(of)),
        Step::Indexing { done, of } => format!("{} of {} looked at", grouped(done), grouped(of)),
        Step::Extracting { done, of } => format!("{} of {} URLs looked at", grouped(done), grouped(of)),
        Step::Bounds(Progress::Clustering { round, chaos }) => {
            format!("clustering: round {round}, {chaos:.4} still moves")
        }
        Step::Bounds(Progress::Cutting) => "looking for the bounds of the site".to_owned(),
        Step::Bounds(Progress::Telling) => "looking at every page".to_owned(),
        Step::Engine(round) => engine_round(round.step, round.round, round.change),
        Step::Writing => "writing".to_owned(),
    }
}

fn engine_round(step: &str, round: u32, change: f64) -> String {
    match step {
        "links" => format!("passing links on: {}", grouped(change as u64)),
        "ranks" => format!("ranks: round {round}, largest change {change:.1e}"),
        "map" => format!("map: depth {round}, {} pages", grouped(change as u64)),
        "clusters" => format!("clusters: part {round}, {} links", grouped(change as u64)),
        other => format!("{other}: round {round}"),
    }
}

fn goes_on(step: &str, round: u32) -> String {
    format!("{step}: going on after round {round}, which an earlier run made")
}
