//! Sitemaps: read once the links are exhausted, so that what they add is what no link leads to.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam_channel::Sender;
use url::Url;

use groma_fetch::{Fetcher, sitemap};
use groma_model::Limits;
use groma_page::sitemap::read;
use groma_store::StoreError;

use crate::engine::{Engine, Event};
use crate::hosts::Standing;
use crate::ledger::epoch;

/// Addresses handed over at a time.
const STEP: usize = 5_000;

impl<F: Fetcher> Engine<'_, F> {
    /// Reads the sitemaps of the hosts of the start pages.
    pub(crate) fn read_sitemaps(&mut self) -> Result<(), StoreError> {
        let mut hosts = HashSet::new();
        for seed in self.seeds.clone() {
            let mut row = self.ledger.store.address(seed)?;
            while let Some(other) = row.as_ref().and_then(|r| r.alias_of) {
                row = self.ledger.store.address(other)?;
            }
            hosts.extend(row.map(|r| r.host));
        }
        for id in hosts {
            let Some(host) = self.hosts.get(id) else { continue };
            let Standing::Open { robots, .. } = &host.standing else { continue };
            let (origin, named) = (host.origin.clone(), robots.sitemaps().to_vec());
            let (fetcher, events) = (Arc::clone(&self.fetcher), self.events.0.clone());
            let (pause, limits) = (self.settings.delay, self.settings.limits.clone());
            self.sitemaps_under_way += 1;
            self.runtime.spawn(gather(fetcher, origin, named, pause, limits, events));
        }
        while self.sitemaps_under_way > 0 && !self.interrupt.load(Ordering::Relaxed) {
            self.take_events(Duration::from_millis(100))?;
        }
        if self.sitemaps_under_way == 0 {
            self.ledger.batch.values.push(("sitemaps_read".into(), epoch().to_string()));
        }
        self.ledger.commit()
    }
}

/// Reads the sitemaps of one host: those its robots.txt names, else `/sitemap.xml`, and all they name in turn.
async fn gather<F: Fetcher>(
    fetcher: Arc<F>,
    origin: Url,
    named: Vec<String>,
    pause: Duration,
    limits: Limits,
    events: Sender<Event>,
) {
    let usual = || vec!["/sitemap.xml".to_string()];
    let start = if named.is_empty() { usual() } else { named };
    let mut waiting: VecDeque<Url> = start.iter().filter_map(|s| origin.join(s).ok()).collect();
    let mut seen: HashSet<Url> = HashSet::new();
    while let Some(url) = waiting.pop_front() {
        if seen.len() as u64 >= limits.sitemap_files {
            let _ = events.send(Event::LimitHit("sitemap_files"));
            break;
        }
        if !matches!(url.scheme(), "http" | "https") || !seen.insert(url.clone()) {
            continue;
        }
        if seen.len() > 1 {
            tokio::time::sleep(pause).await;
        }
        let Some(bytes) = sitemap(&*fetcher, &url, &limits).await else { continue };
        let bounds = limits.clone();
        let Ok(found) = tokio::task::spawn_blocking(move || read(&bytes, &bounds)).await else { continue };
        for cut in found.cuts {
            let _ = events.send(Event::LimitHit(cut));
        }
        waiting.extend(found.children.iter().filter_map(|child| url.join(child.trim()).ok()));
        let places = found.entries.iter().flat_map(|e| std::iter::once(&e.loc).chain(&e.alternates));
        let urls: Vec<Url> = places.filter_map(|loc| url.join(loc.trim()).ok()).collect();
        for part in urls.chunks(STEP) {
            let _ = events.send(Event::Sitemap(part.to_vec()));
        }
    }
    let _ = events.send(Event::SitemapsDone);
}
