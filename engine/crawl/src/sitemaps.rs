//! Sitemaps: read once the links are exhausted, so that what they add is what no link leads to. Named by a robots.txt or only guessed:
//! each is asked for if the robots.txt of its host allows it, and a pause after whatever was asked of its server before.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use url::Url;

use groma_fetch::{Fetcher, SitemapAnswer, sitemap};
use groma_model::wording::grouped;
use groma_model::{HostId, Limits, LinkKind, PageId};
use groma_page::sitemap::read;
use groma_store::{Finding, StoreError};

use crate::engine::{Engine, Event};
use crate::errand::Messenger;
use crate::frontier::{Feedback, Millis};
use crate::hosts::Standing;
use crate::ledger::epoch;
use crate::render::Errands;

/// Addresses handed over at a time.
const STEP: usize = 5_000;
/// How long hosts are waited for that others have.
const COMING_BACK: Duration = Duration::from_secs(30);

impl Engine<'_> {
    /// Reads the sitemaps of the hosts of the start pages.
    pub(crate) fn read_sitemaps(&mut self) -> Result<(), StoreError> {
        let mut hosts = HashSet::new();
        for seed in self.seeds.clone() {
            let page = self.page_behind(seed)?;
            hosts.extend(self.ledger.store.address(page)?.map(|row| row.host));
        }
        self.lease_for_sitemaps(&hosts)?;
        // After a resume nobody may have been asked yet.
        for id in &hosts {
            if self.hosts.get(*id).is_some_and(|host| matches!(host.standing, Standing::Fresh)) {
                self.ask_host(*id);
            }
        }
        while self.hosts.any_unanswered() && !self.interrupt.load(Ordering::Relaxed) {
            self.refill()?;
            self.take_events(Duration::from_millis(100))?;
        }
        let errands = Arc::new(Errands::new(
            Arc::clone(&self.fetcher),
            self.events.0.clone(),
            self.settings.agent.clone(),
            self.settings.robots,
            self.settings.stranger_delay,
            self.settings.limits.clone(),
        ));
        // A host that others would not let go of is read next time.
        let missed = hosts.iter().any(|id| self.hosts.get(*id).is_none());
        for id in hosts {
            let Some(host) = self.hosts.get(id) else { continue };
            let Standing::Open { robots, .. } = &host.standing else { continue };
            let (origin, named) = (host.origin.clone(), robots.sitemaps().to_vec());
            let fetcher = Arc::clone(&self.fetcher);
            let messenger = Messenger::new(self.events.0.clone(), Event::SitemapsDone);
            self.sitemaps_under_way += 1;
            let limits = self.settings.limits.clone();
            self.runtime.spawn(gather(fetcher, Arc::clone(&errands), origin, named, limits, messenger));
        }
        while self.sitemaps_under_way > 0 && !self.interrupt.load(Ordering::Relaxed) {
            self.take_events(Duration::from_millis(100))?;
        }
        if !self.interrupt.load(Ordering::Relaxed) && !missed {
            self.ledger.batch.values.push(("sitemaps_read".into(), epoch().to_string()));
        }
        self.commit()
    }

    /// Among others: the hosts are ours while their sitemaps are read. Nobody has anything else to do by then, so they come back soon.
    fn lease_for_sitemaps(&mut self, hosts: &HashSet<HostId>) -> Result<(), StoreError> {
        let until = Instant::now() + COMING_BACK;
        while self.is_shared() && Instant::now() < until && !self.interrupt.load(Ordering::Relaxed) {
            let wanted: Vec<HostId> = hosts.iter().copied().filter(|id| self.hosts.get(*id).is_none()).collect();
            let Some(crew) = self.ledger.crew().filter(|_| !wanted.is_empty()) else { break };
            let rows = crew.lease_these(&wanted)?;
            self.begin_with(rows)?;
            self.look_round()?;
            self.take_events(Duration::from_millis(100))?;
        }
        Ok(())
    }

    /// The page that an address is another name of, or the address itself.
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
}

/// Reads the sitemaps of one host: those its robots.txt names, else `/sitemap.xml`, and all they name in turn.
async fn gather(
    fetcher: Arc<dyn Fetcher>,
    errands: Arc<Errands>,
    origin: Url,
    named: Vec<String>,
    limits: Limits,
    messenger: Messenger,
) {
    // Nobody said that there is one.
    let guessed = named.is_empty();
    let usual = || vec!["/sitemap.xml".to_string()];
    let start = if guessed { usual() } else { named };
    // With each: how many indexes name one another above it, and how many redirects led to it.
    let mut waiting: VecDeque<(Url, u64, u64)> =
        start.iter().filter_map(|s| Some((origin.join(s).ok()?, 0, 0))).collect();
    let mut seen: HashSet<Url> = HashSet::new();
    let mut indexes = 0;
    let told = |url: &Url, why: &str| {
        let (kind, subject, detail) = ("sitemap".to_owned(), url.to_string(), why.to_owned());
        messenger.say(Event::Found(Finding { kind, subject, detail, since: epoch() }));
    };
    while let Some((url, depth, hops)) = waiting.pop_front() {
        if seen.len() as u64 >= limits.sitemap_files {
            messenger.say(Event::LimitHit("sitemap_files"));
            told(&url, &format!("not read, with {} more: sitemap_files", grouped(waiting.len() as u64)));
            break;
        }
        if !matches!(url.scheme(), "http" | "https") || !seen.insert(url.clone()) {
            continue;
        }
        let guess = guessed && depth == 0;
        let (lane, wait) = match errands.leave(&url).await {
            Ok(granted) => granted,
            Err(why) => {
                if !guess {
                    told(&url, &format!("not read: {why}"));
                }
                continue;
            }
        };
        tokio::time::sleep(Duration::from_millis(wait)).await;
        let begun = Instant::now();
        let answer = sitemap(&*fetcher, &url, &limits).await;
        let latency = begun.elapsed().as_millis() as Millis;
        errands.felt(&lane, Feedback { latency, ..Feedback::default() }, begun);
        let file = match answer {
            Ok(SitemapAnswer::File(file)) => file,
            Ok(SitemapAnswer::Moved(to)) if hops < limits.redirects => {
                waiting.push_front((to, depth, hops + 1));
                continue;
            }
            Ok(SitemapAnswer::Moved(_)) => {
                told(&url, "not read: its redirects lead nowhere");
                continue;
            }
            Err(why) => {
                if !guess {
                    told(&url, &format!("not read: {why}"));
                }
                continue;
            }
        };
        let bounds = limits.clone();
        let (cut, torn) = (file.cut, file.broken);
        let Ok(found) = tokio::task::spawn_blocking(move || read(&file.bytes, &bounds)).await else { continue };
        let mut cuts = found.cuts;
        if cut && !cuts.contains(&"sitemap_bytes") {
            cuts.push("sitemap_bytes");
        }
        let entries = found.entries.len() + found.children.len();
        if !cuts.is_empty() {
            told(&url, &format!("cut after {} URLs: {}", grouped(entries as u64), cuts.join(", ")));
        } else if let Some(why) = found.broken.or(torn.then_some("it breaks off")).filter(|_| !guess || entries > 0) {
            told(&url, &format!("{why}; {} URLs read", grouped(entries as u64)));
        } else {
            // Whatever was wrong with it once is not any more.
            told(&url, "");
        }
        cuts.iter().for_each(|cut| messenger.say(Event::LimitHit(cut)));
        if !found.children.is_empty() {
            indexes += 1;
            if depth > limits.sitemap_depth || indexes > limits.sitemap_indexes {
                let key = if depth > limits.sitemap_depth { "sitemap_depth" } else { "sitemap_indexes" };
                messenger.say(Event::LimitHit(key));
                let before = waiting.len();
                if key == "sitemap_indexes" {
                    // Those beside it may be as many indexes; what lies deeper was named by indexes that were read.
                    waiting.retain(|(_, deep, _)| *deep > depth);
                }
                let (named, beside) = (found.children.len() as u64, (before - waiting.len()) as u64);
                let more =
                    if beside > 0 { format!(", with {} more named beside it", grouped(beside)) } else { String::new() };
                told(&url, &format!("the sitemaps it names ({}) are not read{more}: {key}", grouped(named)));
                continue;
            }
        }
        let children = found.children.iter().filter_map(|child| url.join(child.trim()).ok());
        waiting.extend(children.map(|child| (child, depth + 1, 0)));
        let places = found.entries.iter().flat_map(|e| std::iter::once(&e.loc).chain(&e.alternates));
        let media = found.entries.iter().flat_map(|entry| &entry.media).map(|medium| &medium.loc);
        let kinds: [(LinkKind, Vec<&String>); 2] =
            [(LinkKind::Sitemap, places.collect()), (LinkKind::Image, media.collect())];
        for (kind, places) in kinds {
            let urls: Vec<Url> = places.into_iter().filter_map(|loc| url.join(loc.trim()).ok()).collect();
            for part in urls.chunks(STEP) {
                messenger.say(Event::Sitemap(kind, part.to_vec()));
            }
        }
    }
}
