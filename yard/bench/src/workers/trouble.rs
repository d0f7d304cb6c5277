//! Workers that are killed, and a server that is stopped at once.

use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use anyhow::bail;
use groma_testweb::Neighbours;
use groma_testweb::prose::mix;

use super::service::{Service, ask, worker};
use crate::groma::Groma;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const PATIENCE: Duration = Duration::from_secs(3_000);
/// The pause of a site, and what counts as one: moments are told in whole milliseconds.
const PAUSE: Duration = Duration::from_millis(40);
const KEPT: Duration = Duration::from_millis(38);
const WORKERS: usize = 4;
/// After its return the server must hear of somebody within this time.
const GOING_ON: Duration = Duration::from_secs(10);

/// A crawl under way.
struct Trial {
    groma: Groma,
    /// The server goes before the folder it lies in.
    service: Service,
    scratch: Scratch,
    web: Neighbours,
    survey: PathBuf,
    workers: Vec<Child>,
}

impl Trial {
    fn begin(sites: u8, pages: usize, workers: usize, pause: Duration) -> anyhow::Result<Trial> {
        let groma = Groma::find()?;
        let scratch = Scratch::new("workers")?;
        let service = Service::start(&scratch)?;
        let web = Neighbours::start(sites, pages.div_ceil(usize::from(sites)));
        let survey = service.survey("workers");
        ask(&groma, &survey, &web, &pause.as_secs_f64().to_string(), &scratch.join("asking"))?;
        let mut trial = Trial { groma, service, scratch, web, survey, workers: Vec::new() };
        for number in 0..workers {
            let new = trial.worker(number)?;
            trial.workers.push(new);
        }
        Ok(trial)
    }

    fn worker(&self, number: usize) -> anyhow::Result<Child> {
        worker(&self.groma, &self.survey, &self.scratch.join(&format!("home{number}")))
    }

    /// Has the crawl come to its end? A server that is away says nothing.
    fn is_over(&self) -> bool {
        self.groma.status(&self.survey).is_ok_and(|status| status.is_finished())
    }

    fn check(&self, again: usize, report: &mut Report) -> anyhow::Result<[String; 4]> {
        let status = self.groma.status(&self.survey)?;
        report.equal("left in the queue", status.number("queued")?, 0);
        report.equal("queued", status.number("queued")?, 0);
        if let Some(wrong) = self.groma.verify(Path::new(&self.survey))? {
            report.check(false, || wrong);
        }
        let (twice, hurried) = (self.web.twice(), self.web.hurried(KEPT).len());
        report.check(twice <= again, || format!("asked for twice: {twice}, at most {again} wanted"));
        report.equal("asked too soon", hurried as u64, 0);
        let indexed = status.number("fetched")?;
        Ok([indexed.to_string(), self.web.fetches().to_string(), twice.to_string(), hurried.to_string()])
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

/// Workers are killed at random moments.
pub(super) fn kills(sites: u8, pages: usize, kills: usize, seed: u64, report: &mut Report) -> anyhow::Result<()> {
    let mut trial = Trial::begin(sites, pages, WORKERS, PAUSE)?;
    let began = Instant::now();
    let mut killed = 0;
    // Spread over the crawl, by what has been fetched.
    let due = |number: usize| {
        let part = pages / (kills + 1);
        part * (number + 1) - part / 2 + (mix(seed, number as u64) as usize % part.max(1)) / 2
    };
    loop {
        std::thread::sleep(Duration::from_millis(20));
        if killed < kills && trial.web.fetches() >= due(killed) {
            let victim = (mix(seed, 1_000 + killed as u64) as usize) % WORKERS;
            let _ = trial.workers[victim].kill();
            let _ = trial.workers[victim].wait();
            trial.workers[victim] = trial.worker(victim)?;
            killed += 1;
        }
        if killed == kills && trial.is_over() {
            break;
        }
        if began.elapsed() > PATIENCE {
            bail!("the crawl does not end: {} fetches after {:?}", trial.web.fetches(), began.elapsed());
        }
    }
    let wall = began.elapsed();
    // One fetch of a site was under way at most.
    let [indexed, fetches, twice, hurried] = trial.check(kills * usize::from(sites), report)?;
    let table = Table::new(&[
        "workers",
        "kills",
        "pages",
        "fetches",
        "asked twice (under way at a kill)",
        "asked too soon",
        "wall s",
    ]);
    let wall = format!("{:.0}", wall.as_secs_f64());
    table.row(&[WORKERS.to_string(), killed.to_string(), indexed, fetches, twice, hurried, wall]);
    Ok(())
}

/// The server is stopped at once, and comes back.
pub(super) fn stops(sites: u8, pages: usize, stops: usize, report: &mut Report) -> anyhow::Result<()> {
    // Long enough for all of them: each site is asked so often that the whole takes about 100 s.
    let pause = Duration::from_secs_f64(100.0 * f64::from(sites) / pages as f64);
    let trial = Trial::begin(sites, pages, 3, pause)?;
    let began = Instant::now();
    let (mut stopped, mut longest) = (0, Duration::ZERO);
    while trial.web.fetches() < pages / 50 && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(50));
    }
    while stopped < stops {
        trial.service.tell("crash")?;
        std::thread::sleep(Duration::from_millis(mix(7, stopped as u64) % 1_500));
        trial.service.tell("again")?;
        let (back, before) = (Instant::now(), trial.web.fetches());
        while trial.web.fetches() == before && back.elapsed() < GOING_ON * 3 && !trial.is_over() {
            std::thread::sleep(Duration::from_millis(5));
        }
        longest = longest.max(back.elapsed());
        stopped += 1;
        std::thread::sleep(Duration::from_millis(500 + mix(9, stopped as u64) % 2_000));
    }
    while !trial.is_over() {
        if began.elapsed() > PATIENCE {
            bail!("the crawl does not end");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let [indexed, fetches, twice, hurried] = trial.check(0, report)?;
    report.at_most("seconds until it went on", longest.as_secs_f64(), GOING_ON.as_secs_f64());
    let table = Table::new(&[
        "workers",
        "stops",
        "pages",
        "fetches",
        "asked twice",
        "asked too soon",
        "longest until it went on, s",
    ]);
    let longest = format!("{:.1}", longest.as_secs_f64());
    table.row(&["3".into(), stopped.to_string(), indexed, fetches, twice, hurried, longest]);
    Ok(())
}
