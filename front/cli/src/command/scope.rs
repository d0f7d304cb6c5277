//! `--scope auto`: commands that look at the site that was found last instead of the whole survey. And what people see while
//! it is looked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_settings::Fault;
use groma_store::Folder;
use groma_tasks::bounds::{Inside, LookAt, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::tell;
use crate::survey::on_signals;

/// Shows how far a search for bounds is, and stops it at Ctrl-C.
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
        self.bar.set_message(searching(progress));
        self.bar.tick();
        !self.stop.load(Ordering::Relaxed)
    }

    /// It is over.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// The site to look at, if not the whole survey.
pub(crate) fn site_scope(folder: &Folder, scope: LookAt) -> Result<Option<Inside>, Fault> {
    if scope == LookAt::Survey {
        return Ok(None);
    }
    let searching = Searching::new(false)?;
    let found = scope.site(folder, &mut |progress| searching.step(progress));
    searching.end();
    let site = found?;
    site.iter().flat_map(|site| &site.notes).for_each(|note| tell(&format!("note: {note}")));
    Ok(site)
}

fn searching(progress: groma_tasks::bounds::Progress) -> String {
    use groma_tasks::bounds::Progress;
    match progress {
        Progress::Reading => "reading pages and links".to_owned(),
        Progress::Clustering { round, chaos } => format!("clustering: round {round}, {chaos:.4} still moves"),
        Progress::Cutting => "looking for the bounds of the site".to_owned(),
        Progress::Telling => "looking at every page".to_owned(),
    }
}
