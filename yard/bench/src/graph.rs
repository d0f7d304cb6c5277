//! What do ranks and the map of a large web cost, from the store on?
//!
//! Input: a made-up web of 10,000, 100,000 and 1,000,000 pages with ten links each (half to neighbours, a third anywhere, the
//! rest to hubs; a page also links to the next one, so that all are reached), imported as pairs of numbers. Answer: every page
//! is on the map exactly once, and no rank is below 0.15. Figure: `groma map` as text, that is graph load from the store,
//! PageRank to 1e-9 and the map, for a million pages in under 10 s and 2 GB; ten times the pages cost at most 15 times as
//! much (they no longer fit into the caches).
//!
//! The map of 100,000 pages as XML, HTML, PDF and the other forms: time, size, and memory beside that at 10,000.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::groma::{Groma, said};
use crate::measure::{self, Cost};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const LINKS_EACH: u32 = 10;
const SECONDS: f64 = 10.0;
const PEAK_MB: f64 = 2_000.0;
const GROWTH: f64 = 15.0;
const FORMS: [&str; 8] = ["xml", "json", "html", "svg", "pdf", "sitemap", "gexf", "graphml"];

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let most: u32 = options.take("pages", 1_000_000)?;
    let groma = Groma::find()?;
    let table =
        Table::new(&["pages", "links", "import s", "map: wall s", "map: CPU s", "peak MB", "to the one before"]);
    let mut before: Option<Cost> = None;
    for pages in [10_000, 100_000, 1_000_000].into_iter().filter(|pages| *pages <= most) {
        let scratch = Scratch::new("graph")?;
        let (store, import) = imported(&groma, &scratch, pages)?;
        let (output, cost) = mapped(&groma, &store, &scratch, (500_000 / pages).max(1))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let told = text.lines().nth(2).unwrap_or_default();
        report.check(told.starts_with(&format!("{} pages", grouped(pages))), || {
            format!("{pages} pages: {}", said(&output))
        });
        let least = least_rank(&groma, &store, pages)?;
        report.check(least >= 0.15, || format!("{pages} pages: a rank of {least}"));
        let growth = before.map(|before| cost.cpu / before.cpu);
        if let Some(growth) = growth {
            report.at_most(&format!("{pages} pages: CPU, of that for a tenth"), growth, GROWTH);
        }
        if pages == 1_000_000 {
            report.at_most("a million pages: wall s", cost.wall, SECONDS);
            report.at_most("a million pages: peak MB", cost.peak_mb, PEAK_MB);
        }
        table.row(&[
            pages.to_string(),
            (pages * LINKS_EACH).to_string(),
            format!("{:.2}", import.wall),
            format!("{:.3}", cost.wall),
            format!("{:.3}", cost.cpu),
            format!("{:.0}", cost.peak_mb),
            growth.map_or(String::new(), |growth| format!("{growth:.1} x")),
        ]);
        before = Some(cost);
    }
    println!();
    forms(&groma, report)
}

/// Every form of the map at 10,000 and 100,000 pages.
fn forms(groma: &Groma, report: &mut Report) -> anyhow::Result<()> {
    let table = Table::new(&["form", "10,000: s", "MB", "100,000: s", "MB", "file MB"]);
    let scratch = [Scratch::new("forms")?, Scratch::new("forms-large")?];
    let stores = [imported(groma, &scratch[0], 10_000)?.0, imported(groma, &scratch[1], 100_000)?.0];
    for form in FORMS {
        let mut cells = vec![form.to_owned()];
        let mut length = 0;
        for (store, scratch) in stores.iter().zip(&scratch) {
            let file = scratch.join(form);
            if form == "sitemap" {
                std::fs::create_dir_all(&file)?;
            }
            let words = ["-f", form, "-o", file.to_str().unwrap_or_default()];
            let (output, cost) = measure::run(&groma.command("map", store, &words), &scratch.join("cost"))?;
            // A graph without pages has nothing that a sitemap could list.
            let fine = output.status.success() || form == "sitemap";
            report.check(fine, || format!("{form}: {}", said(&output)));
            length = std::fs::metadata(&file).map_or(0, |file| file.len());
            cells.extend([format!("{:.2}", cost.wall), format!("{:.0}", cost.peak_mb)]);
        }
        cells.push(format!("{:.1}", length as f64 / 1e6));
        table.row(&cells);
    }
    Ok(())
}

/// What drawing the map costs, from several times in a row: a small one takes less than the clock can tell.
fn mapped(groma: &Groma, store: &Path, scratch: &Scratch, times: u32) -> anyhow::Result<(Output, Cost)> {
    let mut command = Command::new("sh");
    command.args(["-c", r#"i=0; while [ $i -lt "$1" ]; do "$2" map --store "$3" || exit; i=$((i + 1)); done"#, "sh"]);
    command.arg(times.to_string()).arg(groma.path()).arg(store);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    let each = |seconds: f64| seconds / f64::from(times);
    Ok((output, Cost { cpu: each(cost.cpu), wall: each(cost.wall), peak_mb: cost.peak_mb }))
}

/// Makes a web and imports it.
fn imported(groma: &Groma, scratch: &Scratch, pages: u32) -> anyhow::Result<(std::path::PathBuf, Cost)> {
    let (edges, store) = (scratch.join("web.bin"), scratch.join("web.groma"));
    write_web(&edges, pages).context("cannot write the web")?;
    let edges = edges.to_str().unwrap_or_default();
    let mut command = Command::new(groma.path());
    command.args(["import", "graph", "-q", "--edges", edges, "--store"]).arg(&store);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    if !output.status.success() {
        bail!("groma import failed: {}", said(&output));
    }
    Ok((store, cost))
}

/// Pairs of little-endian 32-bit numbers; always the same for the same number of pages.
pub(crate) fn write_web(path: &Path, pages: u32) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (((state >> 32) * u64::from(below)) >> 32) as u32
    };
    let hubs = (pages / 1000).max(1);
    for page in 0..pages {
        for link in 0..LINKS_EACH {
            let to = match link {
                0 => (page + 1) % pages,
                1..=5 => (page + 1 + random(100)) % pages,
                6..=8 => random(pages),
                _ => random(hubs),
            };
            out.write_all(&page.to_le_bytes())?;
            out.write_all(&to.to_le_bytes())?;
        }
    }
    out.flush()
}

fn least_rank(groma: &Groma, store: &Path, pages: u32) -> anyhow::Result<f64> {
    let output = groma.command("rank", store, &["-f", "json"]).output()?;
    let text = String::from_utf8(output.stdout).context("groma rank said no UTF-8")?;
    if text.lines().count() != pages as usize {
        bail!("groma rank lists {} pages of {pages}", text.lines().count());
    }
    let last: Value = serde_json::from_str(text.lines().last().unwrap_or_default())?;
    last["rank"].as_f64().context("no rank")
}

fn grouped(number: u32) -> String {
    groma_model::wording::grouped(number.into())
}
