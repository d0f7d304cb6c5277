//! How fast, and at what cost, by one process and a file, by one and by four on a server?

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::bail;
use groma_testweb::Neighbours;

use super::service::{Service, ask, cpu_of, worker};
use crate::groma::Groma;
use crate::measure;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const PATIENCE: Duration = Duration::from_secs(600);
/// CPU of the processes that crawl, a page, against that of one process with a file.
const OVERHEAD: f64 = 1.5;

pub(super) fn run(sites: u8, pages: usize, report: &mut Report) -> anyhow::Result<()> {
    let groma = Groma::find()?;
    let each = pages.div_ceil(usize::from(sites));
    let table = Table::new(&[
        "crawl",
        "pages",
        "fetches",
        "wall s",
        "pages/s",
        "CPU ms a page",
        "at the server",
        "ratio",
        "asked twice",
    ]);
    let file = alone(&groma, sites, each, report)?;
    table.row(&file.row("one process, a file", file.cpu));
    for workers in [1, 4] {
        let run = together(&groma, sites, each, workers, report)?;
        table.row(&run.row(&format!("{workers} on a server"), file.cpu));
        report.at_most(&format!("CPU a page, {workers} on a server"), run.cpu / file.cpu, OVERHEAD);
        report.equal("indexed pages", run.indexed, file.indexed);
    }
    Ok(())
}

/// What a crawl cost.
struct Run {
    indexed: u64,
    fetches: usize,
    twice: usize,
    wall: f64,
    /// CPU seconds a page, here and at the server.
    cpu: f64,
    served: f64,
}

impl Run {
    fn row(&self, name: &str, of_file: f64) -> [String; 9] {
        [
            name.to_owned(),
            self.indexed.to_string(),
            self.fetches.to_string(),
            format!("{:.2}", self.wall),
            format!("{:.0}", self.indexed as f64 / self.wall),
            format!("{:.3}", self.cpu * 1000.0),
            format!("{:.3}", self.served * 1000.0),
            format!("{:.2}", self.cpu / of_file),
            self.twice.to_string(),
        ]
    }
}

fn alone(groma: &Groma, sites: u8, each: usize, report: &mut Report) -> anyhow::Result<Run> {
    let scratch = Scratch::new("pace-file")?;
    let web = Neighbours::start(sites, each);
    let store = scratch.join("file.groma");
    let mut command = Command::new(groma.path());
    command.arg("crawl").args(web.seeds()).arg("--store").arg(&store);
    command.args(["-q", "--scope", "any", "--per-host", "1", "-c", "32", "--delay", "0", "--no-sitemaps"]);
    let (output, cost) = measure::run(&command, &scratch.join("time"))?;
    if !output.status.success() {
        bail!("groma crawl: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let indexed = groma.status(&store)?.number("fetched")?;
    report.equal("asked twice", web.twice() as u64, 0);
    let cpu = cost.cpu / indexed.max(1) as f64;
    Ok(Run { indexed, fetches: web.fetches(), twice: web.twice(), wall: cost.wall, cpu, served: 0.0 })
}

fn together(groma: &Groma, sites: u8, each: usize, workers: usize, report: &mut Report) -> anyhow::Result<Run> {
    let scratch = Scratch::new("pace-server")?;
    let service = Service::start(&scratch)?;
    let web = Neighbours::start(sites, each);
    let survey = service.survey("pace");
    let home = |number: usize| scratch.join(&format!("home{number}"));
    ask(groma, &survey, &web, "0", &home(99))?;
    let served = service.cpu();
    let mut workers =
        Workers((0..workers).map(|number| worker(groma, &survey, &home(number))).collect::<Result<_, _>>()?);
    let began = Instant::now();
    while web.fetches() == 0 && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(2));
    }
    let (began, before) = (Instant::now(), workers.cpu());
    let mut seen = (web.fetches(), Instant::now());
    // Nothing is asked of the server meanwhile but by the workers: the web itself says when it is over.
    while seen.1.elapsed() < Duration::from_secs(2) && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
        if web.fetches() != seen.0 {
            seen = (web.fetches(), Instant::now());
        }
    }
    let (wall, cpu) = ((seen.1 - began).as_secs_f64(), workers.cpu() - before);
    let served = service.cpu() - served;
    workers.0.iter_mut().for_each(|worker| drop(worker.kill()));
    let status = groma.status(&survey)?;
    let indexed = status.number("fetched")?;
    report.equal("left in the queue", status.number("queued")?, 0);
    report.equal("asked twice", web.twice() as u64, 0);
    if let Some(wrong) = groma.verify(&survey)? {
        report.check(false, || wrong);
    }
    let page = indexed.max(1) as f64;
    Ok(Run { indexed, fetches: web.fetches(), twice: web.twice(), wall, cpu: cpu / page, served: served / page })
}

/// Workers that go when we go.
struct Workers(Vec<Child>);

impl Workers {
    fn cpu(&self) -> f64 {
        self.0.iter().map(cpu_of).sum()
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &mut self.0 {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}
