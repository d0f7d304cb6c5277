//! What does it cost to crawl, parse and store a real site, beside wget2 that only saves files?
//!
//! Input: documentation of Debian packages, served by nginx on loopback without an access log. Both programs ask for
//! everything a link leads to but images, styles and scripts, 16 (wget2: 32) at once; rounds alternate.
//! Answer: in every round groma has the pages and the broken links that were counted on this version of the package (both
//! programs agreed on them); of another version, those that either of them finds. In a logged run each, wget2 asks for
//! nothing that groma does not ask for; what wget2 misses, as it does now and then, is told and counts for nothing.
//! Figure: medians, and the least CPU of all rounds, which a busy machine spoils less; by both at most 2.5 times wget2's.
//! Other peers (`--peer wget,scrapy,linkinator` or `all`) run once: some take a minute.
//!
//! Two things must not flatter us. Both programs write into memory (`/dev/shm`): on a disk the thousands of files of wget2
//! cost one to five times as much system time, from one run to the next (`--place disk` shows it). And wget2 is told
//! what to leave out by endings, not by a regular expression, which costs it up to a third more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::groma::{Groma, Status, ended_well, said};
use crate::measure::{self, Cost, median};
use crate::nginx::Nginx;
use crate::options::Options;
use crate::peers::{self, BASE, Peer, is_html};
use crate::report::{Report, Table};
use crate::scratch::Scratch;
use crate::sites::{Site, chosen};

/// Endings that neither program asks for.
const PARTS: [&str; 8] = ["css", "js", "png", "gif", "jpg", "jpeg", "svg", "ico"];

/// A file system in memory, on Linux.
const MEMORY: &str = "/dev/shm";

/// So many times the CPU of wget2 we may use.
const RATIO: f64 = 2.5;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let rounds: usize = options.take("rounds", 3)?;
    let sites = chosen(&options.take("site", "all".to_owned())?)?;
    let wanted_peers = options.take("peer", String::new())?;
    let place = match options.take("place", "memory".to_owned())?.as_str() {
        "memory" if Path::new(MEMORY).is_dir() => PathBuf::from(MEMORY),
        "memory" | "disk" => std::env::temp_dir(),
        other => bail!("--place {other}: memory or disk"),
    };
    println!("All programs write below {}; {rounds} rounds.\n", place.display());
    let groma = Groma::find()?;
    let peers = peers::chosen(&wanted_peers)?;
    println!();
    let table = Table::new(&[
        "site",
        "program",
        "pages",
        "broken",
        "CPU s",
        "wall s",
        "peak MB",
        "CPU / wget2",
        "least CPU s",
        "least / least",
    ]);
    for site in sites {
        let scratch = Scratch::below(&place, site.name)?;
        one_site(&site, rounds.max(1), &peers, &groma, &scratch, &table, report)?;
    }
    Ok(())
}

fn one_site(
    site: &Site,
    rounds: usize,
    peers: &[&Peer],
    groma: &Groma,
    scratch: &Scratch,
    table: &Table,
    report: &mut Report,
) -> anyhow::Result<()> {
    let server = Nginx::serve(Path::new(site.root), scratch)?;
    let (pages, broken) = truth(site, &server, groma, scratch, report)?;

    let mut theirs: Vec<(&Peer, Vec<Cost>, BTreeSet<u64>)> =
        peers.iter().map(|peer| (*peer, Vec::new(), BTreeSet::new())).collect();
    let mut ours = Vec::new();
    let (mut pages_found, mut broken_found) = (BTreeSet::new(), BTreeSet::new());
    for round in 1..=rounds {
        let due = if round == 1 { theirs.len() } else { 1 };
        for (peer, costs, kept) in theirs.iter_mut().take(due) {
            let (cost, pages) = peer.run(&server.quiet(site.start), &PARTS, scratch)?;
            costs.push(cost);
            kept.insert(pages);
        }
        let (status, html, cost) = groma_run(groma, &server.quiet(site.start), scratch)?;
        ours.push(cost);
        pages_found.insert(html);
        broken_found.insert(status.number("broken")?);
        report.equal(&format!("{}, round {round}: HTML pages", site.name), html, pages);
        report.equal(&format!("{}, round {round}: broken", site.name), status.number("broken")?, broken);
        report.check(status.balances()?, || format!("{}, round {round}: the balance", site.name));
    }
    let base = theirs.first().and_then(|(_, costs, _)| Figures::from_costs(costs)).context("no round of wget2")?;
    let ours = Figures::from_costs(&ours).context("no round of groma")?;
    // What was found, not what should have been found; more than one number if the rounds differ.
    let found = |counts: &BTreeSet<u64>| counts.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    for (peer, costs, kept) in &theirs {
        if let Some(cost) = Figures::from_costs(costs) {
            table.row(&cost.cells(site, [peer.name, &found(kept), ""], &base));
        }
    }
    table.row(&ours.cells(site, ["groma", &found(&pages_found), &found(&broken_found)], &base));
    report.at_most(&format!("{}: CPU of groma / wget2", site.name), ours.median.cpu / base.median.cpu, RATIO);
    report.at_most(&format!("{}: least CPU of groma / wget2", site.name), ours.least / base.least, RATIO);
    Ok(())
}

/// What the rounds of one program cost.
struct Figures {
    median: Cost,
    least: f64,
}

impl Figures {
    fn from_costs(costs: &[Cost]) -> Option<Figures> {
        let least = costs.iter().map(|cost| cost.cpu).min_by(f64::total_cmp)?;
        Some(Figures { median: median(costs)?, least })
    }

    fn cells(&self, site: &Site, words: [&str; 3], base: &Figures) -> Vec<String> {
        let number = |value: f64| format!("{value:.2}");
        let Cost { cpu, wall, peak_mb } = self.median;
        let figures = [number(cpu), number(wall), format!("{peak_mb:.0}"), number(cpu / base.median.cpu)];
        let least = [number(self.least), number(self.least / base.least)];
        let words = [site.name].into_iter().chain(words).map(str::to_owned);
        words.chain(figures).chain(least).collect()
    }
}

/// Lets both programs run once with a log, compares what they asked, and gives the pages and the broken URLs.
fn truth(
    site: &Site,
    server: &Nginx,
    groma: &Groma,
    scratch: &Scratch,
    report: &mut Report,
) -> anyhow::Result<(u64, u64)> {
    server.take_log()?;
    BASE.run(&server.logged(site.start), &PARTS, scratch)?;
    let (theirs, _) = server.take_log()?;
    groma_run(groma, &server.logged(site.start), scratch)?;
    let (ours, requests) = server.take_log()?;
    let (theirs, ours) = (corrected(linked(theirs), site), linked(ours));
    let missed = Missed::by(&ours, &theirs);
    report
        .check(missed.count == 0, || format!("{}: only wget2 asked for {}: {}", site.name, missed.count, missed.some));
    let luck = Missed::by(&theirs, &ours);
    if luck.count > 0 {
        eprintln!("{}: wget2 missed {} this time: {}", site.name, luck.count, luck.some);
    }
    report.check(requests < ours.len() + 10, || format!("{}: {requests} requests for {}", site.name, ours.len()));
    match site.installed() {
        Some(version) if version == site.version => Ok((site.pages, site.broken)),
        other => {
            let other = other.unwrap_or_else(|| "an unknown version".to_owned());
            eprintln!("{}: {other}, not {}: counted are what both programs find", site.package, site.version);
            Ok(counts(&theirs.union(&ours).cloned().collect()))
        }
    }
}

/// HTML pages and broken URLs among what was asked for.
fn counts(asked: &BTreeSet<(u16, String)>) -> (u64, u64) {
    let pages = asked.iter().filter(|(status, path)| *status == 200 && is_html(path)).count() as u64;
    let broken = asked.iter().filter(|(status, _)| matches!(status, 400 | 404 | 410)).count() as u64;
    (pages, broken)
}

/// What somebody did not ask for and another did.
struct Missed {
    count: usize,
    some: String,
}

impl Missed {
    fn by(asked: &BTreeSet<(u16, String)>, other: &BTreeSet<(u16, String)>) -> Missed {
        let missed: Vec<String> = other.difference(asked).map(|(status, path)| format!("{path} ({status})")).collect();
        Missed { count: missed.len(), some: missed.iter().take(5).cloned().collect::<Vec<_>>().join(", ") }
    }
}

/// What wget2 asked for, but for what it is known to get wrong.
fn corrected(mut asked: BTreeSet<(u16, String)>, site: &Site) -> BTreeSet<(u16, String)> {
    for (status, path) in site.peer_errs {
        asked.remove(&(*status, (*path).to_owned()));
    }
    asked.extend(site.peer_lacks.iter().map(|(status, path)| (*status, (*path).to_owned())));
    asked
}

/// What links lead to: without the files that only robots ask for.
fn linked(asked: BTreeSet<(u16, String)>) -> BTreeSet<(u16, String)> {
    asked.into_iter().filter(|(_, path)| !matches!(path.as_str(), "/robots.txt" | "/sitemap.xml")).collect()
}

/// A crawl from nothing: the state of its store, its HTML pages, its cost.
fn groma_run(groma: &Groma, url: &str, scratch: &Scratch) -> anyhow::Result<(Status, u64, Cost)> {
    let store = scratch.join("site.groma");
    let mut command = groma.crawl(url, &store);
    command.args(["--fresh", "-q", "--exclude", &format!(r"re:\.({})$", PARTS.join("|"))]);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    if !ended_well(&output) {
        bail!("groma failed: {}", said(&output));
    }
    let pages = groma.pages(&store, "fetched")?;
    let html = pages.iter().filter(|page| page["type"].as_str().is_some_and(|it| it.starts_with("text/html"))).count();
    Ok((groma.status(&store)?, html as u64, cost))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(of: &[(u16, &str)]) -> BTreeSet<(u16, String)> {
        of.iter().map(|(status, path)| (*status, (*path).to_owned())).collect()
    }

    #[test]
    fn what_one_misses_does_not_change_what_both_find() {
        let whole = asked(&[(200, "/"), (200, "/a.html"), (200, "/x.txt"), (404, "/b.html"), (400, "")]);
        let lucky = asked(&[(200, "/"), (200, "/x.txt"), (404, "/b.html"), (400, "")]);
        assert_eq!(counts(&lucky.union(&whole).cloned().collect()), (2, 2));
        assert_eq!(Missed::by(&lucky, &whole).some, "/a.html (200)");
        assert_eq!(Missed::by(&whole, &lucky).count, 0);
    }
}
