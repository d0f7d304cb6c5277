//! Sites side by side: each in a folder of its own, on one host or on several, with few links between them.
//!
//! Truth: the home page of a site leads to every fourth page of it, every page to a menu of ten, to ten others of its site, and
//! every twentieth to some page of another. Every thirtieth page has a link that is dead, one to a page that is closed, and one
//! by an old name.

use std::collections::{BTreeSet, HashMap};

use groma_bounds::{Similarity, Tokens};
use groma_testweb::prose::{Page, mix, words};
use groma_testweb::{Answer, Ask};

use super::oracle;

/// A site: its folder, its pages, the hosts they are on in turn.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) folder: &'static str,
    pub(super) pages: u64,
    pub(super) hosts: &'static [&'static str],
}

/// Sites at a port.
#[derive(Clone, Debug)]
pub(super) struct Town {
    pub(super) sites: Vec<Site>,
}

/// What a URL of the town is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Page(usize, u64),
    Old(usize, u64),
    Closed(usize, u64),
    Dead(usize, u64),
}

impl Town {
    /// The URL of a place.
    pub(super) fn address(&self, place: Place, port: u16) -> String {
        let (site, path) = match place {
            Place::Page(site, 0) => (site, String::new()),
            Place::Page(site, n) => (site, format!("f{}/p{n}.html", n % 7)),
            Place::Old(site, n) => (site, format!("old/{n}")),
            Place::Closed(site, n) => (site, format!("closed/{n}")),
            Place::Dead(site, n) => (site, format!("dead/{n}")),
        };
        let n = match place {
            Place::Page(_, n) | Place::Old(_, n) | Place::Closed(_, n) | Place::Dead(_, n) => n as usize,
        };
        let Site { folder, hosts, .. } = &self.sites[site];
        format!("http://{}:{port}/{folder}/{path}", hosts[n % hosts.len()])
    }

    fn place(&self, ask: &Ask) -> Option<Place> {
        let (folder, rest) = ask.path.strip_prefix('/')?.split_once('/')?;
        let site = self.sites.iter().position(|site| site.folder == folder)?;
        let last = rest.rsplit('/').next()?;
        let n = last.trim_start_matches('p').trim_end_matches(".html").parse().ok();
        let place = match (rest.split('/').next()?, n) {
            ("", _) => Place::Page(site, 0),
            ("old", Some(n)) => Place::Old(site, n),
            ("closed", Some(n)) => Place::Closed(site, n),
            ("dead", Some(n)) => Place::Dead(site, n),
            (_, Some(n)) if n < self.sites[site].pages => Place::Page(site, n),
            _ => return None,
        };
        let port = ask.host.rsplit(':').next()?.parse().ok()?;
        (self.address(place, port) == format!("http://{}{}", ask.host, ask.path)).then_some(place)
    }

    /// Where a page leads.
    pub(super) fn links(&self, site: usize, page: u64) -> Vec<Place> {
        let size = self.sites[site].pages;
        let some = |n: u64| mix(page + 1, n + 100 * site as u64);
        let mut links: Vec<Place> = (0..10).map(|n| Place::Page(site, n)).collect();
        links.extend((0..8).map(|n| Place::Page(site, some(n) % size)));
        links.extend([Place::Page(site, (page + 1) % size), Place::Page(site, (page + size - 1) % size)]);
        if page == 0 {
            links.extend((0..size).step_by(4).map(|n| Place::Page(site, n)));
        }
        if page % 20 == 7 && self.sites.len() > 1 {
            let other = (site + 1 + some(50) as usize % (self.sites.len() - 1)) % self.sites.len();
            links.push(Place::Page(other, some(51) % self.sites[other].pages));
        }
        if page % 30 == 11 {
            links.extend([Place::Dead(site, page), Place::Closed(site, page), Place::Old(site, page)]);
        }
        links
    }

    /// What the server says.
    pub(super) fn answer(&self, ask: &Ask) -> Answer {
        let port: u16 = ask.host.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(0);
        match self.place(ask) {
            Some(Place::Page(site, page)) => {
                let text = words(page * 31 + site as u64, 60);
                let mut html = Page::new(&format!("{} {page}", self.sites[site].folder)).says(&text);
                for link in self.links(site, page) {
                    html.add_link(&self.address(link, port), "on");
                }
                html.answer()
            }
            Some(Place::Old(site, n)) => Answer::redirect(301, &self.address(Place::Page(site, n / 2), port)),
            Some(Place::Closed(..)) => Answer::status(403),
            _ => Answer::status(404),
        }
    }

    /// The exact site around a page: the largest minimum cut of the whole town, as URLs.
    pub(super) fn exact(&self, seed: Place, port: u16, sigma: f64, price: f64) -> BTreeSet<String> {
        let mut numbers: HashMap<Place, u32> = HashMap::new();
        let (mut tokens, mut names) = (Tokens::new(), Vec::new());
        let mut pairs = BTreeSet::new();
        let mut node = |place: Place| {
            // An old name is its page.
            let place = if let Place::Old(site, n) = place { Place::Page(site, n / 2) } else { place };
            *numbers.entry(place).or_insert_with(|| {
                names.push(self.address(place, port));
                tokens.push(&self.address(place, port))
            })
        };
        let seed = node(seed);
        for site in 0..self.sites.len() {
            for page in 0..self.sites[site].pages {
                let from = node(Place::Page(site, page));
                for to in self.links(site, page) {
                    let to = if matches!(to, Place::Dead(..)) { from } else { node(to) };
                    if to != from {
                        pairs.insert((from.min(to), from.max(to)));
                    }
                }
            }
        }
        let similarity = Similarity::new(sigma);
        let fixed = |amount: f64| (amount * (1u64 << 38) as f64).round() as i64;
        let edge = |&(a, b): &(u32, u32)| {
            let capacity = fixed(similarity.between(&tokens, a, b));
            (a, b, capacity, capacity)
        };
        let edges: Vec<_> = pairs.iter().map(edge).collect();
        let exact = oracle::cut(names.len() as u32, &edges, &[seed], fixed(price));
        names.into_iter().zip(exact.largest).filter(|(_, inside)| *inside).map(|(name, _)| name).collect()
    }
}
