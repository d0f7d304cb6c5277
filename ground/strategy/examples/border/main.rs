//! How much has to be fetched to find a border, and is it the right one? A graph with addresses is walked through the strategy
//! as if it were the web, and what it finds is compared with the exact cut of the whole graph.
//!
//! ```text
//! cargo run --release -p groma-strategy --example border -- FOLDER [sigma price]...
//! ```
//!
//! The folder holds `debdocs.urls.zst` (an address a line), `debdocs.edges.bin.zst` (pairs of line numbers, u32, little-endian)
//! and `debdocs.sites.tsv` (prefix, pages). For each site of more than 500 pages, from its home page: pages of the site, pages of
//! the exact cut, pages fetched, both as a part of the other, the likeness of the two cuts (Jaccard), and the time.

#[path = "../../src/overflow/oracle.rs"]
mod oracle;

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use groma_bounds::{Similarity, Tokens};
use groma_model::{PageId, Reason};
use groma_strategy::overflow::{Direction, Height, Overflow, Prices, Settings};
use groma_strategy::{Command, Plan, Strategy, Visit};

struct Web {
    urls: Vec<String>,
    links: Vec<Vec<u32>>,
    tokens: Tokens,
    sites: Vec<(String, u32)>,
    homes: Vec<Option<u32>>,
}

fn unpack(path: &Path) -> std::io::Result<Vec<u8>> {
    zstd::decode_all(std::fs::File::open(path)?)
}

fn read(folder: &Path) -> std::io::Result<Web> {
    let text = unpack(&folder.join("debdocs.urls.zst"))?;
    let urls: Vec<String> = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
    let mut links = vec![Vec::new(); urls.len()];
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
    for pair in unpack(&folder.join("debdocs.edges.bin.zst"))?.chunks_exact(8) {
        let (from, to) = (word(&pair[..4]), word(&pair[4..]));
        if from != to {
            links[from as usize].push(to);
        }
    }
    let table = std::fs::read_to_string(folder.join("debdocs.sites.tsv"))?;
    let row = |line: &str| line.split_once('\t').and_then(|(p, n)| Some((p.to_owned(), n.trim().parse().ok()?)));
    let sites: Vec<(String, u32)> = table.lines().skip(1).filter_map(row).collect();
    let mut urls = urls;
    let real = urls.clone();
    if std::env::var("MIXED").is_ok() {
        for url in &mut urls {
            if let Some((number, (prefix, _))) =
                sites.iter().enumerate().find(|(_, (prefix, _))| url.starts_with(prefix))
            {
                let rest = &url[prefix.len()..];
                let sum: usize = rest.bytes().map(usize::from).sum();
                *url = format!("https://h{}.example/s{number}/{rest}", (number + sum % 2) % 4);
            }
        }
    }
    let mut tokens = Tokens::new();
    urls.iter().for_each(|url| drop(tokens.push(url)));
    let homes = sites.iter().map(|(prefix, _)| home(&real, prefix)).collect();
    Ok(Web { urls, links, tokens, sites, homes })
}

/// The start page of a site: the index of its folder, else its first address.
fn home(urls: &[String], prefix: &str) -> Option<u32> {
    let find = |name: &str| urls.iter().position(|url| url.strip_prefix(prefix) == Some(name));
    let first = || urls.iter().position(|url| url.starts_with(prefix));
    find("").or_else(|| find("index.html")).or_else(first).map(|at| at as u32)
}

/// Fetches what the strategy wants, until it has enough.
fn walk(web: &Web, strategy: &mut Overflow, seed: u32) {
    let mut plan = Plan::default();
    strategy.begin(&[PageId(seed)], &mut plan);
    strategy.meet(PageId(seed), &web.urls[seed as usize]);
    let mut met = HashSet::from([seed]);
    for round in 0.. {
        let commands = std::mem::take(&mut plan.commands);
        for command in commands {
            let Command::Want(page, _) = command else { return };
            let links = &web.links[page.0 as usize];
            for &to in links {
                if met.insert(to) {
                    strategy.meet(PageId(to), &web.urls[to as usize]);
                }
            }
            let links: Vec<PageId> = links.iter().map(|&to| PageId(to)).collect();
            strategy.visit(&Visit { links: &links, ..Visit::of(page, Reason::Fetched) }, &mut plan);
        }
        strategy.round(round, &mut plan);
    }
}

/// What links lead to from a page.
fn reachable(web: &Web, seed: u32) -> Vec<bool> {
    let mut found = vec![false; web.urls.len()];
    found[seed as usize] = true;
    let mut waiting = vec![seed];
    while let Some(page) = waiting.pop() {
        for &to in &web.links[page as usize] {
            if !std::mem::replace(&mut found[to as usize], true) {
                waiting.push(to);
            }
        }
    }
    found
}

fn exact(
    web: &Web,
    seed: u32,
    sigma: f64,
    price: f64,
    direction: Direction,
    counts: &dyn Fn(u32) -> bool,
) -> Vec<bool> {
    let similarity = Similarity::new(sigma);
    let fixed = |capacity: f64| (capacity * (1u64 << 38) as f64).round() as i64;
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (from, links) in web.links.iter().enumerate() {
        let from = from as u32;
        let ordered = |&to: &u32| if direction == Direction::Both { (from.min(to), from.max(to)) } else { (from, to) };
        pairs.extend(links.iter().map(ordered));
    }
    pairs.retain(|&(a, b)| counts(a) && counts(b));
    pairs.sort_unstable();
    pairs.dedup();
    let edge = |&(a, b): &(u32, u32)| {
        let capacity = fixed(similarity.of(&web.tokens, a, b));
        (a, b, capacity, if direction == Direction::Both { capacity } else { 0 })
    };
    let edges: Vec<_> = pairs.iter().map(edge).collect();
    oracle::cut(web.urls.len() as u32, &edges, &[seed], fixed(price)).largest
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        println!("usage: border FOLDER [sigma price]...");
        return Ok(());
    };
    let mut figures: Vec<f64> = arguments.filter_map(|word| word.parse().ok()).collect();
    if figures.len() < 2 {
        figures = vec![1.0, 0.01, 1.0, 0.001, 1.66, 0.01, 1.66, 0.001];
    }
    let web = read(Path::new(&folder))?;
    println!("direction sigma price   site     pages   exact inside fetched /exact  /site likeness  ms rounds");
    for direction in [Direction::Both, Direction::Forward] {
        if std::env::var("DIR").is_ok_and(|d| d != format!("{direction:?}")) {
            continue;
        }
        for pair in figures.chunks_exact(2) {
            for ((prefix, pages), home) in web
                .sites
                .iter()
                .zip(&web.homes)
                .filter(|((p, pages), _)| *pages > 500 && p.contains(&std::env::var("SITE").unwrap_or_default()))
            {
                let Some(seed) = *home else { continue };
                let (sigma, price) = (pair[0], pair[1]);
                let height = match std::env::var("HEIGHT").ok().and_then(|h| h.parse().ok()) {
                    Some(h) => Height::Low(h),
                    None => Height::Full,
                };
                let d = Settings::default();
                let threshold = std::env::var("THR").ok().and_then(|h| h.parse().ok()).unwrap_or(d.threshold);
                let batch = std::env::var("BATCH").ok().and_then(|h| h.parse().ok()).unwrap_or(d.batch);
                let settings = Settings {
                    sigma,
                    direction,
                    height,
                    threshold,
                    batch,
                    guess: std::env::var("GUESS").ok().and_then(|h| h.parse().ok()).unwrap_or(d.guess),
                    ..d
                };
                let start = Instant::now();
                let mut strategy = Overflow::new(settings, Prices::one(price));
                walk(&web, &mut strategy, seed);
                let ms = start.elapsed().as_millis();
                let found = strategy.outcome();
                if std::env::var("NOEXACT").is_ok() {
                    println!("{prefix} {} {} {ms}", found.inside.len(), found.account.fetches);
                    continue;
                }
                let whole = exact(&web, seed, sigma, price, direction, &|_| true);
                let within = reachable(&web, seed);
                let exact = exact(&web, seed, sigma, price, direction, &|node| within[node as usize]);
                let whole_size = whole.iter().filter(|inside| **inside).count();
                let size = exact.iter().filter(|inside| **inside).count();
                let both = found.inside.iter().filter(|page| exact[page.0 as usize]).count();
                let likeness = both as f64 / (size + found.inside.len() - both) as f64;
                let fetched = found.account.fetches;
                println!(
                    "{direction:?} {sigma:5} {price:6} {:42} {pages:5} {whole_size:5} {size:5} {:5} {fetched:5} {:5.2} {:5.2} {likeness:.4} {ms:5} {:?}",
                    prefix.trim_start_matches("https://"),
                    found.inside.len(),
                    f64::from(fetched) / size as f64,
                    f64::from(fetched) / f64::from(*pages),
                    found.account.stop,
                );
            }
        }
    }
    Ok(())
}
