//! How long does it take to turn the verdicts on a million pages into a list of prefixes, and to ask that list about a page?
//!
//! `cargo run --release -p groma-bounds --example prefixes [pages]`: 40 hosts, folders three deep, some of them out or undecided as a
//! whole, and one page in 500 an exception. Or on pages of true sites, each site found exactly and then with every 50th page missed:
//! `... --example prefixes addresses.txt sites.tsv` (a URL a line; see `truth.rs`).

use std::hint::black_box;
use std::time::Instant;

use groma_bounds::prefixes::{Page, Standing, apply, list, surt_rules};
use groma_bounds::truth::{Grouping, read};
use groma_url::Url;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [addresses, sites] => real(&file(addresses), &file(sites)),
        [pages] => synthetic(pages.parse().expect("a number of pages")),
        _ => synthetic(1_000_000),
    }
}

fn file(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn synthetic(count: usize) {
    let addresses: Vec<String> = (0..count).map(address).collect();
    let verdicts: Vec<Standing> = (0..count).map(standing).collect();
    let known = addresses.iter().zip(&verdicts);
    let pages = || known.clone().map(|(address, &standing)| Page { address, standing, confidence: 1.0 });
    let start = Instant::now();
    let lines = list(pages());
    println!("{count} pages: {} lines in {:.2} s", lines.len(), start.elapsed().as_secs_f64());
    let matcher = apply(&lines);
    let start = Instant::now();
    let wrong = pages().filter(|page| matcher.standing(black_box(page.address)) != page.standing).count();
    let nanoseconds = start.elapsed().as_nanos() as f64 / count as f64;
    println!("asked about each: {wrong} wrong, {nanoseconds:.0} ns a page");
    let start = Instant::now();
    let told = surt_rules(&lines, false, addresses.iter().map(String::as_str));
    let took = start.elapsed().as_secs_f64();
    println!("as SURT: {} rules, {} pages untold, {took:.2} s", told.rules.len(), told.untold.len());
}

fn address(n: usize) -> String {
    format!("https://host{}.example.org/section-{}/topic-{}/page-{n}.html", n % 40, n / 40 % 23, n / 920 % 31)
}

fn standing(n: usize) -> Standing {
    let (host, section, topic) = (n % 40, n / 40 % 23, n / 920 % 31);
    let folder = match (host, section, topic) {
        (20.., ..) => Standing::Out,
        (_, 7, _) => Standing::Out,
        (_, 9, 0..4) => Standing::Undecided,
        _ => Standing::In,
    };
    match (n % 500, folder) {
        (13, Standing::In) => Standing::Out,
        (13, _) => Standing::In,
        _ => folder,
    }
}

fn real(addresses: &str, sites: &str) {
    let (truth, complaints) = read(sites, Grouping::Usual);
    println!("{} sites, {} complaints", truth.sites().len(), complaints.len());
    let addresses: Vec<&str> = addresses.lines().filter(|line| Url::parse(line).is_ok()).collect();
    let owners: Vec<Option<usize>> = addresses.iter().map(|address| truth.site_of(address)).collect();
    let sizes = truth.sizes(addresses.iter().copied());
    let mut sums = [0usize; 4];
    for (site, size) in sizes.iter().enumerate() {
        for (missed, sum) in [(None, 0), (Some(50), 2)] {
            let is_in = |n: usize| owners[n] == Some(site) && missed.is_none_or(|missed| n % missed != 7);
            let standing = |n: usize| if is_in(n) { Standing::In } else { Standing::Out };
            let pages = addresses.iter().enumerate().map(|(n, address)| Page {
                address,
                standing: standing(n),
                confidence: 1.0,
            });
            let lines = list(pages);
            let matcher = apply(&lines);
            let found = addresses.iter().filter(|address| matcher.standing(address) == Standing::In).copied();
            let score = truth.score(site, *size, found);
            let expected = (0..addresses.len()).filter(|&n| is_in(n)).count();
            assert_eq!(
                (score.size as usize, score.both as usize),
                (expected, expected),
                "{}",
                truth.sites()[site].name
            );
            sums[sum] += lines.len();
            sums[sum + 1] += lines.iter().filter(|line| line.single).count();
        }
    }
    println!("found exactly: {} lines for all sites, {} of them single pages", sums[0], sums[1]);
    println!("every 50th page missed: {} lines for all sites, {} of them single pages", sums[2], sums[3]);
}
