//! Is anything lost or doubled when a crawl is killed again and again, whatever it writes to?
//!
//! Input: a site of so many pages, 16 fetches under way, crawled in eight ways: from a server that is sound or that resets 5 % of the
//! requests and answers 503 to 5 %, with and without `--warc`, into a SQLite file and onto a PostgreSQL server. kill -9 after a random time, the
//! same command again, so many times altogether, all ways at once; a crawl that ends before its kills are spent is started over with `--fresh`.
//! Answer, by an account that is not groma's: the site knows what it has and what it answered, and archives are unpacked and read here.
//! *Lost* is a page of the site that is not among the stored ones, is stored otherwise than it was sent, was never answered, or is stored
//! but not in the archive (also right after a kill); *doubled* is one that is stored twice. Figure: 0 of both; good answers
//! fetched more than once are at most what was in flight at the kills; the store's own check and the balance hold.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::bail;
use groma_testweb::prose::mix;
use groma_testweb::sites::Lattice;
use groma_testweb::{Ask, Server, Web};

use crate::groma::{Groma, IN_FLIGHT};
use crate::kill::{Counted, end, end_since};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;
use crate::workers::service::Service;

/// After so many kills of one way the store is checked while the crawl is not done.
const CHECKED: u32 = 5;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let times: u32 = options.take("times", 1000)?;
    let pages: usize = options.take("pages", 2000)?;
    let seed: u64 = options.take("seed", 1)?;
    let postgres: String = options.take("postgres", "yes".to_owned())?;
    let (groma, scratch) = (Groma::find()?, Scratch::new("kills")?);
    let service = if postgres == "no" { None } else { Some(Service::start(&scratch)?) };
    let mut ways = Vec::new();
    for percent in [0, 5] {
        for archived in [false, true] {
            ways.push((percent, archived, None));
            ways.extend(service.as_ref().map(|service| (percent, archived, Some(service))));
        }
    }
    let table =
        Table::new(&["server", "archive", "store", "kills", "crawls", "lost", "doubled", "fetched again", "at most"]);
    let mut sum = Account::default();
    let count = ways.len() as u32;
    let share = |number: u32| times / count + u32::from(number < times % count);
    let (groma, scratch, table) = (&groma, &scratch, &table);
    // All at once: whoever takes the place of a killed writer on a server waits some seconds to be sure that it is dead.
    let found: Vec<anyhow::Result<(Account, Report)>> = std::thread::scope(|threads| {
        let run = |(number, &(percent, archived, service)): (usize, &(u64, bool, Option<&Service>))| {
            let name = format!("way{number}");
            let store = match service {
                Some(service) => service.survey(&name),
                None => scratch.join(&format!("{name}.groma")),
            };
            let archive = archived.then(|| scratch.join(&format!("{name}.warc")));
            let on = if service.is_some() { "PostgreSQL" } else { "SQLite" };
            let (seed, share) = (mix(seed, number as u64), share(number as u32));
            threads.spawn(move || {
                let scratch = Scratch::new(&name)?;
                let way = Way { groma, scratch: &scratch, store, archive, web: Lattice::new(pages, 10), percent, seed };
                let mut report = Report::default();
                let found = way.run(share, &mut report)?;
                let words = [
                    if percent == 0 { "sound" } else { "5 % resets, 5 % 503" },
                    if archived { "--warc" } else { "none" },
                    on,
                ];
                let most = found.kills * IN_FLIGHT;
                let numbers = [found.kills, found.crawls, found.lost, found.doubled, found.again, most];
                let words = words.map(str::to_owned).into_iter();
                table.row(&words.chain(numbers.map(|n| n.to_string())).collect::<Vec<_>>());
                Ok((found, report))
            })
        };
        let threads: Vec<_> = ways.iter().enumerate().map(run).collect();
        threads.into_iter().map(|way| way.join().unwrap_or_else(|_| bail!("a way panicked"))).collect()
    });
    for found in found {
        let (found, checks) = found?;
        report.take_over(checks);
        sum.add(&found);
    }
    let ways = "with and without resets and `--warc`";
    let stores = if service.is_some() { "SQLite and PostgreSQL" } else { "SQLite" };
    println!("\n{} kills in crawls ({ways}, {stores}), {} lost, {} doubled", sum.kills, sum.lost, sum.doubled);
    report.equal("lost", sum.lost, 0);
    report.equal("doubled", sum.doubled, 0);
    Ok(())
}

#[derive(Clone, Copy, Default)]
struct Account {
    kills: u64,
    crawls: u64,
    lost: u64,
    doubled: u64,
    again: u64,
}

impl Account {
    fn add(&mut self, other: &Account) {
        self.kills += other.kills;
        self.crawls += other.crawls;
        self.lost += other.lost;
        self.doubled += other.doubled;
        self.again += other.again;
    }
}

/// One of the eight.
struct Way<'a> {
    groma: &'a Groma,
    scratch: &'a Scratch,
    store: PathBuf,
    archive: Option<PathBuf>,
    web: Lattice,
    percent: u64,
    seed: u64,
}

impl Way<'_> {
    fn run(&self, times: u32, report: &mut Report) -> anyhow::Result<Account> {
        let good = Arc::new(Mutex::new(BTreeMap::new()));
        let web = Counted { web: self.web, percent: self.percent, seed: self.seed, good: Arc::clone(&good) };
        let server = Server::start(web);
        let begun = Instant::now();
        if !end(self.command(&server, false), None, self.scratch)? {
            bail!("the undisturbed crawl did not end");
        }
        let mut whole = begun.elapsed();
        let mut account = Account::default();
        while account.kills < u64::from(times) || account.crawls == 0 {
            good.lock().unwrap_or_else(PoisonError::into_inner).clear();
            // What an earlier crawl archived is no excuse for this one.
            self.archive.iter().for_each(|dir| drop(std::fs::remove_dir_all(dir)));
            let (mut here, begun) = (0, Instant::now());
            loop {
                // Who was killed before the first answer may not have come to starting over.
                let fresh = good.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
                // On average a fifth of a whole crawl: it is killed several times and still gets on. Four of five kills wait for an answer of
                // this start, one of five comes whenever it comes.
                let dice = mix(self.seed, account.kills + 7) % 1000;
                let wait = whole.mul_f64(dice as f64 / 2500.0);
                let limit = (account.kills < u64::from(times)).then_some(wait);
                let answers = || good.lock().unwrap_or_else(PoisonError::into_inner).values().sum::<u64>();
                let before = answers();
                let begun = || dice.is_multiple_of(5) || answers() > before;
                if end_since(self.command(&server, fresh), limit, &begun, self.scratch)? {
                    break;
                }
                (account.kills, here) = (account.kills + 1, here + 1);
                if here % u64::from(CHECKED) == 0 {
                    self.sound(report)?;
                    account.lost += self.not_archived()?;
                }
            }
            if here == 0 {
                // It is over sooner than thought: others that kept the machine busy have gone.
                whole = whole.min(begun.elapsed());
            }
            account.crawls += 1;
            self.sound(report)?;
            let answered = std::mem::take(&mut *good.lock().unwrap_or_else(PoisonError::into_inner));
            let (lost, doubled) = self.compare(&answered, server.base().as_str())?;
            let again = answered.values().sum::<u64>() - answered.len() as u64;
            report.check(again <= here * IN_FLIGHT, || format!("{again} fetched again after {here} kills"));
            account.add(&Account { lost: lost + self.not_archived()?, doubled, again, ..Account::default() });
            let status = self.groma.status(&self.store)?;
            report.equal("pending at the end", status.number("queued")?, 0);
            report.check(status.balances()?, || "the balance".to_owned());
            let open = self.archive.as_ref().map_or(0, |dir| files(dir, ".open").len());
            report.equal("files left open at the end", open as u64, 0);
        }
        Ok(account)
    }

    fn command(&self, server: &Server, fresh: bool) -> Command {
        let mut command = self.groma.crawl(&format!("{}/", server.base()), &self.store);
        // One page in ten thousand fails four times in a row on the bad server: that would be no page lost.
        command.args([
            "-q",
            "--no-sitemaps",
            "--retries",
            "8",
            "-s",
            "limits.retry_ms=20",
            "-s",
            "limits.warc_bytes=300kB",
        ]);
        if let Some(dir) = &self.archive {
            command.arg("--warc").arg(dir);
        }
        if fresh {
            command.arg("--fresh");
        }
        command
    }

    fn sound(&self, report: &mut Report) -> anyhow::Result<()> {
        // The kill may have come before there was a store.
        if self.groma.status(&self.store).is_ok() {
            let complaint = self.groma.verify(&self.store)?;
            report.check(complaint.is_none(), || format!("verify: {complaint:?}"));
        }
        Ok(())
    }

    /// The pages of the site that are lost, and those that are stored twice, by what the site has and what it answered.
    fn compare(&self, answered: &BTreeMap<String, u64>, base: &str) -> anyhow::Result<(u64, u64)> {
        let mut stored: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
        for page in self.groma.pages(&self.store, "fetched")? {
            let (url, title) = (page["url"].as_str().unwrap_or_default(), page["title"].as_str().unwrap_or_default());
            let facts = (page["size"].as_u64().unwrap_or_default(), title.to_owned());
            stored.entry(url.to_owned()).or_default().push(facts);
        }
        let doubled: u64 = stored.values().map(|rows| rows.len() as u64 - 1).sum();
        let is_lost = |number: &usize| {
            let path = self.web.path(*number);
            let truth = self.web.answer(&Ask::get(&path));
            let rows = stored.get(&format!("{base}{path}"));
            let same = |row: &(u64, String)| row.0 == truth.body.len() as u64 && row.1 == format!("Page {number}");
            !rows.is_some_and(|rows| rows.iter().any(same)) || !answered.contains_key(&path)
        };
        let lost = (0..self.web.pages).filter(is_lost).count() as u64;
        let strange = stored.len().saturating_sub(self.web.pages) as u64;
        Ok((lost, doubled + strange))
    }

    /// Pages that are stored and not in the archive.
    fn not_archived(&self) -> anyhow::Result<u64> {
        let Some(dir) = self.archive.as_ref().filter(|_| self.groma.status(&self.store).is_ok()) else { return Ok(0) };
        let mut kept = BTreeSet::new();
        for file in files(dir, ".warc.gz").into_iter().chain(files(dir, ".open")) {
            answers_in(&file, &mut kept)?;
        }
        let pages = self.groma.pages(&self.store, "fetched")?;
        Ok(pages.iter().filter(|page| !kept.contains(page["url"].as_str().unwrap_or_default())).count() as u64)
    }
}

fn files(dir: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

/// The URLs of which a file has an answer with status 200. What breaks off at the end of a file that is open counts as far as it
/// goes.
fn answers_in(file: &Path, kept: &mut BTreeSet<String>) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    let read = flate2::read::MultiGzDecoder::new(std::fs::File::open(file)?).read_to_end(&mut bytes);
    if read.is_err() && !file.to_string_lossy().ends_with(".open") {
        bail!("{} is not whole: {read:?}", file.display());
    }
    let text = String::from_utf8_lossy(&bytes);
    for record in text.split("WARC/1.1\r\n") {
        let Some((head, block)) = record.split_once("\r\n\r\n") else { continue };
        let of = |name: &str| head.lines().find_map(|line| line.strip_prefix(name));
        if matches!(of("WARC-Type: "), Some("response" | "revisit")) && block.starts_with("HTTP/1.1 200") {
            kept.extend(of("WARC-Target-URI: ").map(str::to_owned));
        }
    }
    Ok(())
}
