//! How many searches does the server answer, and how fast, while it crawls?
//!
//! Input: a survey of 100,000 pages of prose that follows Zipf's law, made and indexed once; `groma serve` on it with a
//! crawl of a second, endless site under way: two connections without pauses to a server that takes 20 ms. wrk asks over
//! 64 connections, once thousands of questions of which some are asked often, once each question only once, so that no
//! memory of answers helps. Answer: every reply is whole; words that only one page has find it; a sample is answered as
//! `groma search` answers it. Figures: at least 500 searches a second, 99 of 100 single questions within 50 ms, and with
//! `--minutes` memory that stays flat.

mod caller;
mod memory;
mod questions;
mod served;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use groma_testweb::Server;
use groma_testweb::prose::mix;
use groma_testweb::sites::{Library, Slowed};
use serde_json::{Value, json};

use crate::groma::{Groma, ended_well, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;
use crate::wrk::{Load, Manner, Target, Wrk};
use memory::Course;
use questions::questions;

pub(crate) use caller::{Caller, encoded};
pub(crate) use served::{Served, free_port};

const CONNECTIONS: u32 = 64;
const PER_SECOND: f64 = 500.0;
const SINGLE_P99_MS: f64 = 50.0;
/// Questions asked one after the other.
const SINGLES: usize = 2000;
/// Questions asked of both the server and the command line.
const SAMPLE: usize = 40;
/// More questions a second than any server of ours answers: the list of those asked once must last.
const LASTS: usize = 6000;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let pages: usize = options.take("pages", 100_000)?;
    let seconds: u64 = options.take("seconds", 30)?;
    let minutes: u64 = options.take("minutes", 0)?;
    if pages < 100 || seconds == 0 {
        bail!("at least 100 pages and a second are wanted");
    }
    let (groma, wrk) = (Groma::find()?, Wrk::find()?);
    let scratch = Scratch::new("serve")?;
    let home = scratch.join("home");
    std::fs::create_dir(&home)?;
    let store = survey(&groma, pages, &home, &scratch)?;

    let endless = Server::start(Slowed { web: Library::new(5_000_000), delay: Duration::from_millis(20) });
    let token = token(&groma, &home)?;
    let served = Served::start(&groma, &home)?;
    let mut caller = Caller::new(served.address(), &token);
    let at_start = served.resident()?;
    begin_crawl(&mut caller, &endless)?;

    let bench =
        Bench { groma: &groma, wrk: &wrk, served: &served, token: &token, endless: &endless, scratch: &scratch, pages };
    bench.answers(&store, &mut caller, report)?;
    bench.singles(&mut caller, report)?;
    let table = Table::new(&[
        "questions",
        "s",
        "answers",
        "per s",
        "p50 ms",
        "p99 ms",
        "max ms",
        "without a hit",
        "crawled meanwhile",
        "CPU s: server",
        "wrk",
        "test web",
    ]);
    let many = questions(pages, 5000, 11);
    let (often, course) = bench.load("5,000, some often", &many, Manner::Often, seconds, &table, report)?;
    let each = questions(pages, seconds as usize * LASTS, 12);
    let (once, _) = bench.load("each once", &each, Manner::Once, seconds, &table, report)?;
    for (name, load) in [("some often", &often), ("each once", &once)] {
        report.check(load.per_second >= PER_SECOND, || {
            format!("{name}: {:.0} searches/s, at least {PER_SECOND} wanted", load.per_second)
        });
    }
    report.check(once.requests as usize <= each.len(), || "the list of questions asked once did not last".into());
    println!("\nCPU of the server by thread, s: {}", by_thread(&served.cpu()?));
    println!("Memory, MB: {:.0} at start; {}", at_start.all, shown(&course, 30.0));
    if minutes > 0 {
        let (_, course) = bench.load(&format!("{minutes} min"), &many, Manner::Often, minutes * 60, &table, report)?;
        println!("\nMemory, MB: {}", shown(&course, 30.0));
        let (second, last, most) = course.thirds();
        println!("Mean of the second third {second:.1} MB, of the last {last:.1} MB, at most {most:.1} MB wanted.");
        report.at_most("memory of the last third", last, most);
    }
    let state = caller.get("/healthz")?.status;
    report.equal("healthz after the load", state.into(), 200);
    let (well, took) = served.stop()?;
    report.check(well, || format!("the server did not stop well ({took:?})"));
    Ok(())
}

/// A survey of a library, with its index.
fn survey(groma: &Groma, pages: usize, home: &Path, scratch: &Scratch) -> anyhow::Result<PathBuf> {
    let store = home.join("library.groma");
    let library = Server::start(Library::new(pages));
    let mut crawl = groma.crawl(&format!("{}/", library.base()), &store);
    crawl.arg("-q");
    let (output, crawled) = measure::run(&crawl, &scratch.join("cost"))?;
    if !ended_well(&output) {
        bail!("groma crawl failed: {}", said(&output));
    }
    let indexed = groma.status(&store)?.number("fetched")?;
    if indexed != pages as u64 {
        bail!("{indexed} of {pages} pages were crawled");
    }
    let (output, indexed) = measure::run(&groma.command("index", &store, &["-q"]), &scratch.join("cost"))?;
    if !output.status.success() {
        bail!("groma index failed: {}", said(&output));
    }
    println!(
        "{pages} pages: crawled in {:.1} s, indexed in {:.1} s ({:.1} s CPU, {:.0} MB)\n",
        crawled.wall, indexed.wall, indexed.cpu, indexed.peak_mb
    );
    Ok(store)
}

/// A token for the API.
pub(crate) fn token(groma: &Groma, home: &Path) -> anyhow::Result<String> {
    let mut command = Command::new(groma.path());
    command.args(["user", "token", "bench", "--home"]).arg(home);
    let output = command.output().context("cannot run groma user")?;
    let token = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if !output.status.success() || token.is_empty() {
        bail!("groma user token failed: {}", said(&output));
    }
    Ok(token)
}

/// Begins a survey over the API and waits until it crawls.
fn begin_crawl(caller: &mut Caller, site: &Server) -> anyhow::Result<()> {
    let wanted = json!({ "url": format!("{}/", site.base()), "settings": { "delay": "0" } });
    let reply = caller.post("/api/v1/sites", &wanted)?;
    if reply.status != 201 {
        bail!("the crawl was refused: {} {}", reply.status, reply.body);
    }
    let patience = Instant::now() + Duration::from_secs(30);
    while site.total() < 100 {
        if Instant::now() > patience {
            bail!("the crawl does not begin");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

struct Bench<'a> {
    groma: &'a Groma,
    wrk: &'a Wrk,
    served: &'a Served,
    token: &'a str,
    endless: &'a Server,
    scratch: &'a Scratch,
    pages: usize,
}

impl Bench<'_> {
    /// Are the answers right?
    fn answers(&self, store: &Path, caller: &mut Caller, report: &mut Report) -> anyhow::Result<()> {
        for n in 0..100 {
            let page = (mix(5, n) % self.pages as u64) as usize;
            let reply = caller.get(&questions::path(&Library::own_word(page)))?;
            let first = reply.body["items"][0]["url"].as_str().unwrap_or_default();
            let ending = Library::new(self.pages).path(page);
            report.check(reply.status == 200 && reply.body["total"] == 1 && first.ends_with(&ending), || {
                format!("the word of page {page}: {} {}", reply.status, reply.body)
            });
        }
        for question in questions(self.pages, SAMPLE, 13) {
            let reply = caller.get(&questions::path(&question))?;
            let items = reply.body["items"].as_array().cloned().unwrap_or_default();
            let output = self.groma.command("search", store, &["--as-is", "-f", "json", "--", &question]).output()?;
            let text = String::from_utf8_lossy(&output.stdout);
            let rows: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
            let addresses = |rows: &[Value]| rows.iter().map(|row| row["url"].clone()).collect::<Vec<_>>();
            report.check(output.status.success() && addresses(&items) == addresses(&rows), || {
                format!(
                    "`{question}`: the server found {:?}, the command line {:?}",
                    addresses(&items),
                    addresses(&rows)
                )
            });
        }
        Ok(())
    }

    /// One question at a time, each once.
    fn singles(&self, caller: &mut Caller, report: &mut Report) -> anyhow::Result<()> {
        let mut times = Vec::with_capacity(SINGLES);
        let (mut slowest, mut slowest_ms) = (String::new(), 0.0);
        for question in questions(self.pages, SINGLES, 14) {
            let start = Instant::now();
            let reply = caller.get(&questions::path(&question))?;
            let ms = start.elapsed().as_secs_f64() * 1e3;
            report.check(reply.status == 200, || format!("`{question}`: {} {}", reply.status, reply.body));
            if ms > slowest_ms {
                (slowest, slowest_ms) = (question, ms);
            }
            times.push(ms);
        }
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "{SINGLES} questions one at a time: p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms, slowest {slowest_ms:.1} ms (`{slowest}`)\n",
            at(0.5),
            at(0.9),
            at(0.99)
        );
        report.at_most("p99 of single questions, ms", at(0.99), SINGLE_P99_MS);
        Ok(())
    }

    /// Load by wrk, as a row of the table.
    fn load(
        &self,
        name: &str,
        asked: &[String],
        manner: Manner,
        seconds: u64,
        table: &Table,
        report: &mut Report,
    ) -> anyhow::Result<(Load, Course)> {
        let list = self.scratch.join("paths");
        let paths: Vec<String> = asked.iter().map(|question| questions::path(question)).collect();
        std::fs::write(&list, paths.join("\n"))?;
        let base = format!("http://{}", self.served.address());
        let ours = || served::cpu_of(std::process::id());
        let (crawled, server, web) = (self.endless.total(), self.served.cpu_in_all()?, ours()?);
        let (load, course) = memory::beside(self.served, || {
            let server = Target { base: &base, token: self.token };
            self.wrk.run(server, &list, manner, CONNECTIONS, seconds, self.scratch)
        })?;
        let load = load?;
        let crawled = self.endless.total() - crawled;
        table.row(&[
            name.to_owned(),
            seconds.to_string(),
            load.requests.to_string(),
            format!("{:.0}", load.per_second),
            format!("{:.1}", load.p50),
            format!("{:.1}", load.p99),
            format!("{:.1}", load.max),
            format!("{:.1} %", 100.0 * load.empty as f64 / load.requests.max(1) as f64),
            format!("{:.0} pages/s", crawled as f64 / seconds as f64),
            format!("{:.1}", self.served.cpu_in_all()? - server),
            format!("{:.1}", load.cpu),
            format!("{:.1}", ours()? - web),
        ]);
        report.check(load.bad == 0 && load.broken == 0, || {
            format!("{name}: {} bad answers ({}), {} broken connections", load.bad, load.example, load.broken)
        });
        report.check(load.empty * 4 < load.requests, || format!("{name}: {} answers without a hit", load.empty));
        report.check(crawled > 0, || format!("{name}: no crawl was under way"));
        Ok((load, course))
    }
}

fn by_thread(cpu: &BTreeMap<String, f64>) -> String {
    let mut parts: Vec<(&String, &f64)> = cpu.iter().filter(|(_, seconds)| **seconds >= 0.1).collect();
    parts.sort_by(|a, b| b.1.total_cmp(a.1));
    parts.iter().map(|(name, seconds)| format!("{name} {seconds:.1}")).collect::<Vec<_>>().join(", ")
}

fn shown(course: &Course, every: f64) -> String {
    let look = |(at, held): &(f64, served::Resident)| {
        format!("{:.0} ({:.0} without mapped files) at {at:.0} s", held.all, held.own)
    };
    course.every(every).iter().map(look).collect::<Vec<_>>().join("; ")
}
