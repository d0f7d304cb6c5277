//! Links that lead out of a survey: asked whether they are there, behind a crawl or before a check, and shown to the checks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use groma_crawl::{End, Manners, OutsideList, OutsideSettings, PageSeen, Progress, Watch, ask_outside};
use groma_fetch::{FetchConfig, HttpFetcher};
use groma_model::State;
use groma_model::moment::spoken;
use groma_model::wording::{counted, grouped};
use groma_settings::Fault;
use groma_settings::meaning::Settings;
use groma_store::{Folder, Snapshot};
use groma_survey_graph::{OutsideAnswers, StoreEvidence};
use groma_url::{Position, Url};

use crate::observer::{Observer, Step};

const SOMEBODY_ASKS: &str = "somebody else is asking the links to other sites of this survey just now";

/// Requests under way at once at one host.
const PER_HOST: usize = 2;

/// A survey as the checks see it, with what URLs outside it answered.
pub fn evidence<'s>(folder: &Folder, store: &'s mut dyn Snapshot) -> Result<StoreEvidence<'s>, Fault> {
    let mut keeper = folder.outside_if_any()?;
    let outside = OutsideAnswers::read(keeper.as_mut())?;
    Ok(StoreEvidence::new(store)?.with_outside(outside))
}

/// How links that lead out are to be asked.
pub(crate) struct OutsideRequest {
    asking: OutsideSettings,
    config: FetchConfig,
}

impl OutsideRequest {
    /// At most so many, with the settings of a survey with these start pages; nothing if none is to be asked. `guarded`: whoever asks may not
    /// reach into private networks.
    pub(crate) fn new(most: u64, settings: &Settings, seeds: &[Url], guarded: bool) -> Option<OutsideRequest> {
        // Whose the survey's sites are says nothing of those that they link to: these are treated as strangers.
        let usual = settings.manners(false);
        let manners = Manners { robots: true, per_host: usual.per_host.min(PER_HOST), ..usual };
        let sample = (most < u64::MAX).then_some(most);
        let mut config = settings.fetch_config(seeds, None);
        let is_known = !guarded && (config.is_personal() || settings.is_personal());
        let host = |seed: &Url| seed[Position::BeforeHost..Position::AfterPort].to_owned();
        let known_at = if is_known { seeds.iter().map(host).collect() } else { Vec::new() };
        let asking = OutsideSettings { again_s: manners.limits.outside_again_s, manners, known_at, sample };
        // A link may end a login, or do worse for somebody who is known.
        config.forget_user();
        if guarded {
            config.reach_no_further();
        }
        (most > 0).then_some(OutsideRequest { asking, config })
    }

    /// Asks those that are due. False if somebody said stop before it was done.
    pub(crate) fn ask(self, folder: &Folder, watch: &mut dyn Watch, stop: Arc<AtomicBool>) -> Result<bool, Fault> {
        let OutsideRequest { asking, config } = self;
        let mut store = folder.read()?;
        let mut keeper = folder.outside()?;
        let Some(_alone) = folder.asking_outside()? else {
            watch.notice(SOMEBODY_ASKS);
            return Ok(true);
        };
        let list = OutsideList::read(&mut store, &mut keeper, &asking)?;
        let urls = list.urls();
        if urls == 0 {
            return Ok(true);
        }
        watch.notice(&asked_now(urls, list.hosts(), list.duration(&asking)));
        let mut counting = Counting { of: urls, there: 0, broken: 0, closed: 0, watch };
        let fetcher = Arc::new(HttpFetcher::new(config)?);
        let summary = ask_outside(&mut store, list, &mut keeper, &asking, fetcher, &mut counting, stop)?;
        let done = summary.end != End::Interrupted;
        let Counting { there, broken, closed, .. } = counting;
        watch.notice(&answered(there, broken, closed));
        if !done {
            watch.notice(&interrupted(summary.progress.queued));
        }
        Ok(done)
    }
}

/// Counts links for somebody who watches a crawl: they are no pages of it.
struct Counting<'w> {
    of: u64,
    there: u64,
    broken: u64,
    closed: u64,
    watch: &'w mut dyn Watch,
}

impl Watch for Counting<'_> {
    fn page(&mut self, page: &PageSeen<'_>) {
        let count = match page.reason.state() {
            State::Broken => &mut self.broken,
            State::Skipped => &mut self.closed,
            _ => &mut self.there,
        };
        *count += 1;
    }

    fn tick(&mut self, progress: &Progress) {
        self.of = self.of.max(progress.discovered);
        self.watch.outside(progress.fetched, self.of);
    }

    fn notice(&mut self, line: &str) {
        self.watch.notice(line);
    }
}

/// Shows an observer how many were asked.
pub(crate) struct Observed<'o>(pub(crate) &'o mut dyn Observer);

impl Watch for Observed<'_> {
    fn outside(&mut self, asked: u64, of: u64) {
        self.0.step(Step::Asking { done: asked, of });
    }

    fn notice(&mut self, line: &str) {
        self.0.note(line);
    }
}

fn asked_now(urls: u64, hosts: u64, duration: Duration) -> String {
    format!(
        "asking {} on {} whether they are there (links to other sites; images, styles, scripts): about {}; `--outside no` leaves it",
        counted(urls, "URL", "URLs"),
        counted(hosts, "host", "hosts"),
        spoken(duration)
    )
}

fn answered(there: u64, broken: u64, closed: u64) -> String {
    let [there, broken, closed] = [there, broken, closed].map(grouped);
    format!(
        "links outside: {there} there or moved, {broken} broken or unreachable, {closed} closed to programs (`groma check` names them)"
    )
}

fn interrupted(left: u64) -> String {
    format!("{} of them were not asked; `groma check --outside yes` goes on", counted(left, "URL", "URLs"))
}
