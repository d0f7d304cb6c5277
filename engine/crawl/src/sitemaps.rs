//! Sitemaps: read once the links are exhausted, so that what they add is what no link leads to. Named by a robots.txt or only guessed:
//! each is asked for if the robots.txt of its host allows it, and a pause after whatever was asked of its server before.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use groma_url::Url;

use groma_fetch::{Fetcher, SitemapAnswer, SitemapFile, sitemap};
use groma_model::wording::grouped;
use groma_model::{HostId, Limits, LinkKind};
use groma_page::sitemap::{Sitemap, read};
use groma_store::{Finding, StoreError};

use crate::epoch::epoch;
use crate::event::Event;
use crate::kernel::{Feedback, Messenger, Millis, Standing};
use crate::render::PoliteFetcher;
use crate::survey::OpenSurvey;

/// URLs handed over at a time.
const STEP: usize = 5_000;
/// Kept when the sitemaps have been read.
pub(crate) const SITEMAPS_READ: &str = "sitemaps_read";

/// The hosts of the start pages.
pub(crate) fn hosts_of_seeds(survey: &mut OpenSurvey<'_>) -> Result<HashSet<HostId>, StoreError> {
    let mut hosts = HashSet::new();
    for seed in survey.starts.seeds.clone() {
        let page = survey.page_behind(seed)?;
        hosts.extend(survey.ledger.store.address(page)?.map(|row| row.host));
    }
    Ok(hosts)
}

/// Begins to read the sitemaps of hosts that have been asked for their robots.txt; each ends with [`Event::SitemapsDone`]. Returns how many.
pub(crate) fn begin_to_read(survey: &mut OpenSurvey<'_>, hosts: HashSet<HostId>, events: &Sender<Event>) -> usize {
    let kernel = &mut survey.kernel;
    let polite_fetcher = Arc::new(PoliteFetcher::new(Arc::clone(&kernel.fetcher), events.clone(), &kernel.manners));
    let mut begun = 0;
    for id in hosts {
        let Some(host) = kernel.hosts.get(id) else { continue };
        let Standing::Open { robots, .. } = &host.standing else { continue };
        let (origin, named) = (host.origin.clone(), robots.sitemaps().to_vec());
        let walk = SitemapWalk {
            fetcher: Arc::clone(&kernel.fetcher),
            polite_fetcher: Arc::clone(&polite_fetcher),
            limits: kernel.manners.limits.clone(),
            messenger: Messenger::new(events.clone(), Event::SitemapsDone),
            guessed: named.is_empty(),
            waiting: VecDeque::new(),
            seen: HashSet::new(),
            indexes: 0,
        };
        begun += 1;
        kernel.runtime.spawn(walk.run(origin, named));
    }
    begun
}

/// A sitemap to be read.
struct Waiting {
    url: Url,
    /// How many indexes name one another above it.
    depth: u64,
    /// How many redirects led to it.
    hops: u64,
}

/// The sitemaps of one host: those its robots.txt names, else `/sitemap.xml`, and all they name in turn.
struct SitemapWalk {
    fetcher: Arc<dyn Fetcher>,
    polite_fetcher: Arc<PoliteFetcher>,
    limits: Limits,
    messenger: Messenger<Event>,
    /// Nobody said that there is one.
    guessed: bool,
    waiting: VecDeque<Waiting>,
    seen: HashSet<Url>,
    /// Indexes read so far.
    indexes: u64,
}

impl SitemapWalk {
    async fn run(mut self, origin: Url, named: Vec<String>) {
        let start = if self.guessed { vec!["/sitemap.xml".to_owned()] } else { named };
        let start = start.iter().filter_map(|place| Some(Waiting { url: origin.join(place).ok()?, depth: 0, hops: 0 }));
        self.waiting.extend(start);
        while let Some(next) = self.waiting.pop_front() {
            if self.seen.len() as u64 >= self.limits.sitemap_files {
                self.messenger.say(Event::LimitHit("sitemap_files"));
                let left = grouped(self.waiting.len() as u64);
                self.found(&next.url, &format!("not read, with {left} more: sitemap_files"));
                break;
            }
            if !matches!(next.url.scheme(), "http" | "https") || !self.seen.insert(next.url.clone()) {
                continue;
            }
            let Some(file) = self.fetch(&next).await else { continue };
            let bounds = self.limits.clone();
            let (cut, torn) = (file.cut, file.broken);
            let Ok(mut read) = tokio::task::spawn_blocking(move || read(&file.bytes, &bounds)).await else { continue };
            if cut && !read.cuts.contains(&"sitemap_bytes") {
                read.cuts.push("sitemap_bytes");
            }
            self.note(&next, &read, torn);
            if !read.children.is_empty() && !self.takes_index(&next, read.children.len()) {
                continue;
            }
            self.hand_over(&next, &read);
        }
    }

    /// Whether nobody said that this one is there, so that nobody misses it.
    fn is_guess(&self, one: &Waiting) -> bool {
        self.guessed && one.depth == 0
    }

    fn found(&self, url: &Url, detail: &str) {
        let (kind, subject, detail) = ("sitemap".to_owned(), url.to_string(), detail.to_owned());
        self.messenger.say(Event::Found(Finding { kind, subject, detail, since: epoch() }));
    }

    /// A file, if there is one to be had here; where it has moved it waits to be fetched from there.
    async fn fetch(&mut self, one: &Waiting) -> Option<SitemapFile> {
        let url = &one.url;
        let (lane, wait) = match self.polite_fetcher.leave(url).await {
            Ok(granted) => granted,
            Err(why) => return self.missed(one, &why),
        };
        tokio::time::sleep(Duration::from_millis(wait)).await;
        let begun = Instant::now();
        let answer = sitemap(&*self.fetcher, url, &self.limits).await;
        let latency = begun.elapsed().as_millis() as Millis;
        self.polite_fetcher.felt(&lane, Feedback { latency, ..Feedback::default() }, begun);
        match answer {
            Ok(SitemapAnswer::File(file)) => Some(file),
            Ok(SitemapAnswer::Moved(to)) if one.hops < self.limits.redirects => {
                self.waiting.push_front(Waiting { url: to, depth: one.depth, hops: one.hops + 1 });
                None
            }
            Ok(SitemapAnswer::Moved(_)) => {
                self.found(url, "not read: its redirects lead nowhere");
                None
            }
            Err(why) => self.missed(one, &why.to_string()),
        }
    }

    fn missed(&self, one: &Waiting, why: &str) -> Option<SitemapFile> {
        if !self.is_guess(one) {
            self.found(&one.url, &format!("not read: {why}"));
        }
        None
    }

    /// Tells what is wrong with a sitemap, or that nothing is any more.
    fn note(&self, one: &Waiting, read: &Sitemap, torn: bool) {
        let entries = read.entries.len() + read.children.len();
        let count = grouped(entries as u64);
        let broken = read.broken.or(torn.then_some("it breaks off"));
        if !read.cuts.is_empty() {
            self.found(&one.url, &format!("cut after {count} URLs: {}", read.cuts.join(", ")));
        } else if let Some(why) = broken.filter(|_| !self.is_guess(one) || entries > 0) {
            self.found(&one.url, &format!("{why}; {count} URLs read"));
        } else {
            self.found(&one.url, "");
        }
        read.cuts.iter().for_each(|cut| self.messenger.say(Event::LimitHit(cut)));
    }

    /// Are the sitemaps that an index names read, as far as the limits go?
    fn takes_index(&mut self, index: &Waiting, named: usize) -> bool {
        self.indexes += 1;
        let key = if index.depth > self.limits.sitemap_depth {
            "sitemap_depth"
        } else if self.indexes > self.limits.sitemap_indexes {
            "sitemap_indexes"
        } else {
            return true;
        };
        self.messenger.say(Event::LimitHit(key));
        let before = self.waiting.len();
        if key == "sitemap_indexes" {
            // Those beside it may be as many indexes; what lies deeper was named by indexes that were read.
            self.waiting.retain(|one| one.depth > index.depth);
        }
        let (named, beside) = (named as u64, (before - self.waiting.len()) as u64);
        let more = if beside > 0 { format!(", with {} more named beside it", grouped(beside)) } else { String::new() };
        self.found(&index.url, &format!("the sitemaps it names ({}) are not read{more}: {key}", grouped(named)));
        false
    }

    /// What a sitemap names: other sitemaps wait here, pages and media go to the loop.
    fn hand_over(&mut self, one: &Waiting, read: &Sitemap) {
        let url = &one.url;
        let children = read.children.iter().filter_map(|child| url.join(child.trim()).ok());
        self.waiting.extend(children.map(|child| Waiting { url: child, depth: one.depth + 1, hops: 0 }));
        let places = read.entries.iter().flat_map(|e| std::iter::once(&e.loc).chain(&e.alternates));
        let media = read.entries.iter().flat_map(|entry| &entry.media).map(|medium| &medium.loc);
        let kinds: [(LinkKind, Vec<&String>); 2] =
            [(LinkKind::Sitemap, places.collect()), (LinkKind::Image, media.collect())];
        for (kind, places) in kinds {
            let urls: Vec<Url> = places.into_iter().filter_map(|loc| url.join(loc.trim()).ok()).collect();
            for part in urls.chunks(STEP) {
                self.messenger.say(Event::Sitemap(kind, part.to_vec()));
            }
        }
    }
}
