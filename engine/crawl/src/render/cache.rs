//! What one page was supplied with and another may need: kept in memory while the crawl lasts.
//!
//! Scripts and styles are kept for the run, whatever they say but `no-store`: a crawl is short, and a server should not be asked a
//! thousand times for what all its pages share. Data is kept as long as its `max-age`. When there is more than `js_cache_bytes`,
//! what was not used for longest goes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use groma_render::{Sort, Supplied};

/// Subresources that were fetched, reused for other pages.
pub(crate) struct Cache {
    kept: HashMap<String, Kept>,
    /// By when they were last used.
    order: BTreeMap<u64, String>,
    clock: u64,
    bytes: u64,
    most: u64,
}

struct Kept {
    answer: Arc<Supplied>,
    until: Option<Instant>,
    used: u64,
}

impl Cache {
    pub(crate) fn new(most: u64) -> Cache {
        Cache { kept: HashMap::new(), order: BTreeMap::new(), clock: 0, bytes: 0, most }
    }

    /// What is kept of a URL.
    pub(crate) fn get(&mut self, url: &str, now: Instant) -> Option<Arc<Supplied>> {
        let kept = self.kept.get_mut(url)?;
        if kept.until.is_some_and(|until| until <= now) {
            self.remove(url);
            return None;
        }
        self.clock += 1;
        self.order.remove(&kept.used);
        kept.used = self.clock;
        self.order.insert(self.clock, url.to_owned());
        Some(Arc::clone(&kept.answer))
    }

    /// Keeps an answer, if it may be kept.
    pub(crate) fn put(&mut self, url: &str, sort: Sort, answer: &Arc<Supplied>, now: Instant) {
        let Some(age) = lifetime(sort, answer) else { return };
        let size = cost(url, answer);
        // One thing must not drive out everything else.
        if size > self.most / 4 {
            return;
        }
        self.remove(url);
        self.clock += 1;
        self.bytes += size;
        self.order.insert(self.clock, url.to_owned());
        let until = age.and_then(|age| now.checked_add(age));
        self.kept.insert(url.to_owned(), Kept { answer: Arc::clone(answer), until, used: self.clock });
        while self.bytes > self.most {
            let Some((_, oldest)) = self.order.first_key_value() else { break };
            let oldest = oldest.clone();
            self.remove(&oldest);
        }
    }

    fn remove(&mut self, url: &str) {
        if let Some(gone) = self.kept.remove(url) {
            self.order.remove(&gone.used);
            self.bytes -= cost(url, &gone.answer);
        }
    }
}

fn cost(url: &str, answer: &Supplied) -> u64 {
    let headers: usize = answer.headers.iter().map(|(name, value)| name.len() + value.len()).sum();
    (url.len() * 2 + headers + answer.body.len() + 200) as u64
}

/// How long an answer may be kept: nothing for not at all, nothing inside for the run.
fn lifetime(sort: Sort, answer: &Supplied) -> Option<Option<Duration>> {
    let says = |word: &str| {
        let fields = answer.headers.iter().filter(|(name, _)| name == "cache-control");
        fields.flat_map(|(_, value)| value.split(',')).any(|part| part.trim().eq_ignore_ascii_case(word))
    };
    if answer.status != 200 || says("no-store") {
        return None;
    }
    match sort {
        Sort::Script | Sort::Style | Sort::Font | Sort::Image => Some(None),
        Sort::Data if says("no-cache") || says("private") => None,
        Sort::Data => {
            let varies = answer.headers.iter().any(|(name, value)| name == "vary" && value.trim() != "Accept-Encoding");
            let fields = answer.headers.iter().filter(|(name, _)| name == "cache-control");
            let age = fields.flat_map(|(_, value)| value.split(',')).find_map(|part| {
                let (name, value) = part.trim().split_once('=')?;
                name.eq_ignore_ascii_case("max-age").then(|| value.trim().parse::<u64>().ok()).flatten()
            });
            age.filter(|age| *age > 0 && !varies).map(|age| Some(Duration::from_secs(age)))
        }
        Sort::Media | Sort::Frame | Sort::Onward | Sort::Posted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(control: &str, size: usize) -> Arc<Supplied> {
        let headers = vec![("cache-control".to_owned(), control.to_owned())];
        Arc::new(Supplied { status: 200, headers, body: vec![0; size] })
    }

    #[test]
    fn scripts_are_kept_for_the_run_and_data_for_its_age() {
        let (mut cache, now) = (Cache::new(1 << 20), Instant::now());
        let later = now + Duration::from_secs(60);
        for (url, sort, control, kept, still) in [
            ("a", Sort::Script, "max-age=1", true, true),
            ("b", Sort::Style, "no-cache", true, true),
            ("c", Sort::Script, "public, No-Store", false, false),
            ("d", Sort::Data, "max-age=30", true, false),
            ("e", Sort::Data, "max-age=90", true, true),
            ("f", Sort::Data, "", false, false),
            ("g", Sort::Data, "private, max-age=90", false, false),
            ("h", Sort::Data, "max-age=99999999999999999999", false, false),
        ] {
            cache.put(url, sort, &answer(control, 10), now);
            assert_eq!(cache.get(url, now).is_some(), kept, "{url}");
            assert_eq!(cache.get(url, later).is_some(), still, "{url}");
        }
    }

    #[test]
    fn it_stays_small_and_keeps_what_is_used() {
        let (mut cache, now) = (Cache::new(10_000), Instant::now());
        cache.put("used", Sort::Script, &answer("", 1_000), now);
        cache.put("huge", Sort::Script, &answer("", 9_000), now);
        assert!(cache.get("huge", now).is_none());
        for n in 0..100 {
            cache.put(&format!("x{n}"), Sort::Script, &answer("", 1_000), now);
            assert!(cache.get("used", now).is_some());
            assert!(cache.bytes <= 10_000);
        }
        assert!(cache.kept.len() < 10 && cache.kept.len() == cache.order.len());
    }
}
