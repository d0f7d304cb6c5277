//! A site that changes when an epoch is turned from outside.
//!
//! Truth: page `i` (1 to [`Changing::pages`]) at `/page/i.html` has a fate by `i % 10`, and it strikes in epoch 1:
//! 1 changes its text in every epoch ([`Changing::changed`]), 2 is removed (404, [`Changing::removed`]), 3 moves by 301
//! to `/moved/i.html` with its text ([`Changing::moved`]), 4 is only there from then on ([`Changing::added`]); the
//! others never change ([`Changing::stable`]). The home page links to all pages that are or were there, so it changes
//! once, from epoch 0 to 1. From epoch 1 to any later one only the pages of fate 1 change.
//!
//! Every page has an ETag and a Last-Modified (see [`Keeps`]) made of the epoch of its last change, and answers 304
//! by the rules of RFC 9110: `If-None-Match` alone counts if it is there, compared weakly, `*` matches anything;
//! otherwise `If-Modified-Since` at or after the date.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use super::number_in;
use crate::prose::{Page, mix, word, words};
use crate::{Answer, Ask, Web};

/// 2024-01-01; the site counts one day for each epoch.
const BEGIN: u64 = 1_704_067_200;

/// Which validators the site gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeps {
    /// ETag and Last-Modified.
    #[default]
    Both,
    /// ETag alone.
    Etag,
    /// Last-Modified alone.
    Date,
    /// Neither; it never answers 304.
    Neither,
}

#[derive(Clone, Debug)]
pub struct Changing {
    /// How many pages there are besides the home page, over all epochs.
    pub pages: usize,
    /// The validators the site gives.
    pub keeps: Keeps,
    epoch: Arc<AtomicU64>,
}

impl Changing {
    /// A site of so many pages, in the epoch the counter says.
    pub fn new(pages: usize, epoch: Arc<AtomicU64>) -> Changing {
        Changing { pages, keeps: Keeps::Both, epoch }
    }

    fn with_fate(&self, fates: impl Fn(usize) -> bool) -> Vec<String> {
        (1..=self.pages).filter(|i| fates(i % 10)).map(|i| format!("/page/{i}.html")).collect()
    }

    /// Pages whose text changes with every epoch; the home page, which changes once, is not among them.
    pub fn changed(&self) -> Vec<String> {
        self.with_fate(|fate| fate == 1)
    }

    /// Pages that are 404 from epoch 1 on.
    pub fn removed(&self) -> Vec<String> {
        self.with_fate(|fate| fate == 2)
    }

    /// Pages that have moved from epoch 1 on: their old paths.
    pub fn moved(&self) -> Vec<String> {
        self.with_fate(|fate| fate == 3)
    }

    /// Pages that are there, and linked, from epoch 1 on.
    pub fn added(&self) -> Vec<String> {
        self.with_fate(|fate| fate == 4)
    }

    /// Pages that never change.
    pub fn stable(&self) -> Vec<String> {
        self.with_fate(|fate| !(1..=4).contains(&fate))
    }

    fn page(&self, ask: &Ask, epoch: u64) -> Option<Answer> {
        if ask.path == "/" {
            let there = (1..=self.pages).filter(|i| epoch > 0 || i % 10 != 4);
            let page = Page::new("Home").says("All pages.").links(there.map(|i| format!("/page/{i}.html")));
            return Some(self.validated(ask, "home", epoch.min(1), page.answer()));
        }
        let text = |i: usize, version: u64| {
            let seed = mix(version, i as u64);
            let says = format!("{} {} {}", word(i as u64 + 2048), words(i as u64, 60), words(seed, 20));
            let page = Page::new(&format!("Page {i}")).says(&says).link("/", "home");
            self.validated(ask, &i.to_string(), version, page.answer())
        };
        if let Some(i) = number_in(&ask.path, "/moved/", ".html") {
            return (i > 0 && i <= self.pages && i % 10 == 3 && epoch > 0).then(|| text(i, 0));
        }
        let i = number_in(&ask.path, "/page/", ".html").filter(|i| *i > 0 && *i <= self.pages)?;
        match i % 10 {
            1 => Some(text(i, epoch)),
            2 if epoch > 0 => None,
            3 if epoch > 0 => Some(Answer::redirect(301, &format!("/moved/{i}.html"))),
            4 if epoch == 0 => None,
            4 => Some(text(i, 1)),
            _ => Some(text(i, 0)),
        }
    }

    /// The answer with its validators, or 304 if the client has it.
    fn validated(&self, ask: &Ask, name: &str, version: u64, answer: Answer) -> Answer {
        let etag = matches!(self.keeps, Keeps::Both | Keeps::Etag).then(|| format!("\"{name}-{version}\""));
        // Beyond the year 9999 no date can be written; an epoch so late only stays at the last day.
        let days = Duration::from_secs(version.min(2_000_000) * 86_400);
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(BEGIN) + days;
        let date = matches!(self.keeps, Keeps::Both | Keeps::Date).then_some(date);
        let answer = if has_it(ask, etag.as_deref(), date) { Answer::status(304) } else { answer };
        let answer = etag.iter().fold(answer, |answer, etag| answer.with_header("ETag", etag));
        date.iter().fold(answer, |answer, date| answer.with_header("Last-Modified", &httpdate::fmt_http_date(*date)))
    }
}

fn has_it(ask: &Ask, etag: Option<&str>, date: Option<SystemTime>) -> bool {
    let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    if let Some(wanted) = ask.header("if-none-match") {
        return etag.is_some_and(|etag| wanted.split(',').any(|tag| tag.trim() == "*" || strong(tag) == etag));
    }
    let since = ask.header("if-modified-since").and_then(|since| httpdate::parse_http_date(since).ok());
    since.is_some_and(|since| date.is_some_and(|date| date <= since))
}

impl Web for Changing {
    fn answer(&self, ask: &Ask) -> Answer {
        self.page(ask, self.epoch.load(Ordering::Relaxed)).unwrap_or_else(|| Answer::status(404))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::naive;

    fn at(epoch: u64) -> Changing {
        Changing::new(50, Arc::new(AtomicU64::new(epoch)))
    }

    fn status(site: &Changing, ask: &Ask) -> u16 {
        site.answer(ask).status
    }

    #[test]
    fn the_epochs_have_the_pages_they_should() {
        let (before, after) = (naive(&at(0), 1000), naive(&at(1), 1000));
        assert_eq!((before.count(200), before.count(404), before.count(301)), (46, 0, 0));
        assert_eq!((after.count(200), after.count(404), after.count(301)), (46, 5, 5));
        let site = at(0);
        let fates = [site.changed(), site.removed(), site.moved(), site.added(), site.stable()];
        assert_eq!(fates.map(|fate| fate.len()), [5, 5, 5, 5, 30]);
    }

    #[test]
    fn only_what_changed_is_sent_again() {
        for keeps in [Keeps::Both, Keeps::Etag, Keeps::Date] {
            let (old, new) = (Changing { keeps, ..at(1) }, Changing { keeps, ..at(2) });
            for (path, depth) in naive(&old, 1000).depth {
                let first = old.answer(&Ask::get(&path));
                let mut again = Ask::get(&path);
                for (theirs, ours) in [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")] {
                    again = first.header(theirs).into_iter().fold(again, |ask, value| ask.with_header(ours, value));
                }
                let changed = old.changed().contains(&path);
                let expected = match first.status {
                    200 if changed => 200,
                    200 => 304,
                    other => other,
                };
                assert_eq!(status(&new, &again), expected, "{path} at depth {depth}, {keeps:?}");
            }
        }
    }

    #[test]
    fn a_site_without_validators_sends_all() {
        let site = Changing { keeps: Keeps::Neither, ..at(0) };
        assert_eq!(site.answer(&Ask::get("/")).headers.len(), 1);
        assert_eq!(status(&site, &Ask::get("/").with_header("If-None-Match", "*")), 200);
    }

    #[test]
    fn conditions_are_read_by_the_rules() {
        let asked = |name: &str, value: &str| status(&at(0), &Ask::get("/page/5.html").with_header(name, value));
        assert_eq!(asked("If-None-Match", "\"x\", W/\"5-0\""), 304);
        assert_eq!(asked("If-None-Match", "*"), 304);
        assert_eq!(asked("If-None-Match", "\"5-1\""), 200);
        assert_eq!(asked("If-Modified-Since", "Mon, 01 Jan 2024 00:00:00 GMT"), 304);
        assert_eq!(asked("If-Modified-Since", "Sun, 31 Dec 2023 23:59:59 GMT"), 200);
        assert_eq!(asked("If-Modified-Since", "yesterday"), 200);
        let both = Ask::get("/page/5.html").with_header("If-None-Match", "\"other\"");
        let both = both.with_header("If-Modified-Since", "Mon, 01 Jan 2035 00:00:00 GMT");
        assert_eq!(status(&at(0), &both), 200, "If-None-Match alone counts");
    }

    #[test]
    fn only_text_of_changed_pages_differs_between_later_epochs() {
        let body = |epoch: u64, path: &str| at(epoch).answer(&Ask::get(path)).body;
        assert_ne!(body(1, "/page/1.html"), body(2, "/page/1.html"));
        assert_eq!(body(1, "/page/5.html"), body(2, "/page/5.html"));
        assert_eq!(body(1, "/"), body(2, "/"));
        assert_ne!(body(0, "/"), body(1, "/"));
        assert_eq!(body(0, "/page/3.html"), body(1, "/moved/3.html"));
    }
}
