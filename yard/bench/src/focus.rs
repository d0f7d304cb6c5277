//! How many of the pages that a focused crawl fetches meet the demand? The paper's table, on the made journal library.
//!
//! Input: the library (articles : books : other = 55 : 30 : 15) served on loopback, from OpenAlex works where the file is given, else
//! invented; topics: the fields with the most articles, each as a text of its label and a dozen keywords that are typical of it. Every
//! strategy starts at the home page and fetches the same number of pages with its default constants. Answer: the library's own
//! truth, an article whose labels hold the topic's. Figure: harvest at 500, 1,000, 2,000 and all pages, recall, time; means over the
//! topics. The paper has (10,000 pages): breadth first 23 %, Hopfield 26 %, Hopfield with blocks 38 % in 42 % less time.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use groma_library::{Library, Settings, openalex, relevant};
use groma_testweb::Server;
use serde_json::Value;

use crate::groma::{Groma, said};
use crate::measure;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const STRATEGIES: [&str; 5] = ["bfs", "best-first", "hopfield", "hopfield-block", "arms"];
const MARKS: [usize; 3] = [500, 1000, 2000];
/// The ratios of the paper: 38 to 23, and 38 to 26.
const BESIDE_BFS: f64 = 1.65;
const BESIDE_HOPFIELD: f64 = 1.44;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let works: PathBuf = options.take("works", PathBuf::new())?;
    let (pages, budget) = (options.take("pages", 20_000)?, options.take("budget", 10_000usize)?);
    let (seed, topics) = (options.take("seed", 1)?, options.take("topics", 3usize)?);
    let only: String = options.take("only", String::new())?;
    let groma = Groma::find()?;
    let works = if works.as_os_str().is_empty() { Vec::new() } else { openalex::read(&works)? };
    let library = Arc::new(Library::build(&works, &Settings { seed, pages, ..Settings::default() }));
    let mut rows = library.topics(1, 12);
    rows.retain(|row| row.level == "field");
    rows.truncate(topics);
    let server = Server::start(Arc::clone(&library));
    println!("{} pages, seed {seed}, {budget} fetched; topics:", library.len());
    let mut demands = Vec::new();
    for row in &rows {
        let truth = meets(&library, &row.label);
        println!("- {} ({} articles meet it): {}", row.label, truth.len(), row.words.join(", "));
        demands.push((format!("{}. {}.", row.label, row.words.join(". ")), truth));
    }
    println!();
    let strategies = STRATEGIES.into_iter().filter(|name| only.is_empty() || only.split(',').any(|o| o == *name));
    let table = Table::new(&[
        "strategy",
        "fetched",
        "at 500",
        "at 1,000",
        "at 2,000",
        "at the end",
        "recall",
        "wall s",
        "CPU s",
    ]);
    let mut means = Vec::new();
    for strategy in strategies {
        let mut runs = Vec::new();
        for (text, truth) in &demands {
            runs.push(crawl(&groma, strategy, text, truth, &server, budget)?);
        }
        let mean = |value: &dyn Fn(&Crawl) -> f64| runs.iter().map(value).sum::<f64>() / runs.len() as f64;
        let mut cells = vec![strategy.to_owned(), format!("{:.0}", mean(&|run| run.fetched))];
        cells.extend((0..4).map(|mark| format!("{:.3}", mean(&|run| run.harvest[mark]))));
        cells.extend([format!("{:.3}", mean(&|run| run.recall)), format!("{:.1}", mean(&|run| run.wall))]);
        cells.push(format!("{:.1}", mean(&|run| run.cpu)));
        table.row(&cells);
        means.push((strategy, mean(&|run| run.harvest[3]), mean(&|run| run.cpu), mean(&|run| run.fetched)));
    }
    let of = |name: &str| means.iter().find(|(strategy, ..)| *strategy == name);
    if let (Some(bfs), Some(plain), Some(block)) = (of("bfs"), of("hopfield"), of("hopfield-block")) {
        let (to_bfs, to_plain) = (block.1 / bfs.1, block.1 / plain.1);
        println!(
            "\nhopfield-block beside bfs: {to_bfs:.2} x, beside hopfield: {to_plain:.2} x (the paper: 1.65, 1.44)"
        );
        report.check(to_bfs >= BESIDE_BFS, || format!("harvest beside bfs: {to_bfs:.2}, {BESIDE_BFS} wanted"));
        report.check(to_plain >= BESIDE_HOPFIELD, || {
            format!("harvest beside hopfield: {to_plain:.2}, {BESIDE_HOPFIELD} wanted")
        });
        let per_page = |row: &(&str, f64, f64, f64)| row.2 / row.3.max(1.0);
        report.check(block.2 < bfs.2, || format!("CPU: {:.1} s to {:.1} of bfs", block.2, bfs.2));
        println!("CPU per page fetched: {:.2} ms to {:.2} ms of bfs", per_page(block) * 1e3, per_page(bfs) * 1e3);
    }
    Ok(())
}

/// The paths of the pages that meet a demand.
fn meets(library: &Library, label: &str) -> HashSet<String> {
    let paths = library.paths_of_pages().enumerate();
    paths
        .filter(|(n, _)| library.render(*n).is_some_and(|page| relevant(label, &page)))
        .map(|(_, path)| path.to_owned())
        .collect()
}

/// What a crawl came to.
struct Crawl {
    fetched: f64,
    /// At each mark, and at the end.
    harvest: [f64; 4],
    recall: f64,
    wall: f64,
    cpu: f64,
}

fn crawl(
    groma: &Groma,
    strategy: &str,
    text: &str,
    truth: &HashSet<String>,
    server: &Server,
    budget: usize,
) -> anyhow::Result<Crawl> {
    let scratch = Scratch::new("focus")?;
    let (store, file) = (scratch.join("focus.groma"), scratch.join("topic.txt"));
    std::fs::write(&file, text)?;
    let mut command = Command::new(groma.path());
    command.args(["focus", "--delay", "0", "--per-host", "16", "-q", "-f", "json", "--set", "bodies=drop"]);
    command.args(["--strategy", strategy, "-n", &budget.to_string(), "--seed", &format!("{}/", server.base())]);
    command.arg("--text").arg(&file).arg("--store").arg(&store);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    if !output.status.success() {
        bail!("groma focus failed: {}", said(&output));
    }
    let (mut found, mut fetched, mut at) = (0usize, 0usize, Vec::new());
    for line in String::from_utf8(output.stdout)?.lines() {
        let line: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
        let Some(address) = line["url"].as_str() else { continue };
        fetched += 1;
        found += usize::from(address.strip_prefix(&server.base()).is_some_and(|path| truth.contains(path)));
        at.push(found);
    }
    let rate = |pages: usize| {
        at.get(pages.min(at.len()).saturating_sub(1)).map_or(0.0, |f| *f as f64 / pages.min(at.len()) as f64)
    };
    let harvest = [rate(MARKS[0]), rate(MARKS[1]), rate(MARKS[2]), rate(usize::MAX)];
    let recall = found as f64 / truth.len().max(1) as f64;
    Ok(Crawl { fetched: fetched as f64, harvest, recall, wall: cost.wall, cpu: cost.cpu })
}
