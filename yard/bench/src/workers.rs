//! What do several processes come to that crawl one survey on a PostgreSQL server?
//!
//! Input: made sites on loopback addresses of their own, trees of pages that lead to each other's sites too. Started here: a
//! server, and `groma worker` as often as is said; the crawl is a job.
//! - `pace`: one process and a file, one and four on the server, no pauses. Answer: all pages, none asked for twice. Figure: pages a second,
//!   and CPU a page of the processes (at most 1.5 x that of the file) and of the server.
//! - `kills`: kill -9 of a worker at random moments. Answer: nothing lost, the survey's own check holds; no site asked sooner than
//!   its pause allows, by whomever; nothing fetched twice but what was under way at a kill.
//! - `stops`: the server stopped at once and started again. Answer: the same. Figure: nothing for more than 10 s after its return.

mod pace;
pub(crate) mod service;
mod trouble;

use anyhow::bail;

use crate::options::Options;
use crate::report::Report;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let only: String = options.take("only", String::new())?;
    let parts: Vec<&str> = only.split(',').filter(|part| !part.is_empty()).collect();
    if let Some(unknown) = parts.iter().find(|part| !["pace", "kills", "stops"].contains(part)) {
        bail!("--only {unknown}: pace, kills or stops");
    }
    let wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let pages: usize = options.take("pages", 0)?;
    let sites: u8 = options.take("sites", 0)?;
    let kills: usize = options.take("kills", 20)?;
    let stops: usize = options.take("stops", 20)?;
    let seed: u64 = options.take("seed", 1)?;
    let or = |given: usize, usual: usize| if given == 0 { usual } else { given };
    let sites = |usual: u8| if sites == 0 { usual } else { sites };
    if wanted("pace") {
        pace::run(sites(40), or(pages, 8_000), report)?;
    }
    if wanted("kills") {
        trouble::kills(sites(100), or(pages, 100_000), kills, seed, report)?;
    }
    if wanted("stops") {
        trouble::stops(sites(30), or(pages, 5_000), stops, report)?;
    }
    Ok(())
}
