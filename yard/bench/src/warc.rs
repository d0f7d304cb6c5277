//! What does it cost to keep every exchange, and is the archive whole whenever the program is killed?
//!
//! Input: documentation of Debian packages served by nginx on loopback, as it is and compressed, crawled with and without `--warc` in
//! turns, now the one first and now the other, until it is clear on which side of the bound their ratio lies (three standard deviations;
//! to look after every round makes it somewhat less sure than that) or more rounds would take too long, and then the middle one decides;
//! a site of 2,000 pages crawled with `--warc`, killed with -9 at random moments and gone on with. Answer: after every kill the next
//! start leaves whole files only; at the end every file is read without a complaint by `groma import warc`, and by `warcio check` where
//! its path is given, and the import has every page. Figure: CPU with the archive at most 1.25 times that without.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, bail};
use groma_testweb::Server;
use groma_testweb::prose::mix;
use groma_testweb::sites::Lattice;

use crate::groma::{Groma, ended_well, said};
use crate::kill::end;
use crate::measure::{self, Cost, median, middle};
use crate::nginx::Nginx;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;
use crate::sites::chosen;

const PAGES: usize = 2000;
/// So many times the CPU of a crawl without an archive.
const RATIO: f64 = 1.25;
/// Crawls without an archive take at least so many seconds of CPU together: a third of a second alone says little on a machine with others.
const LEAST: f64 = 30.0;
/// And no more than so many, however unclear it is.
const MOST: f64 = 240.0;
/// A file system in memory, on Linux.
const MEMORY: &str = "/dev/shm";

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let rounds: usize = options.take("rounds", 11)?;
    let times: u32 = options.take("times", 100)?;
    let seed: u64 = options.take("seed", 1)?;
    let sites = chosen(&options.take("site", "all".to_owned())?)?;
    let tool = options.take("warcio", String::new())?;
    let groma = Groma::find()?;
    kills(&groma, times, seed, &tool, report)?;
    let table = Table::new(&[
        "site",
        "rounds",
        "CPU s without",
        "CPU s with",
        "with / without",
        "19 of 20 times",
        "least / least",
        "MB of archive",
    ]);
    for site in sites {
        let place = if Path::new(MEMORY).is_dir() { PathBuf::from(MEMORY) } else { std::env::temp_dir() };
        let scratch = Scratch::below(&place, site.name)?;
        let server = Nginx::serve(Path::new(site.root), &scratch)?;
        for (served, url) in [("as it is", server.quiet(site.start)), ("compressed", server.packed(site.start))] {
            pace(&format!("{}, {served}", site.name), &url, rounds.max(1), &groma, &scratch, &table, report)?;
        }
    }
    Ok(())
}

fn pace(
    name: &str,
    url: &str,
    rounds: usize,
    groma: &Groma,
    scratch: &Scratch,
    table: &Table,
    report: &mut Report,
) -> anyhow::Result<()> {
    let archive = scratch.join("warc");
    let (mut plain, mut kept, mut bytes): (Vec<Cost>, Vec<Cost>, u64) = (Vec::new(), Vec::new(), 0);
    while !is_enough(&plain, &kept, rounds) {
        let _ = std::fs::remove_dir_all(&archive);
        // Whichever comes second finds the machine as the other left it.
        if plain.len().is_multiple_of(2) {
            plain.push(crawl(groma, url, scratch, None)?);
            kept.push(crawl(groma, url, scratch, Some(&archive))?);
        } else {
            kept.push(crawl(groma, url, scratch, Some(&archive))?);
            plain.push(crawl(groma, url, scratch, None)?);
        }
        bytes = files(&archive)?.iter().filter_map(|path| path.metadata().ok()).map(|data| data.len()).sum();
    }
    let least = |costs: &[Cost]| costs.iter().map(|cost| cost.cpu).min_by(f64::total_cmp);
    let usual = |costs: &[Cost]| median(costs).map(|cost| cost.cpu);
    let figures = (usual(&plain), usual(&kept), least(&plain), least(&kept));
    let (Some(without), Some(with), Some(least_without), Some(least_with)) = figures else { bail!("no round") };
    let (ratio, from, to) = middle(ratios(&plain, &kept), 2.0).context("no round")?;
    let number = |value: f64| format!("{value:.2}");
    table.row(&[
        name.to_owned(),
        plain.len().to_string(),
        number(without),
        number(with),
        number(ratio),
        format!("{from:.2} to {to:.2}"),
        number(least_with / least_without),
        number(bytes as f64 / 1e6),
    ]);
    report.at_most(&format!("{name}: CPU with an archive / without"), ratio, RATIO);
    Ok(())
}

/// Is it clear whether the bound is kept, or would that take too long?
fn is_enough(plain: &[Cost], kept: &[Cost], rounds: usize) -> bool {
    let spent: f64 = plain.iter().map(|cost| cost.cpu).sum();
    let is_clear = middle(ratios(plain, kept), 3.0).is_some_and(|(_, from, to)| to < RATIO || RATIO < from);
    plain.len() >= rounds && spent >= LEAST && (is_clear || spent >= MOST)
}

/// Neighbours are compared: the machine may be slower in some rounds than in others.
fn ratios(plain: &[Cost], kept: &[Cost]) -> Vec<f64> {
    plain.iter().zip(kept).map(|(plain, kept)| kept.cpu / plain.cpu).collect()
}

fn crawl(groma: &Groma, url: &str, scratch: &Scratch, archive: Option<&Path>) -> anyhow::Result<Cost> {
    let mut command = groma.crawl(url, &scratch.join("site.groma"));
    command.args(["--fresh", "-q", "--exclude", r"re:\.(css|js|png|gif|jpg|jpeg|svg|ico)$"]);
    if let Some(archive) = archive {
        command.arg("--warc").arg(archive);
    }
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    if !ended_well(&output) {
        bail!("groma failed: {}", said(&output));
    }
    Ok(cost)
}

fn kills(groma: &Groma, times: u32, seed: u64, tool: &str, report: &mut Report) -> anyhow::Result<()> {
    let scratch = Scratch::new("warc")?;
    let server = Server::start(Lattice::new(PAGES, 10));
    let (store, archive) = (scratch.join("kill.groma"), scratch.join("warc"));
    let command = |fresh: bool| {
        let mut command = groma.crawl(&format!("{}/", server.base()), &store);
        command.args(["-q", "-s", "limits.warc_bytes=300kB", "--warc"]).arg(&archive);
        if fresh {
            command.arg("--fresh");
        }
        command
    };
    let start = Instant::now();
    if !end(command(false), None, &scratch)? {
        bail!("the undisturbed crawl did not end");
    }
    let whole = start.elapsed();
    let (mut killed, mut fresh) = (0, true);
    while killed < times {
        let wait = whole.mul_f64((mix(seed, u64::from(killed) + 7) % 1000) as f64 / 2500.0);
        // One that came to its end is begun anew; its archive grows.
        fresh = end(command(fresh), Some(wait), &scratch)?;
        killed += u32::from(!fresh);
    }
    if !end(command(fresh), None, &scratch)? {
        bail!("the last crawl did not end");
    }
    report.equal("pages after the kills", groma.status(&store)?.number("fetched")?, PAGES as u64);
    let all = files(&archive)?;
    let left = std::fs::read_dir(&archive)?.flatten().filter(|e| e.file_name().to_string_lossy().ends_with(".open"));
    report.equal("files left unfinished", left.count() as u64, 0);
    let imported = scratch.join("imported.groma");
    let mut import = Command::new(groma.path());
    let output = import.args(["import", "warc", "--store"]).arg(&imported).args(&all).output()?;
    report.check(ended_well(&output) && !said(&output).contains("warning:"), || format!("import: {}", said(&output)));
    report.equal("pages imported", groma.status(&imported)?.number("fetched")?, PAGES as u64);
    let mut checked = 0;
    for file in all.iter().filter(|_| !tool.is_empty()) {
        let output = Command::new(tool).arg("check").arg(file).output().context("cannot run warcio")?;
        report.check(output.status.success(), || format!("warcio: {}: {}", file.display(), said(&output)));
        checked += 1;
    }
    println!("{killed} kills, {} files read, {checked} of them checked by warcio\n", all.len());
    Ok(())
}

fn files(archive: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(archive)?.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.to_string_lossy().ends_with(".warc.gz"));
    found.sort();
    Ok(found)
}
