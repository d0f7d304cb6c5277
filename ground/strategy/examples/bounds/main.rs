//! How much has to be fetched to find the bounds of a site, and are they right? A graph with URLs is walked through the strategy
//! as if it were the web, and what it finds is compared with the exact cut.
//!
//! ```text
//! cargo run --release -p groma-strategy --example bounds -- FOLDER [--mixed] [--forward] [--low HEIGHT] [--sweep | --choose]
//!     [SIGMA PRICE]...
//! cargo run --release -p groma-strategy --example bounds -- --made SITES PAGES LINKS
//! ```
//!
//! The folder holds `debdocs.urls.zst` (a URL a line), `debdocs.edges.bin.zst` (pairs of line numbers, u32, little-endian)
//! and `debdocs.sites.tsv` (prefix, pages). Each site of more than 500 pages is sought from its home page. Shown: its true
//! pages; the exact cut of the whole graph; that of the pages links lead to from the home page, which is all a crawl can find;
//! pages found; pages fetched; fetched as a multiple of the exact cut; the similarity of found and exact pages (Jaccard, against
//! what a crawl can find and against the whole graph); milliseconds of the search. `--sweep`: from the price 0.1 down to the
//! given one, until the site leaks; then the exact cut is that of the price chosen. `--choose`: as `groma bounds --online` does it, the
//! price is chosen by the program, from the family; a pair of numbers is not needed. Then it is a check: of every site whose exact
//! cut has more than 500 pages at most 1.2 times as many may be fetched, and the similarity must be .98 or more (exit code 1).

#[path = "../../src/overflow/oracle.rs"]
mod oracle;
mod web;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use groma_bounds::Similarity;
use groma_strategy::overflow::{Direction, Height, Longest, Outcome, Overflow, Prices, Settings};
use web::{Site, Web};

/// Sites of fewer pages are not looked for.
const LARGE: u32 = 500;
/// Pages that may be fetched for each of the site, and how alike the answers must be.
const FETCHES: f64 = 1.2;
const ALIKE: f64 = 0.98;

/// How the price is come by.
#[derive(Clone, Copy, PartialEq)]
enum Price {
    Given,
    Swept,
    Chosen,
}

fn size(set: &[bool]) -> usize {
    set.iter().filter(|inside| **inside).count()
}

fn jaccard(found: &Outcome, exact: &[bool]) -> f64 {
    let both = found.inside.iter().filter(|page| exact[page.0 as usize]).count();
    both as f64 / (size(exact) + found.inside.len() - both).max(1) as f64
}

fn search(settings: Settings, price: f64, way: Price) -> Overflow {
    let steps = (0..).map(|step| 0.1 * 10f64.powf(-0.25 * f64::from(step)));
    match way {
        Price::Given => Overflow::new(settings, Prices::one(price)),
        Price::Swept => {
            let falling: Vec<f64> = steps.take_while(|step| *step > price * 1.01).chain([price]).collect();
            Overflow::new(settings, Prices::falling(&falling))
        }
        Price::Chosen => Overflow::new(settings, Longest::new(&Similarity::new(settings.sigma), false)),
    }
}

/// Says what was found; whether it was found with few fetches, and is the same.
fn measure(web: &Web, site: &Site, settings: &Settings, price: f64, way: Price) -> bool {
    let start = Instant::now();
    let mut strategy = search(*settings, price, way);
    web.walk(&mut strategy, site.home);
    let time = start.elapsed().as_millis();
    let found = strategy.outcome();
    let account = &found.account;
    let price = account.chosen.map_or(price, |step| account.steps[step].price);
    let whole = web.exact(site.home, settings, price, &vec![true; web.addresses.len()]);
    let exact = web.exact(site.home, settings, price, &web.reachable(site.home));
    println!(
        "{:5} {price:7.5} {:42} {:6} {:6} {:6} {:6} {:7} {:6.2} {:8.4} {:6.4} {time:6} {}",
        settings.sigma,
        site.name,
        site.pages,
        size(&whole),
        size(&exact),
        found.inside.len(),
        account.fetches,
        f64::from(account.fetches) / size(&exact) as f64,
        jaccard(&found, &exact),
        jaccard(&found, &whole),
        account.stop.name(),
    );
    let few = f64::from(account.fetches) <= FETCHES * size(&exact) as f64;
    size(&exact) as u32 <= LARGE || (few && jaccard(&found, &exact) >= ALIKE)
}

fn main() -> std::io::Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| words.iter().any(|word| word == name);
    let after = |name: &str| words.iter().position(|word| word == name).and_then(|at| words.get(at + 1)?.parse().ok());
    let low: Option<u32> = after("--low");
    let direction = if has("--forward") { Direction::Forward } else { Direction::Both };
    let height = low.map_or(Height::Full, Height::Low);
    let mut numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let web = match words.first() {
        Some(word) if word == "--made" && numbers.len() == 3 => {
            let [sites, pages, links] = [numbers[0], numbers[1], numbers[2]].map(|number| number as u32);
            numbers = vec![1.0, 0.01];
            Web::made(sites, pages, links)
        }
        Some(folder) if !folder.starts_with('-') => Web::read(Path::new(folder), has("--mixed"))?,
        _ => {
            println!("usage: bounds FOLDER [--mixed] [--forward] [--low HEIGHT] [--sweep | --choose] [SIGMA PRICE]...");
            println!("       bounds --made SITES PAGES LINKS");
            return Ok(ExitCode::from(2));
        }
    };
    if low.is_some() {
        numbers.remove(0);
    }
    let way = match (has("--choose"), has("--sweep")) {
        (true, _) => Price::Chosen,
        (_, true) => Price::Swept,
        _ => Price::Given,
    };
    if way == Price::Chosen && numbers.len() < 2 {
        numbers = vec![groma_bounds::settings::SIGMA, 0.0];
    }
    if numbers.len() < 2 {
        numbers = vec![1.0, 0.01, 1.0, 0.001, 1.66, 0.01, 1.66, 0.001];
    }
    println!(
        "sigma   price site                                        pages  whole  exact  found fetched /exact jaccard  whole     ms"
    );
    let mut holds = true;
    for pair in numbers.chunks_exact(2) {
        let settings = Settings { sigma: pair[0], direction, height, ..Settings::default() };
        for site in web.sites.iter().filter(|site| site.pages > LARGE) {
            holds &= measure(&web, site, &settings, pair[1], way);
        }
    }
    // What is tried by hand is shown; what the program chooses has to be right.
    Ok(if holds || way != Price::Chosen { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
