//! A web in memory: URLs, and who links to whom.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use groma_bounds::{Similarity, Tokens};
use groma_model::{PageId, Reason};
use groma_strategy::overflow::{Direction, Overflow, Settings};
use groma_strategy::{Command, Memory, Plan, Strategy, Visit};

use crate::oracle;

/// URLs, links, and the true sites.
pub(crate) struct Web {
    pub(crate) addresses: Vec<String>,
    pub(crate) links: Vec<Vec<u32>>,
    pub(crate) tokens: Tokens,
    pub(crate) sites: Vec<Site>,
}

/// A site of the generated web, with its true pages.
pub(crate) struct Site {
    pub(crate) name: String,
    pub(crate) pages: u32,
    pub(crate) home: u32,
}

fn unpack(path: &Path) -> io::Result<Vec<u8>> {
    zstd::decode_all(std::fs::File::open(path)?)
}

/// The start page of a site: the index of its folder, else its first URL.
fn home(addresses: &[String], prefix: &str) -> Option<u32> {
    let find = |name: &str| addresses.iter().position(|address| address.strip_prefix(prefix) == Some(name));
    let first = || addresses.iter().position(|address| address.starts_with(prefix));
    find("").or_else(|| find("index.html")).or_else(first).map(|at| at as u32)
}

impl Web {
    fn new(addresses: Vec<String>, links: Vec<Vec<u32>>, sites: Vec<Site>) -> Web {
        let mut tokens = Tokens::new();
        for address in &addresses {
            tokens.push(address);
        }
        Web { addresses, links, tokens, sites }
    }

    /// The files of a folder. `mixed`: every site over two of four hosts, so that every host carries many sites.
    pub(crate) fn read(folder: &Path, mixed: bool) -> io::Result<Web> {
        let text = unpack(&folder.join("debdocs.urls.zst"))?;
        let mut addresses: Vec<String> = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
        let mut links = vec![Vec::new(); addresses.len()];
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
        for pair in unpack(&folder.join("debdocs.edges.bin.zst"))?.chunks_exact(8) {
            links[word(&pair[..4]) as usize].push(word(&pair[4..]));
        }
        let table = std::fs::read_to_string(folder.join("debdocs.sites.tsv"))?;
        let rows: Vec<(&str, u32)> = table
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once('\t').and_then(|(prefix, pages)| Some((prefix, pages.parse().ok()?))))
            .collect();
        let site = |&(prefix, pages): &(&str, u32)| {
            let name = prefix.trim_start_matches("https://").to_owned();
            home(&addresses, prefix).map(|home| Site { name, pages, home })
        };
        let sites = rows.iter().filter_map(site).collect();
        if mixed {
            for address in &mut addresses {
                let of = rows.iter().enumerate().find(|(_, (prefix, _))| address.starts_with(prefix));
                if let Some((number, (prefix, _))) = of {
                    let rest = &address[prefix.len()..];
                    let sum: usize = rest.bytes().map(usize::from).sum();
                    *address = format!("https://h{}.example/s{number}/{rest}", (number + sum % 2) % 4);
                }
            }
        }
        Ok(Web::new(addresses, links, sites))
    }

    /// A made web: sites of so many pages, each with so many links, ten of them a menu, one in fifty pages with a link astray.
    pub(crate) fn made(count: u32, size: u32, each: u32) -> Web {
        let mut state = 7u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below.max(1))) as u32
        };
        let (mut addresses, mut links, mut sites) = (Vec::new(), Vec::new(), Vec::new());
        for site in 0..count {
            sites.push(Site { name: format!("made site {site}"), pages: size, home: site * size });
            for page in 0..size {
                let below = if page == 0 { String::new() } else { format!("f{}/p{page}.html", page % 40) };
                addresses.push(format!("https://h{}.example/s{site}/{below}", site % 3));
                let mut own: Vec<u32> = (0..10).map(|n| site * size + n).collect();
                own.extend((10..each).map(|_| site * size + draw(size)));
                own.extend((page == 0).then(|| 0..size.div_ceil(4)).into_iter().flatten().map(|n| site * size + 4 * n));
                own.extend((draw(50) == 0).then(|| draw(count * size)));
                own.retain(|&to| to < count * size);
                links.push(own);
            }
        }
        Web::new(addresses, links, sites)
    }

    /// Fetches what the strategy wants, until it has enough.
    pub(crate) fn walk(&self, strategy: &mut Overflow, seed: u32) {
        let mut plan = Plan::default();
        strategy.begin(&[PageId(seed)], &mut plan);
        strategy.meet(PageId(seed), &self.addresses[seed as usize]);
        let mut met = HashSet::from([seed]);
        for round in 0.. {
            for command in std::mem::take(&mut plan.commands) {
                let Command::Want(page, _) = command else { return };
                let links = &self.links[page.0 as usize];
                for &to in links {
                    if met.insert(to) {
                        strategy.meet(PageId(to), &self.addresses[to as usize]);
                    }
                }
                let links: Vec<PageId> = links.iter().map(|&to| PageId(to)).collect();
                strategy.visit(&Visit { links: &links, ..Visit::without_content(page, Reason::Fetched) }, &mut plan);
            }
            strategy.round(round, &mut plan);
        }
    }

    /// What links lead to from a page: all that a crawl from there could ever find.
    pub(crate) fn reachable(&self, seed: u32) -> Vec<bool> {
        let mut found = vec![false; self.addresses.len()];
        found[seed as usize] = true;
        let mut waiting = vec![seed];
        while let Some(page) = waiting.pop() {
            for &to in &self.links[page as usize] {
                if !std::mem::replace(&mut found[to as usize], true) {
                    waiting.push(to);
                }
            }
        }
        found
    }

    /// The largest minimum cut of the pages that count.
    pub(crate) fn exact(&self, seed: u32, settings: &Settings, price: f64, counts: &[bool]) -> Vec<bool> {
        let similarity = Similarity::new(settings.sigma);
        let fixed = |capacity: f64| (capacity * (1u64 << 38) as f64).round() as i64;
        let both = settings.direction == Direction::Both;
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (from, links) in self.links.iter().enumerate().filter(|(from, _)| counts[*from]) {
            let from = from as u32;
            let ends = |&to: &u32| if both { (from.min(to), from.max(to)) } else { (from, to) };
            pairs.extend(links.iter().filter(|&&to| to != from && counts[to as usize]).map(ends));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let edge = |&(a, b): &(u32, u32)| {
            let capacity = fixed(similarity.between(&self.tokens, a, b));
            (a, b, capacity, if both { capacity } else { 0 })
        };
        let edges: Vec<_> = pairs.iter().map(edge).collect();
        oracle::cut(self.addresses.len() as u32, &edges, &[seed], fixed(price)).largest
    }
}
