//! Which URLs are asked whether they are there?
//!
//! ```text
//! candidates = { q : q known, not fetched because it is out of scope or an image, style or script, by more than the action of a form }
//! due        = candidates without an answer, with one older than `again`, or with one that was not good
//! sample(n)  = the n of them with the least fingerprints
//! ```
//!
//! A fingerprint is as good as chance, and the same every time: a sample says what share of all is broken.

use std::collections::HashMap;
use std::time::Duration;

use groma_model::{Fp, PageId, Reason, State};
use groma_store::outside::{Outside, OutsideAnswer, is_candidate};
use groma_store::{Snapshot, StoreError};

use super::settings::OutsideSettings;
use crate::epoch::epoch;

/// About how long a server takes for one request, where nothing is known of it.
const USUAL: Duration = Duration::from_millis(300);

/// URLs that are due, by their hosts.
#[derive(Debug, Default)]
pub struct OutsideList {
    /// Their origins, each with the numbers of its URLs.
    pub(super) hosts: Vec<(String, Vec<PageId>)>,
    /// Where redirects of earlier answers lead that was not asked.
    pub(super) left: Vec<String>,
    /// When it was made.
    pub(super) now: i64,
}

impl OutsideList {
    /// Those of a survey that are due.
    pub fn read(
        survey: &mut dyn Snapshot,
        keeper: &mut Outside,
        settings: &OutsideSettings,
    ) -> Result<OutsideList, StoreError> {
        let now = epoch();
        let lately = Lately::read(keeper, settings, now)?;
        let mut list = OutsideList { now, ..OutsideList::default() };
        let mut places: HashMap<String, u32> = HashMap::new();
        let mut due: Vec<(Fp, PageId, u32)> = Vec::new();
        survey.each_page(&mut |address, _| {
            if !is_candidate(address) {
                return;
            }
            let print = Fp::hash_bytes(address.url.as_bytes());
            if lately.is_good(print) {
                list.left.extend(lately.unasked_hop(print, settings.manners.limits.redirects));
                return;
            }
            let origin = origin_of(&address.url);
            let place = places.get(origin).copied().unwrap_or_else(|| {
                let place = u32::try_from(list.hosts.len()).unwrap_or(u32::MAX);
                places.insert(origin.to_owned(), place);
                list.hosts.push((origin.to_owned(), Vec::new()));
                place
            });
            due.push((print, address.id, place));
        })?;
        if let Some(most) = settings.sample.and_then(|most| usize::try_from(most).ok()).filter(|most| *most < due.len())
        {
            due.sort_unstable();
            due.truncate(most);
        }
        for (_, id, place) in due {
            list.hosts[place as usize].1.push(id);
        }
        list.hosts.retain(|(_, urls)| !urls.is_empty());
        list.left.sort_unstable();
        list.left.dedup();
        Ok(list)
    }

    /// How many URLs are due.
    pub fn urls(&self) -> u64 {
        self.hosts.iter().map(|(_, urls)| urls.len() as u64).sum::<u64>() + self.left.len() as u64
    }

    /// On how many hosts.
    pub fn hosts(&self) -> u64 {
        self.hosts.len() as u64
    }

    /// About how long it takes: all of them by so many at once, or the longest row at one host, whichever is longer.
    pub fn duration(&self, settings: &OutsideSettings) -> Duration {
        let manners = &settings.manners;
        let pause = manners.delay.max(manners.stranger_delay);
        let row = self.hosts.iter().map(|(_, urls)| urls.len()).max().unwrap_or(0);
        let requests = self.urls() + self.hosts();
        let at_once = u32::try_from(manners.concurrency.max(1)).unwrap_or(u32::MAX);
        let all = USUAL.saturating_mul(u32::try_from(requests).unwrap_or(u32::MAX)) / at_once;
        all.max(pause.max(USUAL).saturating_mul(u32::try_from(row).unwrap_or(u32::MAX)))
    }
}

/// What was asked lately and was good: there, or leading elsewhere, or kept from us.
struct Lately {
    good: Vec<Fp>,
    leads: HashMap<Fp, String>,
}

impl Lately {
    fn read(keeper: &mut Outside, settings: &OutsideSettings, now: i64) -> Result<Lately, StoreError> {
        let again = i64::try_from(settings.again_s).unwrap_or(i64::MAX);
        let mut lately = Lately { good: Vec::new(), leads: HashMap::new() };
        keeper.each(&mut |OutsideAnswer { url, at, reason, leads_to, .. }| {
            let bad = reason.state() == State::Broken;
            if bad || now.saturating_sub(at) >= again {
                return;
            }
            let print = Fp::hash_bytes(url.as_bytes());
            lately.good.push(print);
            if reason == Reason::Redirected {
                lately.leads.insert(print, leads_to);
            }
        })?;
        lately.good.sort_unstable();
        Ok(lately)
    }

    fn is_good(&self, print: Fp) -> bool {
        self.good.binary_search(&print).is_ok()
    }

    /// The first URL behind a redirect, and the redirects that follow it, that was not asked lately.
    fn unasked_hop(&self, print: Fp, hops: u64) -> Option<String> {
        let mut at = print;
        for _ in 0..hops {
            let to = self.leads.get(&at)?;
            at = Fp::hash_bytes(to.as_bytes());
            if !self.is_good(at) {
                return Some(to.clone());
            }
        }
        None
    }
}

/// Scheme, host and port of a canonical URL of the web.
pub(super) fn origin_of(url: &str) -> &str {
    let begin = url.find("://").map_or(0, |at| at + 3);
    let end = url[begin..].find(['/', '?', '#']).map_or(url.len(), |at| begin + at);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_cut_out_of_urls() {
        for (url, origin) in [
            ("https://a.test/x?y", "https://a.test"),
            ("http://a.test:81?q=/", "http://a.test:81"),
            ("http://[::1]:81/", "http://[::1]:81"),
            ("nonsense", "nonsense"),
        ] {
            assert_eq!(origin_of(url), origin);
        }
    }
}
