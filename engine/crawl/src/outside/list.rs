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
            let is_known_there = || settings.known_at.iter().any(|host| *host == host_of(&address.url));
            if !is_candidate(address) || is_known_there() {
                return;
            }
            let print = Fp::hash_bytes(address.url.as_bytes());
            match lately.end(print, settings.manners.limits.redirects) {
                Lead::Good => return,
                Lead::Unasked(url) => return list.left.push(url),
                Lead::Due => {}
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

/// What was asked lately and was good: there, or leading elsewhere, or kept from us. And what was not.
struct Lately {
    good: Vec<Fp>,
    bad: Vec<Fp>,
    leads: HashMap<Fp, String>,
}

/// Where a URL leads by what was asked lately.
enum Lead {
    /// To something that was good.
    Good,
    /// To this URL, which was not asked.
    Unasked(String),
    /// To nothing good, or it was not asked itself.
    Due,
}

impl Lately {
    fn read(keeper: &mut Outside, settings: &OutsideSettings, now: i64) -> Result<Lately, StoreError> {
        let again = i64::try_from(settings.again_s).unwrap_or(i64::MAX);
        let mut lately = Lately { good: Vec::new(), bad: Vec::new(), leads: HashMap::new() };
        keeper.each(&mut |OutsideAnswer { url, at, reason, leads_to, .. }| {
            let print = Fp::hash_bytes(url.as_bytes());
            if reason.state() == State::Broken {
                lately.bad.push(print);
            } else if now.saturating_sub(at) < again {
                lately.good.push(print);
                if reason == Reason::Redirected {
                    lately.leads.insert(print, leads_to);
                }
            }
        })?;
        lately.good.sort_unstable();
        lately.bad.sort_unstable();
        Ok(lately)
    }

    /// Where a URL leads in the end. A redirect to what was broken may lead elsewhere by now; so may one without an end.
    fn end(&self, print: Fp, hops: u64) -> Lead {
        let has = |list: &[Fp], print: Fp| list.binary_search(&print).is_ok();
        if !has(&self.good, print) {
            return Lead::Due;
        }
        let mut at = print;
        for hop in 0..=hops {
            let Some(to) = self.leads.get(&at) else { return Lead::Good };
            at = Fp::hash_bytes(to.as_bytes());
            if has(&self.bad, at) {
                return Lead::Due;
            }
            if !has(&self.good, at) {
                // Nobody is led any further than that.
                return if hop < hops { Lead::Unasked(to.clone()) } else { Lead::Due };
            }
        }
        Lead::Due
    }
}

/// The host of a canonical URL of the web, with its port if that is not the usual one.
fn host_of(url: &str) -> &str {
    let origin = origin_of(url);
    origin.find("://").map_or(origin, |at| &origin[at + 3..])
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
