//! Are links that lead out asked once each, politely, and lost by no kill?
//!
//! Input: a page with links to many hosts, each a loopback address of its own, some links a host; of ten links one is not there, one does
//! not know HEAD, one redirects for good to another URL of its host, two turn programs away (403, 999), and the rest are there; an answer
//! takes 20 ms. Asked in one go, and with kill -9 after random times. Answer: the findings are those of the truth; each URL gets one HEAD, and
//! a GET only where that was not believed; each host's robots.txt is asked once; two requests at one host are never sooner than the pause.
//! After kills, no answer is missing; what was under way may be asked again. Figure: time beside what latency and connections allow, CPU;
//! beside lychee (`--lychee PATH`) with as many connections and the same pause.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context as _, bail};
use groma_testweb::prose::mix;
use groma_testweb::{Answer, Ask, Manner, Server};
use serde_json::Value;

use crate::groma::{Groma, IN_FLIGHT, ended_well, said};
use crate::measure::{self, Cost};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

/// How long an answer takes.
const LATENCY: Duration = Duration::from_millis(20);
/// When a request came is known to less than this; the pause is counted in whole milliseconds.
const SLACK: Duration = Duration::from_millis(5);

/// A request: when, at which host, by which method, for what.
type Request = (SystemTime, String, String, String);
type Log = Arc<Mutex<Vec<Request>>>;

/// The hosts, and the log of what they were asked.
struct Outskirts {
    server: Server,
    log: Log,
    hosts: usize,
    links: usize,
}

impl Outskirts {
    fn start(hosts: usize, links: usize) -> anyhow::Result<Outskirts> {
        let log = Log::default();
        let kept = Arc::clone(&log);
        let home = move |ask: &Ask| {
            let came = ask.came.unwrap_or_else(SystemTime::now);
            let request = (came, ask.host.clone(), ask.method.clone(), ask.path.clone());
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(request);
            answer(ask, hosts, links).with_manner(Manner::Delay(LATENCY))
        };
        let server = Server::start_on(([0, 0, 0, 0], 0).into(), home)?;
        Ok(Outskirts { server, log, hosts, links })
    }

    fn home(&self) -> String {
        format!("http://127.0.0.1:{}/", self.server.port())
    }

    /// What was asked of the hosts, without the home page's own.
    fn asked(&self) -> Vec<Request> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner).clone();
        log.retain(|(_, host, ..)| !host.starts_with("127.0.0.1:"));
        log.sort_by_key(|(at, ..)| *at);
        log
    }

    fn forget(&self) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

fn host(number: usize) -> String {
    format!("127.1.{}.{}", number / 250, number % 250 + 1)
}

fn answer(ask: &Ask, hosts: usize, links: usize) -> Answer {
    let number = |path: &str| path.trim_start_matches('/').parse::<usize>().ok();
    match (ask.host.starts_with("127.0.0.1:"), ask.path.as_str()) {
        (_, "/robots.txt") => Answer::text("User-agent: *\nDisallow: /private\n"),
        (true, "/") => {
            let port = ask.host.rsplit(':').next().unwrap_or_default();
            let link = |n: usize| format!("<p><a href=http://{}:{port}/{n}>link {n}</a>", host(n % hosts));
            Answer::html((0..links).map(link).collect::<String>())
        }
        (false, path) if path.starts_with("/moved/") => Answer::html("here"),
        (false, path) => match (number(path).map(|n| n % 10), ask.method.as_str()) {
            (Some(0), _) => Answer::status(404),
            (Some(1), "HEAD") => Answer::status(405),
            (Some(2), _) => Answer::redirect(301, &format!("/moved{path}")),
            (Some(3), _) => Answer::status(403),
            (Some(4), _) => Answer::status(999),
            (Some(_), _) => Answer::html("there"),
            (None, _) => Answer::status(404),
        },
        (true, _) => Answer::status(404),
    }
}

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let groma = Groma::find()?;
    let (hosts, links) = (options.take("hosts", 2_000usize)?, options.take("links", 10_000usize)?);
    let (pause, kills) = (Duration::from_millis(options.take("pause", 200u64)?), options.take("kills", 10u64)?);
    let seed = options.take("seed", 1u64)?;
    if hosts == 0 || hosts > 60_000 {
        bail!("--hosts {hosts}: 1 to 60,000 are possible");
    }
    let web = Outskirts::start(hosts, links)?;
    let scratch = Scratch::new("outside")?;
    let own: Vec<String> = (0..hosts).map(|n| format!("{}:{}", host(n), web.server.port())).collect();
    let settings = format!("own = \"{}\"\ndelay = {}\noutside = \"no\"\n", own.join(","), pause.as_secs_f64());
    fs::write(scratch.join("groma.toml"), settings)?;
    let lychee: String = options.take("lychee", String::new())?;
    let table = Table::new(&[
        "run",
        "links",
        "hosts",
        "requests",
        "per link",
        "least pause ms",
        "true broken",
        "false broken",
        "seconds",
        "CPU s",
        "peak MB",
    ]);
    let row = |name: String, least: Duration, told: (u64, u64), cost: Cost| {
        let requests = web.asked().len();
        let [links, hosts, count] = [links, hosts, requests].map(|number| number.to_string());
        table.row(&[
            name,
            links,
            hosts,
            count,
            format!("{:.2}", requests as f64 / web.links as f64),
            least.as_millis().to_string(),
            told.0.to_string(),
            told.1.to_string(),
            format!("{:.1}", cost.wall),
            format!("{:.1}", cost.cpu),
            format!("{:.0}", cost.peak_mb),
        ]);
    };
    for killed in [false, true] {
        let store = scratch.join(if killed { "killed.groma" } else { "whole.groma" });
        let mut crawl = groma.command("crawl", &store, &[&web.home(), "-q"]);
        let crawled = crawl.current_dir(scratch.path()).output()?;
        if !ended_well(&crawled) {
            bail!("groma crawl failed: {}", said(&crawled));
        }
        web.forget();
        let mut check = groma.command("check", &store, &["--outside", "yes", "-f", "json", "--fail-on", "none"]);
        check.current_dir(scratch.path());
        if killed {
            kill(&mut check, kills, seed)?;
        }
        let (output, cost) = measure::run(&check, &scratch.join("cost"))?;
        if !ended_well(&output) {
            bail!("groma check failed: {}", said(&output));
        }
        let name = if killed { format!("{kills} kills") } else { "in one go".to_owned() };
        let told = judge_findings(&web, &output.stdout, &name, report)?;
        let least = judge_requests(&web, pause, killed, &name, report);
        row(name, least, told, cost);
    }
    if !lychee.is_empty() {
        web.forget();
        let mut command = Command::new(&lychee);
        let many = IN_FLIGHT.to_string();
        command.args(["--no-progress", "--format", "json", "--max-concurrency", &many, "--host-concurrency", "1"]);
        command.args(["--host-request-interval", &format!("{}ms", pause.as_millis()), &web.home()]);
        let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
        let told = told_by_lychee(&output.stdout)?;
        row("lychee".to_owned(), least_pause(&web.asked()), told, cost);
    }
    Ok(())
}

/// How many of the URLs that lychee calls errors are broken, and how many are not.
fn told_by_lychee(output: &[u8]) -> anyhow::Result<(u64, u64)> {
    let said: Value = serde_json::from_slice(output).context("lychee said no JSON")?;
    let pages = said["error_map"].as_object().context("lychee named no errors")?;
    let urls = pages.values().filter_map(Value::as_array).flatten().filter_map(|one| one["url"].as_str());
    let numbers = urls.filter_map(|url| url.rsplit('/').next()?.parse::<u64>().ok());
    Ok(numbers.fold((0, 0), |(good, bad), n| if n % 10 == 0 { (good + 1, bad) } else { (good, bad + 1) }))
}

/// Kills the command so many times after a random time of up to two seconds.
fn kill(command: &mut Command, kills: u64, seed: u64) -> anyhow::Result<()> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for round in 0..kills {
        let mut child = command.spawn().context("cannot run groma")?;
        let until = Instant::now() + Duration::from_millis(200 + mix(seed, round) % 1_800);
        while Instant::now() < until && child.try_wait()?.is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill()?;
        child.wait()?;
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(())
}

/// Every broken and every moved link is told, and no other. Gives how many are truly told as broken, and how many falsely.
fn judge_findings(web: &Outskirts, output: &[u8], name: &str, report: &mut Report) -> anyhow::Result<(u64, u64)> {
    let mut found: HashMap<(String, usize), u64> = HashMap::new();
    for line in std::str::from_utf8(output)?.lines() {
        let finding: Value = serde_json::from_str(line)?;
        let (kind, to) = (finding["kind"].as_str().unwrap_or_default(), finding["to"].as_str().unwrap_or_default());
        if kind.starts_with("outside-") {
            let number = to.rsplit('/').next().and_then(|number| number.parse().ok()).context(to.to_owned())?;
            *found.entry((kind.to_owned(), number)).or_default() += 1;
        }
    }
    let wrong = |kind: &str, rest: usize| {
        (0..web.links).filter(|n| (n % 10 == rest) != (found.get(&(kind.to_owned(), *n)) == Some(&1))).count() as u64
    };
    report.equal(&format!("{name}: wrong about what is broken"), wrong("outside-broken", 0), 0);
    report.equal(&format!("{name}: wrong about what has moved"), wrong("outside-moved", 2), 0);
    let others = found.keys().filter(|(kind, n)| kind == "outside-unreachable" || (n % 10 > 4));
    report.equal(&format!("{name}: wrong about what is there"), others.count() as u64, 0);
    let blocked = found.keys().filter(|(kind, n)| kind == "outside-blocked" && matches!(n % 10, 3 | 4)).count();
    report.equal(&format!("{name}: told as blocked"), blocked as u64, (web.links / 10 * 2) as u64);
    let broken = |is_true: bool| {
        found.keys().filter(|(kind, n)| kind == "outside-broken" && (n % 10 == 0) == is_true).count() as u64
    };
    Ok((broken(true), broken(false)))
}

/// Each URL once, each host in its pace. Gives the least pause that was seen.
fn judge_requests(web: &Outskirts, pause: Duration, killed: bool, name: &str, report: &mut Report) -> Duration {
    let asked = web.asked();
    let mut times: HashMap<(&str, &str, &str), u64> = HashMap::new();
    for (_, host, method, path) in &asked {
        *times.entry((host, method, path)).or_default() += 1;
    }
    let least = least_pause(&asked);
    let heads = times.iter().filter(|((_, method, _), _)| *method == "HEAD").count() as u64;
    report.equal(&format!("{name}: URLs asked"), heads, (web.links + web.links / 10) as u64);
    let robots = times.keys().filter(|(_, _, path)| *path == "/robots.txt").count();
    report.equal(&format!("{name}: hosts asked for robots.txt"), robots as u64, web.hosts.min(web.links) as u64);
    if !killed {
        let twice = times.values().filter(|times| **times > 1).count();
        report.equal("asked twice", twice as u64, 0);
        report
            .check(least + SLACK >= pause, || format!("{least:?} between two requests at one host, {pause:?} wanted"));
        let gets = times.keys().filter(|(_, method, path)| *method == "GET" && *path != "/robots.txt").count();
        report.equal("asked by GET", gets as u64, (web.links / 10 * 4) as u64);
    }
    least
}

/// The least time between two requests at one host.
fn least_pause(asked: &[Request]) -> Duration {
    let (mut last, mut least): (HashMap<&str, SystemTime>, _) = (HashMap::new(), Duration::MAX);
    for (at, host, ..) in asked {
        if let Some(before) = last.insert(host, *at) {
            least = least.min(at.duration_since(before).unwrap_or_default());
        }
    }
    least
}
