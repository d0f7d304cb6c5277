//! Many sites at once, each on a loopback address of its own, and a memory of when each was asked for what.
//!
//! Every site is a binary tree of pages; each page leads to the same page of the next site too, so that several who crawl different sites
//! meet the same URLs at once. Some pages redirect to the next site, some links lead nowhere, some are marked nofollow where
//! they are first met.

use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::{Answer, Ask, Server};

/// When which site was asked for which page.
type Log = Arc<Mutex<Vec<(SystemTime, u8, String)>>>;

/// Several sites, each on a loopback address of its own, with a common log.
pub struct Neighbours {
    servers: Vec<Server>,
    log: Log,
}

impl Neighbours {
    /// So many sites (at most 250) with so many pages each, on 127.0.0.1 and the addresses after it.
    ///
    /// # Panics
    /// If there is no port that is free on all of them: no test can go on from there.
    pub fn start(sites: u8, pages: usize) -> Neighbours {
        for _ in 0..20 {
            let log = Log::default();
            let first = Server::start(site(1, sites, pages, 0, Arc::clone(&log)));
            let port = first.port();
            drop(first);
            let start = |site_number: u8| {
                let address = (Ipv4Addr::new(127, 0, 0, site_number), port).into();
                Server::start_on(address, site(site_number, sites, pages, port, Arc::clone(&log)))
            };
            if let Ok(servers) = (1..=sites).map(start).collect() {
                return Neighbours { servers, log };
            }
        }
        panic!("no port is free on {sites} addresses");
    }

    /// The URLs to begin at.
    pub fn seeds(&self) -> Vec<String> {
        self.servers.iter().map(|server| format!("{}/", server.base())).collect()
    }

    /// How many pages were asked for, robots.txt aside.
    pub fn fetches(&self) -> usize {
        self.pages().len()
    }

    /// How many pages were asked for more than once.
    pub fn twice(&self) -> usize {
        let mut times: HashMap<(u8, String), u32> = HashMap::new();
        self.pages().into_iter().for_each(|(_, site, path)| *times.entry((site, path)).or_default() += 1);
        times.values().filter(|times| **times > 1).count()
    }

    /// Which sites were asked for a page sooner than so long after the page before, and how soon.
    pub fn hurried(&self, pause: Duration) -> Vec<(u8, Duration)> {
        let mut last: HashMap<u8, SystemTime> = HashMap::new();
        let gap = |(at, site, _): (SystemTime, u8, String)| {
            let before = last.insert(site, at)?;
            Some((site, at.duration_since(before).unwrap_or_default()))
        };
        self.pages().into_iter().filter_map(gap).filter(|(_, gap)| *gap < pause).collect()
    }

    fn pages(&self) -> Vec<(SystemTime, u8, String)> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner).clone();
        log.retain(|(_, _, path)| path != "/robots.txt");
        log.sort_by_key(|(at, ..)| *at);
        log
    }
}

fn site(number: u8, sites: u8, pages: usize, port: u16, log: Log) -> impl Fn(&Ask) -> Answer + Send + Sync + 'static {
    move |ask: &Ask| {
        let entry = (ask.came.unwrap_or_else(SystemTime::now), number, ask.path.clone());
        log.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
        page(&ask.path, number, sites, pages, port)
    }
}

fn page(path: &str, number: u8, sites: u8, pages: usize, port: u16) -> Answer {
    let next = number % sites + 1;
    let there = |page: usize| match page {
        0 => format!("http://127.0.0.{next}:{port}/"),
        page => format!("http://127.0.0.{next}:{port}/{page}"),
    };
    let asked = if path == "/" { Some(0) } else { path.strip_prefix('/').and_then(|number| number.parse().ok()) };
    let Some(page) = asked.filter(|page| *page < pages) else {
        return match path {
            "/robots.txt" => Answer::text("User-agent: *\nAllow: /\n"),
            _ => Answer::status(404),
        };
    };
    // One in seventeen has moved to the next site.
    if page % 17 == 16 && number.is_multiple_of(2) {
        return Answer::redirect(301, &there(page));
    }
    let children = [2 * page + 1, 2 * page + 2].into_iter().filter(|child| *child < pages);
    let mut body: String = children.map(|child| format!("<p><a href=\"/{child}\">page {child}</a>")).collect();
    let rel = if page % 5 == 4 { " rel=nofollow" } else { "" };
    body += &format!("<p><a href=\"{}\"{rel}>the same page next door</a>", there(page));
    if page % 29 == 28 {
        body += "<p><a href=\"/nowhere\">nothing</a>";
    }
    let words = format!("word{} and word{}", page * 7 + usize::from(number), page * 13 + usize::from(number));
    Answer::html(format!("<title>Page {page} of site {number}</title><h1>{words}</h1>{body}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_remembered() {
        let log = Log::default();
        let web = site(2, 3, 40, 80, Arc::clone(&log));
        let ask = |path: &str| web(&Ask::get(path));
        assert_eq!(ask("/").status, 200);
        assert_eq!(ask("/39").status, 200);
        assert_eq!(ask("/40").status, 404);
        assert_eq!(ask("/33").header("location"), Some("http://127.0.0.3:80/33"));
        ask("/39");
        let neighbours = Neighbours { servers: Vec::new(), log };
        assert_eq!((neighbours.fetches(), neighbours.twice()), (5, 1));
        assert_eq!(neighbours.hurried(Duration::from_secs(60)).len(), 4);
        assert_eq!(neighbours.hurried(Duration::ZERO), []);
    }
}
