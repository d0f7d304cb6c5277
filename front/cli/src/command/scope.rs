//! `--scope auto`: commands that look at the site that was found last instead of the whole survey. And what people see while a
//! border is looked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use groma_desk::bounds::{self, Inside, Progress};
use groma_desk::{Fault, words};
use groma_store::Folder;

use crate::args::{LookAt, ScopeArg};
use crate::output::tell;
use crate::survey::on_signals;

/// Shows how far a search for borders is, and stops it at Ctrl-C.
pub(crate) struct Searching {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl Searching {
    pub(crate) fn new(quiet: bool) -> Result<Searching, Fault> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if !quiet {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.set_style(style);
        }
        Ok(Searching { bar, stop: on_signals()? })
    }

    /// What a search asks after every step.
    pub(crate) fn step(&self, progress: Progress) -> bool {
        self.bar.set_message(words::searching(progress));
        self.bar.tick();
        !self.stop.load(Ordering::Relaxed)
    }

    /// It is over.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// The site to look at, if not the whole survey. A search for it that is interrupted leaves nothing to look at.
pub(crate) fn of(folder: &Folder, scope: &ScopeArg) -> Result<Option<Inside>, Fault> {
    if scope.scope == LookAt::Auto { auto(folder).map(Some) } else { Ok(None) }
}

/// The site that was found last, or is found now.
pub(crate) fn auto(folder: &Folder) -> Result<Inside, Fault> {
    let searching = Searching::new(false)?;
    let found = bounds::scope(folder, &mut |progress| searching.step(progress));
    searching.end();
    let inside = found?.ok_or_else(|| {
        Fault::new(
            "the search for the site was stopped",
            "run it again, or look at the whole survey without --scope auto",
        )
    })?;
    inside.notes.iter().for_each(|note| tell(&format!("note: {note}")));
    Ok(inside)
}
