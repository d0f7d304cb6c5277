//! What is lost, and what is fetched again, when the program is killed at random moments?
//!
//! Input: a site of 5,000 pages, 16 fetches under way; kill -9 (on Unix) after a random time, the same command again, so
//! many times; a crawl that ends before all kills are spent is started over. Then the same on a server that resets 5 %
//! of the requests and answers 503 to 5 %. Answer: all pages are stored, each once, the store's own check and the balance
//! hold. Figure: good answers fetched more than once are at most what was in flight at the kills.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use groma_testweb::prose::mix;
use groma_testweb::sites::Lattice;
use groma_testweb::{Answer, Ask, Manner, Server, Web};

use crate::groma::{Groma, IN_FLIGHT, said};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const PAGES: usize = 5000;

/// A crawl that needs longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(600);

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let times: u32 = options.take("times", 100)?;
    let seed: u64 = options.take("seed", 1)?;
    let groma = Groma::find()?;
    let table = Table::new(&[
        "server",
        "kills",
        "crawls finished",
        "pages each",
        "good answers",
        "fetched again",
        "at most",
        "again per kill",
    ]);
    for (name, percent) in [("sound", 0), ("5 % resets, 5 % 503", 5)] {
        let run = Ordeal { name, percent, seed, groma: &groma }.run(times, report)?;
        table.row(&run);
    }
    Ok(())
}

struct Ordeal<'a> {
    name: &'a str,
    /// Of a hundred requests so many are reset, and as many answered 503.
    percent: u64,
    seed: u64,
    groma: &'a Groma,
}

impl Ordeal<'_> {
    fn run(&self, times: u32, report: &mut Report) -> anyhow::Result<[String; 8]> {
        let scratch = Scratch::new("kill")?;
        let store = scratch.join("kill.groma");
        let good = Arc::new(Mutex::new(BTreeMap::new()));
        let web = Counted { web: Lattice::new(PAGES, 10), percent: self.percent, seed: self.seed, good: good.clone() };
        let server = Server::start(web);
        let whole = self.undisturbed(&server, &scratch)?;
        good.lock().unwrap_or_else(PoisonError::into_inner).clear();

        let (mut kills, mut finished, mut answers, mut again, mut allowed) = (0, 0, 0, 0, 0);
        while kills < times || finished == 0 {
            let (mut here, mut fresh) = (0, true);
            loop {
                let mut command = self.command(&server, &store);
                if std::mem::take(&mut fresh) {
                    command.arg("--fresh");
                }
                // On average a tenth of a whole crawl, so that a crawl is killed several times and still gets on.
                let wait = whole.mul_f64((mix(self.seed, u64::from(kills) + 7) % 1000) as f64 / 5000.0);
                let limit = (kills < times).then_some(wait);
                if end(command, limit, &scratch)? {
                    break;
                }
                (kills, here) = (kills + 1, here + 1);
                if kills % 10 == 0 {
                    self.sound(&store, report)?;
                }
            }
            finished += 1;
            self.complete(&store, report)?;
            let counts = std::mem::take(&mut *good.lock().unwrap_or_else(PoisonError::into_inner));
            let (sum, distinct) = (counts.values().sum::<u64>(), counts.len() as u64);
            report.equal(&format!("{}: pages ever answered", self.name), distinct, PAGES as u64);
            report.check(sum - distinct <= here * IN_FLIGHT, || {
                format!("{}: {} fetched again after {here} kills", self.name, sum - distinct)
            });
            (answers, again, allowed) = (answers + sum, again + sum - distinct, allowed + here * IN_FLIGHT);
        }
        Ok([
            self.name.to_owned(),
            kills.to_string(),
            finished.to_string(),
            PAGES.to_string(),
            answers.to_string(),
            again.to_string(),
            allowed.to_string(),
            format!("{:.1}", again as f64 / f64::from(kills.max(1))),
        ])
    }

    fn command(&self, server: &Server, store: &Path) -> Command {
        let mut command = self.groma.crawl(&format!("{}/", server.base()), store);
        // One page in ten thousand fails four times in a row on the bad server: that would be no page lost.
        command.args(["-q", "--retries", "8", "-s", "limits.retry_ms=20"]);
        command
    }

    /// How long a crawl takes that nobody disturbs.
    fn undisturbed(&self, server: &Server, scratch: &Scratch) -> anyhow::Result<Duration> {
        let start = Instant::now();
        let command = self.command(server, &scratch.join("whole.groma"));
        if !end(command, None, scratch)? {
            bail!("the undisturbed crawl did not end");
        }
        Ok(start.elapsed())
    }

    /// After a kill: the store holds together, whatever was under way.
    fn sound(&self, store: &Path, report: &mut Report) -> anyhow::Result<()> {
        // The kill may have come before there was a store.
        if store.exists() && std::fs::read_dir(store)?.next().is_some() {
            let complaint = self.groma.verify(store)?;
            report.check(complaint.is_none(), || format!("{}: verify: {complaint:?}", self.name));
        }
        Ok(())
    }

    /// At the end: everything is there, once.
    fn complete(&self, store: &Path, report: &mut Report) -> anyhow::Result<()> {
        self.sound(store, report)?;
        let status = self.groma.status(store)?;
        for (key, wanted) in [("fetched", PAGES as u64), ("discovered", PAGES as u64), ("broken", 0), ("queued", 0)] {
            report.equal(&format!("{}: {key}", self.name), status.number(key)?, wanted);
        }
        report.check(status.balances()?, || format!("{}: the balance", self.name));
        Ok(())
    }
}

/// Runs a command to its end, or kills it after a time; says whether it ended by itself.
pub(crate) fn end(command: Command, limit: Option<Duration>, scratch: &Scratch) -> anyhow::Result<bool> {
    end_since(command, limit, &|| true, scratch)
}

/// The same; the time counts from when the command has `begun`.
pub(crate) fn end_since(
    mut command: Command,
    limit: Option<Duration>,
    begun: &dyn Fn() -> bool,
    scratch: &Scratch,
) -> anyhow::Result<bool> {
    let says = std::fs::File::create(scratch.join("says"))?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(says);
    let start = Instant::now();
    let mut since = None;
    let mut child = command.spawn().context("cannot start groma")?;
    loop {
        if let Some(status) = child.try_wait()? {
            if !matches!(status.code(), Some(0 | 1)) {
                let says = std::fs::read_to_string(scratch.join("says")).unwrap_or_default();
                bail!("groma ended with {status}: {}", says.trim());
            }
            return Ok(true);
        }
        if since.is_none() && begun() {
            since = Some(Instant::now());
        }
        let over = since.zip(limit).is_some_and(|(since, limit)| since.elapsed() >= limit);
        if over || start.elapsed() > PATIENCE {
            child.kill().context("cannot kill groma")?;
            let output = child.wait_with_output()?;
            if !over {
                bail!("groma hung: {}", said(&output));
            }
            return Ok(false);
        }
        let tick = Duration::from_millis(if limit.is_some() && since.is_none() { 1 } else { 5 });
        let left = since.zip(limit).map_or(tick, |(since, limit)| limit.saturating_sub(since.elapsed()));
        std::thread::sleep(left.min(tick));
    }
}

/// A site that fails at random and counts its good answers by path.
pub(crate) struct Counted {
    pub(crate) web: Lattice,
    pub(crate) percent: u64,
    pub(crate) seed: u64,
    pub(crate) good: Arc<Mutex<BTreeMap<String, u64>>>,
}

impl Web for Counted {
    fn answer(&self, ask: &Ask) -> Answer {
        let answer = self.web.answer(ask);
        if answer.status != 200 {
            return answer;
        }
        let dice = mix(self.seed, ask.serial);
        let (throw, side) = ((dice >> 8) % 100, dice & 1);
        if throw < self.percent {
            return answer.with_manner(if side == 0 { Manner::ResetBeforeHeader } else { Manner::ResetMidBody });
        }
        if throw < 2 * self.percent {
            return Answer::status(503);
        }
        *self.good.lock().unwrap_or_else(PoisonError::into_inner).entry(ask.path.clone()).or_insert(0) += 1;
        answer
    }
}
