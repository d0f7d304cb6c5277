//! The survey while it is being crawled: what all parts of the engine share. A part has its own state, and is lent this.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use groma_url::Url;

use groma_model::state::Fault;
use groma_model::url::{Canon, Scope};
use groma_model::{Depth, HostId, LinkKind, PageId, ParsedPage, Reason, State};
use groma_store::{AddressRow, Amend, Change, ChangeKind, StoreError};
use groma_strategy::{Command, Lead, Plan, Strategy, Visit};

use crate::digest::Lens;
use crate::epoch::epoch;
use crate::ledger::Ledger;
use crate::progress::{Progress, Watch};
use crate::queue::{Lanes, Queue};
use crate::settings::EngineSettings;
use crate::slot::Slot;

/// URLs read, or changed, at a time.
const STEP: usize = 10_000;
/// Kept once a start page was found to be a sitemap.
pub(crate) const LISTS: &str = "start_lists";
/// Kept while distances are to be counted anew.
pub(crate) const LINKS_MOVED: &str = "links_moved";

/// The start pages of the survey.
#[derive(Default)]
pub(crate) struct Starts {
    /// As they were given.
    pub(crate) given: Vec<Url>,
    /// Pieces of lists of start pages that the store holds.
    pub(crate) listed: u32,
    /// Their numbers, in that order.
    pub(crate) pages: Vec<PageId>,
    /// Their numbers, and those of the pages they lead to by redirects.
    pub(crate) seeds: HashSet<PageId>,
}

/// A survey that is being crawled.
pub(crate) struct OpenSurvey<'s> {
    pub(crate) ledger: Ledger<'s>,
    pub(crate) kernel: Lanes,
    pub(crate) queue: Queue,
    pub(crate) settings: EngineSettings,
    pub(crate) strategy: &'s mut dyn Strategy,
    pub(crate) watch: &'s mut dyn Watch,
    pub(crate) progress: Progress,
    pub(crate) scope: Scope,
    pub(crate) starts: Starts,
    pub(crate) lens: Arc<Lens>,
    pub(crate) stop_said: bool,
    /// Pages seen before have other links now: distances may have changed.
    pub(crate) links_moved: bool,
    /// Indexed pages that the store's count for all workers has.
    pub(crate) told: u64,
    /// Fetches that had to wait for the system, as far as they have been counted.
    pub(crate) waited: u64,
}

impl OpenSurvey<'_> {
    /// Commits the batch; then, and only then, its new hosts are known and what it queued for this round can be loaded.
    pub(crate) fn commit(&mut self) -> Result<(), StoreError> {
        // What is in the survey is in its archive, so what the archive could not take does not get into the survey.
        self.kernel.settle_archive()?;
        self.count_waits();
        if self.lens.lists.load(Ordering::Relaxed) && self.ledger.store.value(LISTS)?.is_none() {
            self.ledger.batch.values.push((LISTS.into(), epoch().to_string()));
        }
        if self.ledger.is_shared() {
            self.commit_among_others()?;
        } else {
            let new = self.ledger.batch.hosts.iter().map(|host| (host.id, host.origin.clone()));
            let hosts: Vec<(HostId, String)> = new.collect();
            self.ledger.commit()?;
            for (id, origin) in hosts {
                self.kernel.hosts.add(id, &origin, None);
            }
        }
        // Among others only hosts that are ours are known here; the rest are none of our business.
        for id in std::mem::take(&mut self.queue.to_feed) {
            self.kernel.hosts.feed(id);
        }
        Ok(())
    }

    fn commit_among_others(&mut self) -> Result<(), StoreError> {
        self.ledger.batch.counts.indexed = self.progress.fetched as i64 - self.told as i64;
        let renamed = self.ledger.commit()?;
        for (old, found) in &renamed {
            if self.starts.seeds.remove(old) {
                self.starts.seeds.insert(found.id);
            }
        }
        self.told = self.progress.fetched;
        Ok(())
    }

    /// Fetches that had to wait because the system gives no more files are a limit that was hit.
    fn count_waits(&mut self) {
        let waited = self.kernel.fetcher.waited();
        if waited > self.waited {
            if self.waited == 0 {
                self.watch.notice("slower: fetches wait, since the system gives no more files (ulimit -n)");
            }
            self.limit_hit("open_files", waited - self.waited);
            self.waited = waited;
        }
    }

    pub(crate) fn limit_hit(&mut self, key: &'static str, times: u64) {
        *self.ledger.batch.counts.limits.entry(key).or_default() += times;
    }

    /// The canonical form of a URL by the written rules.
    pub(crate) fn canon(&self, url: &Url) -> Canon {
        self.lens.canonizer.canon(url)
    }

    /// May a URL be asked for, by the scope and by what it is called?
    pub(crate) fn judge(&self, url: &Url) -> Result<(), Reason> {
        self.scope.judge(url)?;
        let ends_login = self.settings.logout.as_ref().is_some_and(|logout| logout.is_address(url));
        if ends_login { Err(Reason::Logout) } else { Ok(()) }
    }

    /// An update asks again for all that is known, whatever their number; the limit then holds for new pages only.
    pub(crate) fn page_limit_reached(&self) -> bool {
        !self.settings.updating && self.settings.max_pages.is_some_and(|most| self.progress.fetched >= most)
    }

    /// May another fetch be begun, as far as connections and the page limit go?
    pub(crate) fn has_room(&self) -> bool {
        let under_way = self.kernel.frontier.under_way() as u64;
        let most = self.settings.max_pages.filter(|_| !self.settings.updating);
        self.kernel.has_connection() && most.is_none_or(|most| self.progress.fetched + under_way < most)
    }

    pub(crate) fn run_is_open(&mut self) -> Result<bool, StoreError> {
        let run = self.ledger.batch.run;
        Ok(self.ledger.store.runs()?.last().is_some_and(|last| last.id == run && last.ended.is_none()))
    }

    /// One URL less waits for its turn.
    pub(crate) fn leaves_queue(&mut self) {
        self.progress.queued = self.progress.queued.saturating_sub(1);
    }

    /// Asks the strategy what to do about the leads of a visit.
    pub(crate) fn consult(&mut self, slot: &Slot, reason: Reason, parsed: Option<&ParsedPage>, leads: &[Lead]) {
        let visit = Visit { depth: slot.depth, parsed, leads, ..Visit::without_content(slot.id, reason) };
        self.consult_about(&visit, if reason == Reason::Redirected { slot.depth } else { slot.depth.next() });
    }

    pub(crate) fn consult_about(&mut self, visit: &Visit<'_>, depth: Depth) {
        let mut plan = Plan::default();
        if self.settings.remembers {
            // It will see the links, and may want them then.
            visit.leads.iter().for_each(|lead| plan.drop(lead.page, Reason::NotWanted));
        } else {
            self.strategy.visit(visit, &mut plan);
        }
        self.obey(plan, depth);
    }

    /// Shows a known address to the strategy as if it had just been found.
    pub(crate) fn judge_again(&mut self, page: PageId, depth: Depth, kind: Option<LinkKind>, plan: &mut Plan) {
        if self.settings.remembers {
            return plan.drop(page, Reason::NotWanted);
        }
        let (from, kind) = match depth {
            Depth(0) => return self.strategy.begin(&[page], plan),
            Depth::LOOSE => (Depth::LOOSE, kind.unwrap_or(LinkKind::Sitemap)),
            Depth(d) => (Depth(d - 1), LinkKind::Anchor),
        };
        let leads = [Lead { page, kind, link: None }];
        let visit = Visit { depth: from, leads: &leads, ..Visit::without_content(PageId(0), Reason::Fetched) };
        self.strategy.visit(&visit, plan);
    }

    /// Carries out a plan about pages at this distance.
    pub(crate) fn obey(&mut self, plan: Plan, depth: Depth) {
        let wanted = plan.commands.iter().filter(|c| matches!(c, Command::Want(..))).count();
        self.progress.queued += wanted as u64;
        self.obey_uncounted(plan, |_| depth);
    }

    /// Carries out a plan whose pages are counted, or not, by whoever made it.
    pub(crate) fn obey_uncounted(&mut self, plan: Plan, depth: impl Fn(PageId) -> Depth) {
        self.stop_said |= self.ledger.obey(plan, depth);
    }

    /// Takes a URL out of the queue and changes nothing else about it.
    pub(crate) fn leave_as_it_is(&mut self, id: PageId, reason: Reason) -> Result<(), StoreError> {
        let alias_of = self.ledger.store.address(id)?.and_then(|row| row.alias_of);
        self.ledger.batch.amends.push(Amend { alias_of, ..Amend::to(id, reason) });
        Ok(())
    }

    /// Distances are counted anew at the end, also if that end comes in another run of the program.
    pub(crate) fn note_moved_links(&mut self) {
        if !std::mem::replace(&mut self.links_moved, true) {
            self.ledger.batch.values.push((LINKS_MOVED.into(), "yes".into()));
        }
    }

    /// Logs what a visit meant, if it meant anything. `had_text`: there was a page once, if not last time.
    pub(crate) fn log_change(&mut self, page: PageId, before: Reason, now: Reason, had_text: bool, to: Option<PageId>) {
        let was_page = before == Reason::Fetched;
        let kind = match now {
            Reason::Fetched if before == Reason::Waiting => ChangeKind::Added,
            Reason::Fetched if !was_page => ChangeKind::Back,
            Reason::Redirected | Reason::Folded if was_page => ChangeKind::Moved,
            _ if now.fault() == Some(Fault::Gone) && before.fault() != Some(Fault::Gone) && had_text => {
                ChangeKind::Gone
            }
            Reason::Unauthorized | Reason::Forbidden | Reason::AskedToWait | Reason::Robots if was_page => {
                ChangeKind::Unknown
            }
            _ if was_page && now.state() != State::Fetched => ChangeKind::Unreachable,
            _ => return,
        };
        self.log(page, kind, 0, to);
    }

    pub(crate) fn log(&mut self, page: PageId, kind: ChangeKind, amount: u8, to: Option<PageId>) {
        let run = self.ledger.batch.run;
        self.ledger.batch.changes.push(Change { seq: 0, run, at: epoch(), page, kind, amount, to });
    }

    /// Shows every URL, in order; what the call puts into the batch is committed every few thousand.
    pub(crate) fn each_address(&mut self, mut call: impl FnMut(&mut Self, &AddressRow)) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let rows = self.ledger.store.addresses(after, STEP)?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some(last.id);
            for row in &rows {
                call(self, row);
            }
            self.commit()?;
        }
    }

    /// The page that a URL is another name of, or the URL itself.
    pub(crate) fn page_behind(&mut self, address: PageId) -> Result<PageId, StoreError> {
        let mut at = address;
        for _ in 0..=self.settings.limits.redirects {
            match self.ledger.alias_of(at)? {
                Some(next) => at = next,
                None => break,
            }
        }
        Ok(at)
    }

    pub(crate) fn tell(&mut self, now: bool) {
        self.kernel.tick(&mut self.progress, self.watch, now);
    }
}
