//! What does a known address cost in memory?
//!
//! Input: a site of the test web whose hubs name a hundred pages each, crawled to the depth of the hubs: few fetches, many
//! known URLs. Answer: the pages fetched and the addresses known are the site's truth. Figure: peak resident memory
//! at a million at most 1.5 times that at a hundred thousand, and under 600 MB.

use anyhow::bail;
use groma_testweb::Server;
use groma_testweb::sites::Wide;

use crate::groma::{Groma, ended_well, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const RATIO: f64 = 1.5;
const PEAK_MB: f64 = 600.0;

pub(crate) fn run(_options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let groma = Groma::find()?;
    let table = Table::new(&["known URLs", "fetched", "CPU s", "wall s", "peak MB", "store MB", "ratio"]);
    let mut first = None;
    for pages in [1000, 10_000] {
        let site = Wide { pages, links_each: 100 };
        let server = Server::start(site);
        let scratch = Scratch::new("memory")?;
        let store = scratch.join("wide.groma");
        let mut command = groma.crawl(&format!("{}/", server.base()), &store);
        command.args(["--fresh", "-q", "-d", "2"]);
        let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
        if !ended_well(&output) {
            bail!("groma failed: {}", said(&output));
        }
        let status = groma.status(&store)?;
        let what = |of: &str| format!("{pages} hubs: {of}");
        report.equal(&what("known"), status.number("discovered")?, site.known() as u64);
        report.equal(&what("fetched"), status.number("fetched")?, site.shallow() as u64);
        report.equal(&what("skipped"), status.number("skipped")?, (pages * site.links_each) as u64);
        report.at_most(&what("peak MB"), cost.peak_mb, PEAK_MB);
        let ratio = cost.peak_mb / *first.get_or_insert(cost.peak_mb);
        report.at_most(&what("peak, of that at 100,000"), ratio, RATIO);
        table.row(&[
            site.known().to_string(),
            site.shallow().to_string(),
            format!("{:.2}", cost.cpu),
            format!("{:.2}", cost.wall),
            format!("{:.0}", cost.peak_mb),
            format!("{:.0}", size(&store) as f64 / 1e6),
            format!("{ratio:.2}"),
        ]);
    }
    Ok(())
}

/// The bytes of the files in a folder; a store is flat.
fn size(folder: &std::path::Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}
