//! Running a survey for a command: what it says while it runs, a summary, an exit code.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use groma_crawl::{End, Summary};
use groma_model::moment::spoken;
use groma_model::wording::plain;
use groma_settings::Fault;
use groma_store::{Folder, Store};
use groma_tasks::crawl::wording::{NOTHING_LEFT, NOTHING_LEFT_LIMIT};
use groma_tasks::crawl::{Opened, Survey, Task, first_failure};
use groma_tasks::standing::Standing;
use groma_url::Url;
use serde::Serialize;

use crate::args::TalkArgs;
use crate::output::{Format, Out, tell};
use crate::results::Results;
use crate::signals::on_signals;
use crate::watch::Teller;
use crate::{Exit, balance};

/// How a survey is shown.
pub(crate) struct Show<'a> {
    /// Say what it came to: ranks, map, checks.
    pub(crate) whole: bool,
    /// It is removed afterwards: nobody need be told where it is.
    pub(crate) passing: bool,
    /// What is shown meanwhile: progress, notes.
    pub(crate) talk: &'a TalkArgs,
    /// How rows and the summary are written.
    pub(crate) format: Format,
    pub(crate) output: Option<PathBuf>,
}

/// What was run, as far as the summary needs it.
pub(crate) struct Ran {
    pub(crate) task: Task,
    pub(crate) folder: Folder,
    pub(crate) seeds: Vec<Url>,
    /// It had been crawled before, and there was nothing left to do.
    pub(crate) idle: bool,
}

#[derive(Serialize)]
struct LastLine<'a> {
    summary: Ended<'a>,
}

#[derive(Serialize)]
struct Ended<'a> {
    #[serde(flatten)]
    standing: &'a Standing,
    end: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Results>,
}

/// Tells people what a command assumed, unless they want no notes.
pub(crate) fn noting(quiet: bool) -> impl FnMut(&str) {
    move |note| {
        if !quiet {
            tell(&format!("note: {note}"));
        }
    }
}

/// Opens a survey, and says what the user should know.
pub(crate) fn opened(survey: Survey, quiet: bool) -> Result<Opened, Fault> {
    survey.open(&mut noting(quiet))
}

impl Show<'_> {
    /// Runs a survey to its end.
    pub(crate) fn run(&self, survey: Survey) -> Result<Exit, Fault> {
        let mut ran =
            Ran { task: survey.task, folder: survey.folder.clone(), seeds: survey.seeds.clone(), idle: false };
        let mut out = Out::streaming(self.output.as_deref())?;
        let opened = opened(survey, self.talk.quiet)?;
        let known_before = opened.known_before;
        let interrupt = on_signals()?;
        let mut teller = Teller::new(&mut out, self.format, self.talk, Arc::clone(&interrupt));
        let result = opened.crawl_and_ask(&mut teller, interrupt);
        teller.end();
        let failed = teller.failed.take();
        let (summary, mut store, _lock) = result?;
        match failed {
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Exit::Interrupted),
            Some(error) => return Err(error.into()),
            None => {}
        }
        ran.idle = known_before && summary.progress.fetches == 0 && ran.task == Task::Crawl;
        let exit = self.report(&ran, &mut store, &summary, &mut out)?;
        out.flush()?;
        Ok(exit)
    }

    pub(crate) fn report(
        &self,
        ran: &Ran,
        store: &mut dyn Store,
        summary: &Summary,
        out: &mut Out,
    ) -> Result<Exit, Fault> {
        let mut standing = Standing::read(store, &ran.folder)?;
        // The lock is still ours; the crawl is over.
        standing.running = false;
        let exit = match summary.end {
            End::Interrupted => Exit::Interrupted,
            _ if standing.fetched == 0 => Exit::Nothing,
            End::PageLimit => Exit::Limit,
            End::Finished | End::Stopped => Exit::Fine,
        };
        let results = if self.whole && exit != Exit::Nothing { Results::read(&ran.folder, store)? } else { None };
        match self.format {
            Format::Json => {
                let summary = Ended { standing: &standing, end: end_word(summary.end), results };
                out.json(&LastLine { summary })?;
            }
            Format::Csv => {}
            Format::Text => {
                let end = ended(summary.end.name(), summary.progress.elapsed);
                let seed = ran.seeds.first().map(Url::as_str).unwrap_or_default();
                out.line(&format!("{}  {end}", out.paint.heading(seed)))?;
                out.line("")?;
                balance::print(&standing, out)?;
                if let Some(results) = &results {
                    results.print(out)?;
                }
                if !self.passing && exit != Exit::Nothing {
                    self.print_next(ran, &standing, exit, out)?;
                }
            }
        }
        if exit == Exit::Nothing {
            let fault = first_failure(store)?;
            tell(&format!("groma: {}", fault.says));
            tell(&format!("hint: {}", fault.hint));
        } else if ran.idle && !self.talk.quiet {
            let limited = summary.end == End::PageLimit;
            tell(if limited { NOTHING_LEFT_LIMIT } else { NOTHING_LEFT });
        }
        Ok(exit)
    }

    fn print_next(&self, ran: &Ran, standing: &Standing, exit: Exit, out: &mut Out) -> io::Result<()> {
        let folder = ran.folder.shown().display().to_string();
        out.line("")?;
        out.line(&format!("survey: {folder}"))?;
        if let Some(archive) = &standing.archive {
            out.line(&format!("archive: {}", plain(archive)))?;
        }
        let mut next = Vec::new();
        if matches!(exit, Exit::Interrupted) {
            next.push("run the same command again: it goes on".to_owned());
        }
        if self.whole {
            next.push(format!("groma map -f html -o map.html --store {folder}"));
            next.push(format!("groma check --store {folder}"));
            next.push(format!("groma report -o report.html --store {folder}"));
        } else if standing.broken > 0 {
            next.push(format!("groma pages --state broken --store {folder}"));
        } else {
            next.push(format!("groma pages --store {folder}"));
        }
        next.push(format!("groma explain URL --store {folder}"));
        if ran.task == Task::Update {
            next.push(format!("groma diff --store {folder}"));
        } else {
            next.push(format!("groma update --store {folder}"));
        }
        for (at, command) in next.iter().enumerate() {
            out.line(&format!("{} {command}", if at == 0 { "next:  " } else { "       " }))?;
        }
        Ok(())
    }
}

/// The word programs see.
fn end_word(end: End) -> &'static str {
    match end {
        End::Finished => "finished",
        End::PageLimit => "page-limit",
        End::Interrupted => "interrupted",
        End::Stopped => "stopped",
    }
}

fn ended(end: &str, took: Duration) -> String {
    format!("{end} in {}", spoken(took))
}
