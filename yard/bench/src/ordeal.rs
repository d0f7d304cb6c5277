//! What is lost when the server is killed again and again in the middle of its work?
//!
//! Input: a site of 5,000 pages that takes 2 ms for each, surveyed by `groma serve`; jobs asked for all the time, over the API
//! and on the command line, alone and in packages, two schedules whose moment comes meanwhile, searches from three threads;
//! kill -9 after 0.2 to 3 seconds, the same command again at once, so many times. Then the work is let to come to rest.
//! Answer: every job that was promised is there, done, and ended once, packages in their order, each schedule fired once, as many updates
//! ran to their end as were asked for; store, index and queue agree (`groma verify`), the balance holds, every page is found
//! by the word that only it has, and changed pages by their new word only. Figure: no search was answered by an error.

mod afterwards;
mod load;

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail};
use groma_testweb::Server;
use groma_testweb::prose::mix;
use groma_testweb::sites::{Library, Slowed};
use serde_json::{Value, json};

use crate::groma::{Groma, said};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;
use crate::serve::{Caller, Served, free_port, token};
use load::Load;

const PAGES: usize = 5000;
/// Threads that search.
const SEARCHERS: u64 = 3;
/// What was asked for is done within this time, or never.
const REST: Duration = Duration::from_secs(1200);

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let kills: u64 = options.take("kills", 50)?;
    let seed: u64 = options.take("seed", 1)?;
    let pages: usize = options.take("pages", PAGES)?;
    let scratch = Scratch::new("ordeal")?;
    let home = scratch.join("home");
    std::fs::create_dir(&home)?;
    let library = Library { words: 60, ..Library::new(pages) };
    let web = Server::start(Slowed { web: library.clone(), delay: Duration::from_millis(2) });
    let groma = Groma::find()?;
    let mut ordeal = Ordeal {
        store: home.join(format!("127.0.0.1-{}.groma", web.port())),
        site: format!("127.0.0.1-{}", web.port()),
        token: token(&groma, &home)?,
        address: free_port()?,
        schedules: Vec::new(),
        groma,
        home,
        library,
        seed,
    };
    let served = ordeal.begin(&web)?;
    let load = Load::default();
    let (served, lives) = ordeal.kill_and_go_on(served, kills, &load, report)?;
    let start = Instant::now();
    ordeal.rest(&served)?;
    let rest = start.elapsed();
    let came_to = ordeal.afterwards(&served, &load, report)?;
    let (well, _) = served.stop()?;
    report.check(well, || "the server did not stop well".into());
    ordeal.sound("at the end", report)?;

    let table = Table::new(&["what", "how many"]);
    let row = |what: &str, many: String| table.row(&[what.to_owned(), many]);
    row("kills", kills.to_string());
    row("slowest start, ms", format!("{:.0}", lives.slowest_start.as_secs_f64() * 1e3));
    row("then at rest after, s", format!("{:.0}", rest.as_secs_f64()));
    row("fetches of the site", web.total().to_string());
    came_to.iter().for_each(|(what, many)| row(what, many.to_string()));
    load.tell(&row);
    load.check(report);
    Ok(())
}

struct Ordeal {
    groma: Groma,
    home: PathBuf,
    store: PathBuf,
    /// The name of the site in the API.
    site: String,
    token: String,
    address: std::net::SocketAddr,
    library: Library,
    /// Schedules, with the moment at which each fires.
    schedules: Vec<(u64, u64)>,
    seed: u64,
}

#[derive(Default)]
struct Lives {
    slowest_start: Duration,
}

impl Ordeal {
    fn caller(&self) -> Caller {
        Caller::new(self.address, &self.token)
    }

    fn start(&self) -> anyhow::Result<Served> {
        Served::start_at(&self.groma, &self.home, self.address)
    }

    /// The first start: the survey is asked for, and the schedules.
    fn begin(&mut self, web: &Server) -> anyhow::Result<Served> {
        let served = self.start()?;
        let wanted = json!({ "url": format!("{}/", web.base()), "settings": { "delay": "0" } });
        let reply = self.caller().post("/api/v1/sites", &wanted)?;
        if reply.status != 201 || reply.body["name"] != self.site.as_str() {
            bail!("the survey was not begun: {} {}", reply.status, reply.body);
        }
        let patience = Instant::now() + Duration::from_secs(30);
        while web.total() < 50 {
            if Instant::now() > patience {
                bail!("the crawl does not begin");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let minute = seconds() / 60;
        for later in [1, 2] {
            let moment = (minute + later) * 60;
            let period = format!("{} {} * * *", (minute + later) % 60, (minute + later) / 60 % 24);
            let words = ["add", &period, "--zone", "UTC", "--what", "check,map"];
            let output = self.groma.command("schedule", &self.store, &words).output()?;
            let number = numbers(&String::from_utf8_lossy(&output.stdout)).first().copied();
            let number = number.filter(|_| output.status.success());
            self.schedules.push((number.with_context(|| format!("no schedule: {}", said(&output)))?, moment));
        }
        Ok(served)
    }

    /// Load beside kills; at the end the server runs.
    fn kill_and_go_on(
        &self,
        first: Served,
        kills: u64,
        load: &Load,
        report: &mut Report,
    ) -> anyhow::Result<(Served, Lives)> {
        let mut lives = Lives::default();
        let mut served = first;
        let ended = std::thread::scope(|scope| {
            for n in 0..SEARCHERS {
                scope.spawn(move || load.search(self, n));
            }
            scope.spawn(|| load.ask_over_the_api(self));
            scope.spawn(|| load.ask_on_the_command_line(self));
            scope.spawn(|| load.watch_the_ended(self));
            let lead = || {
                for kill in 0..kills {
                    std::thread::sleep(Duration::from_millis(200 + mix(self.seed, kill) % 2800));
                    served.kill()?;
                    if kill % 10 == 9 {
                        self.sound(&format!("after {} kills", kill + 1), report)?;
                    }
                    let start = Instant::now();
                    served = self.start()?;
                    lives.slowest_start = lives.slowest_start.max(start.elapsed());
                }
                Ok::<Served, anyhow::Error>(served)
            };
            let ended = lead();
            load.over.store(true, Ordering::Relaxed);
            ended
        });
        Ok((ended?, lives))
    }

    /// Nothing waits and nothing runs any more, and the moments of the schedules are past.
    fn rest(&self, served: &Served) -> anyhow::Result<()> {
        let (start, mut caller) = (Instant::now(), Caller::new(served.address(), &self.token));
        let last = self.schedules.iter().map(|(_, moment)| *moment).max().unwrap_or(0);
        loop {
            let mut open = Vec::new();
            for state in ["waiting", "running", "paused"] {
                let reply = caller.get(&format!("/api/v1/sites/{}/jobs?state={state}&limit=5", self.site))?;
                if reply.status != 200 {
                    bail!("the jobs are not told: {} {}", reply.status, reply.body);
                }
                open.extend(reply.body["items"].as_array().cloned().unwrap_or_default());
            }
            // The timetable is looked at every two seconds.
            if open.is_empty() && seconds() > last + 5 {
                return Ok(());
            }
            if start.elapsed() > REST {
                bail!("after {} s there is still: {}", REST.as_secs(), Value::from(open));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Store, index and queue hold together.
    fn sound(&self, when: &str, report: &mut Report) -> anyhow::Result<()> {
        if self.store.join("survey.db").exists() {
            let complaint = self.groma.verify(&self.store)?;
            report.check(complaint.is_none(), || format!("verify {when}: {}", complaint.unwrap_or_default()));
        }
        Ok(())
    }
}

/// Seconds since 1970.
fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The whole numbers in a text.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}
