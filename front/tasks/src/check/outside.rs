//! Before a check: asks the links that lead out whether they are there.

use std::sync::Arc;
use std::time::Duration;

use groma_crawl::{End, OutsideList, OutsideSettings, Progress, Watch, ask_outside};
use groma_fetch::HttpFetcher;
use groma_model::moment::spoken;
use groma_model::wording::{counted, grouped};
use groma_settings::meaning::{Access, Settings};
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault, Overrides};
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{OutsideAnswers, StoreEvidence};

use crate::check::task::AskOutside;
use crate::crawl::prepare::Requester;
use crate::crawl::saved_seeds;
use crate::observer::{Observer, Step};

/// A survey as the checks see it, with what URLs outside it answered.
pub fn evidence<'s>(folder: &Folder, store: &'s mut dyn Snapshot) -> Result<StoreEvidence<'s>, Fault> {
    let mut keeper = folder.outside_if_any()?;
    let outside = OutsideAnswers::read(keeper.as_mut())?;
    Ok(StoreEvidence::new(store)?.with_outside(outside))
}

/// Asks those that are due. Settings are those of the survey.
pub(crate) fn ask(
    folder: &Folder,
    choice: AskOutside,
    requester: Requester<'_>,
    observer: &mut dyn Observer,
) -> Result<(), Fault> {
    let sample = match choice {
        AskOutside::No => return Ok(()),
        AskOutside::Yes => None,
        AskOutside::Sample(most) => Some(most),
    };
    let mut store = folder.read()?;
    let saved = Saved::load(&mut store)?.unwrap_or_default();
    let seeds = saved_seeds(&saved)?;
    let mut book = Book::of_task(&Overrides::default(), &[], requester.config, Some(&saved))?;
    let settings = Settings::from_book(&mut book)?;
    let access = Access { owned: requester.owned || saved.owned, guarded: requester.guarded || saved.guarded };
    let (config, notes) = settings.personal_config(&seeds, None, access)?;
    notes.iter().for_each(|note| observer.note(note));
    // Whose the survey's sites are says nothing of those that they link to.
    let manners = settings.manners(false);
    let asking = OutsideSettings { again_s: manners.limits.outside_again_s, manners, sample };
    let mut keeper = folder.outside()?;
    let list = OutsideList::read(&mut store, &mut keeper, &asking)?;
    let urls = list.urls();
    if urls == 0 {
        return Ok(());
    }
    observer.note(&asked_now(urls, list.hosts(), list.duration(&asking)));
    let stop = Arc::clone(observer.stop());
    let mut watch = OutsideWatch { observer, of: urls };
    let fetcher = Arc::new(HttpFetcher::new(config)?);
    let summary = ask_outside(&mut store, list, &mut keeper, &asking, fetcher, &mut watch, stop)?;
    if summary.end == End::Interrupted {
        observer.note(&interrupted(summary.progress.queued));
    }
    Ok(())
}

/// Shows how many were asked.
struct OutsideWatch<'o> {
    observer: &'o mut dyn Observer,
    of: u64,
}

impl Watch for OutsideWatch<'_> {
    fn tick(&mut self, progress: &Progress) {
        self.of = self.of.max(progress.discovered);
        self.observer.step(Step::Asking { done: progress.fetched, of: self.of });
    }

    fn notice(&mut self, line: &str) {
        self.observer.note(line);
    }
}

fn asked_now(urls: u64, hosts: u64, duration: Duration) -> String {
    format!(
        "asking {} on {} outside the survey: about {}",
        counted(urls, "link", "links"),
        counted(hosts, "host", "hosts"),
        spoken(duration)
    )
}

fn interrupted(left: u64) -> String {
    format!("{} links outside the survey were not asked; the same command goes on", grouped(left))
}
