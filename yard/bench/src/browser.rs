//! Are all pages found that scripts build, and only those built? Is a browser left behind by a kill?
//!
//! Input: a site of so many empty shells, which one script fills from data, and of pages among them that come whole
//! (`groma-testweb scripted`); `--js auto`, at full speed on loopback. Answer: every page is indexed, every shell was built once, no
//! text was. Then the same with kill -9 at random moments and the same command again. Answer: the same, and within two seconds of
//! each kill no process of its browser is there. Figure: pages built per second.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use groma_testweb::Server;
use groma_testweb::prose::mix;
use groma_testweb::sites::Scripted;

use crate::groma::Groma;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

/// How long the processes of a browser may be there after the program was killed.
const FAREWELL: Duration = Duration::from_secs(2);

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let shells: usize = options.take("pages", 1000)?;
    let texts: usize = options.take("texts", shells / 2)?;
    let tabs: usize = options.take("tabs", 4)?;
    let kills: u64 = options.take("kills", 10)?;
    let seed: u64 = options.take("seed", 1)?;
    let groma = Groma::find()?;
    let site = Scripted { shells, texts };
    let table =
        Table::new(&["crawl", "shells", "texts", "fetched", "built", "seconds", "built per second", "script fetched"]);
    let scratch = Scratch::new("browser")?;

    let server = Server::start(site);
    let command = |store: &str| {
        let mut command = groma.crawl(&format!("{}/", server.base()), &scratch.join(store));
        command.args(["-q", "--js", "auto", "-s", &format!("js_pages={tabs}")]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let row = |name: &str, store: &str, seconds: f64, built: u64, report: &mut Report| -> anyhow::Result<()> {
        let store = scratch.join(store);
        let indexed = groma.status(&store)?.number("fetched")?;
        report.equal(&format!("{name}: pages indexed"), indexed, site.pages() as u64);
        let pages = groma.pages(&store, "fetched")?;
        let wrong = pages.iter().filter(|page| {
            let is_text = page["url"].as_str().unwrap_or_default().contains("/text/");
            page["rendered"].as_bool() != Some(!is_text)
        });
        report.equal(&format!("{name}: shells not built, or texts built"), wrong.count() as u64, 0);
        let complaint = groma.verify(&store)?;
        report.check(complaint.is_none(), || format!("{name}: verify: {complaint:?}"));
        table.row(&[
            name.to_owned(),
            shells.to_string(),
            texts.to_string(),
            indexed.to_string(),
            built.to_string(),
            format!("{seconds:.1}"),
            format!("{:.1}", built as f64 / seconds),
            server.count("/app.js").to_string(),
        ]);
        Ok(())
    };

    let begun = Instant::now();
    if !command("whole.groma").status().context("cannot start groma")?.success() {
        bail!("the crawl failed");
    }
    let whole = begun.elapsed();
    let built = groma.status(&scratch.join("whole.groma"))?.number("rendered")?;
    report.equal("built", built, shells as u64);
    row("undisturbed", "whole.groma", whole.as_secs_f64(), built, report)?;

    let begun = Instant::now();
    for kill in 0..kills {
        let mut child = command("killed.groma").spawn().context("cannot start groma")?;
        let wait = whole.mul_f64(0.02 + (mix(seed, kill) % 1000) as f64 / 1000.0 / (kills as f64 + 1.0));
        std::thread::sleep(wait);
        let ended = child.try_wait()?.is_some();
        let left = killed(&mut child)?;
        report.check(left.is_empty(), || format!("kill {kill}: processes left: {left:?}"));
        if ended {
            break;
        }
    }
    if !command("killed.groma").status().context("cannot start groma")?.success() {
        bail!("the crawl after the kills failed");
    }
    let built = groma.status(&scratch.join("killed.groma"))?.number("rendered")?;
    row(&format!("{kills} kills"), "killed.groma", begun.elapsed().as_secs_f64(), built, report)
}

/// Kills the program; says which processes of its browser are still there after a while.
fn killed(child: &mut Child) -> anyhow::Result<Vec<String>> {
    let mine = format!("groma-browser-{}-", child.id());
    child.kill().context("cannot kill groma")?;
    child.wait()?;
    let begun = Instant::now();
    loop {
        let processes = Command::new("ps").args(["-eo", "pid,args"]).output().context("ps is missing")?;
        let processes = String::from_utf8_lossy(&processes.stdout).into_owned();
        let left: Vec<String> = processes.lines().filter(|line| line.contains(&mine)).map(str::to_owned).collect();
        if left.is_empty() || begun.elapsed() > FAREWELL {
            return Ok(left);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
