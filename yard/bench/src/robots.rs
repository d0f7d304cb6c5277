//! Is robots.txt obeyed, whatever the spelling of a link? Judged by another reader of robots.txt (the crate texting_robots).
//!
//! Input: made sites whose pages are linked in several spellings, some of which their robots.txt forbids
//! ([`Forbidden`]), crawled under two names, and a few with a Crawl-delay. Answer: no request is forbidden, neither
//! as it was sent nor as it was linked; nothing is asked for that nobody linked; every page that may be had is had; starts keep the
//! pause, robots.txt and sitemaps among them. An update keeps to the same.

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use groma_testweb::Server;
use groma_testweb::sites::Forbidden;
use texting_robots::Robot;

use crate::groma::{Groma, ended_well, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

/// The pause that some of the sites ask for.
const PAUSE: Duration = Duration::from_millis(200);
/// When a request came is known to the kernel to less than this; the pause is counted in whole milliseconds.
const SLACK: Duration = Duration::from_millis(3);

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let groma = Groma::find()?;
    let (sites, pages) = (options.take("sites", 20u64)?, options.take("pages", 2000u64)?);
    let table = Table::new(&["site", "name", "requests", "allowed", "forbidden", "violations", "not linked", "missed"]);
    for site in 0..sites {
        let (user_agent, name) =
            if site % 3 == 2 { (Some("MyBot/1.0 (+http://my.example/)"), "mybot") } else { (None, "groma") };
        let web = Arc::new(Forbidden::new(1000 + site, pages));
        crawl(&groma, &web, user_agent, true)?;
        let reader = Robot::new(name, web.robots().as_bytes())?;
        let judged = web.judge(&|path| reader.allowed(&format!("http://site.example{path}")));
        report.equal(&format!("site {site}: violations"), judged.violations.len() as u64, 0);
        report.equal(&format!("site {site}: nobody linked it"), judged.unlinked.len() as u64, 0);
        report.equal(&format!("site {site}: missed"), judged.missed.len() as u64, 0);
        if let Some(url) = judged.violations.first().or(judged.unlinked.first()) {
            eprintln!("site {site}: {url}\n{}", web.robots());
        }
        let counts =
            [judged.requests, judged.allowed, judged.forbidden, judged.violations.len(), judged.unlinked.len()];
        let counts = counts.into_iter().chain([judged.missed.len()]).map(|count| count.to_string());
        table.row(&[site.to_string(), name.to_owned()].into_iter().chain(counts).collect::<Vec<_>>());
    }
    println!();
    let table = Table::new(&["site with Crawl-delay", "requests", "least pause ms"]);
    for site in 0..2 {
        let web = Arc::new(Forbidden::new(2000 + site, 30).with_delay(PAUSE));
        crawl(&groma, &web, None, false)?;
        let came: Vec<_> = web.log().into_iter().filter_map(|(_, came)| came).collect();
        let least = came.windows(2).filter_map(|pair| pair[1].duration_since(pair[0]).ok()).min().unwrap_or_default();
        report
            .check(least + SLACK >= PAUSE, || format!("site {site}: {least:?} between two requests, {PAUSE:?} wanted"));
        table.row(&[site.to_string(), came.len().to_string(), least.as_millis().to_string()]);
    }
    Ok(())
}

fn crawl(groma: &Groma, web: &Arc<Forbidden>, user_agent: Option<&str>, twice: bool) -> anyhow::Result<()> {
    let (server, scratch) = (Server::start(Arc::clone(web)), Scratch::new("robots")?);
    let store = scratch.join("robots.groma");
    for update in [false, true].into_iter().take(if twice { 2 } else { 1 }) {
        let mut command = if update {
            groma.command("update", &store, &[])
        } else {
            groma.crawl(&format!("{}/", server.base()), &store)
        };
        if let Some(name) = user_agent.filter(|_| !update) {
            command.args(["-A", name]);
        }
        let (output, _) = measure::run(&command, &scratch.join("cost"))?;
        if !ended_well(&output) {
            bail!("groma failed: {}", said(&output));
        }
    }
    Ok(())
}
