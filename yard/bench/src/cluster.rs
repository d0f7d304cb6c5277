//! What do clusters by MCL cost, and are they those of the reference program mcl?
//!
//! Input: link graphs without their directions. Unless told otherwise (`--edges FILES` of little-endian u32 pairs, `--survey FOLDERS`,
//! `--folder FOLDERS` of pages; several divided by commas), documentation sites and a piece of a real web that lie beside the
//! project, and a documentation site as Debian packages it, links of its navigation left out. For every `--inflation`
//! (1.2,1.4,2.0).
//! Answer: with mcl's own settings the number of clusters is within 1 % of mcl's and the normalised mutual information at least
//! 0.99; split and join are the two parts of the distance that `clm dist` prints. With quick settings they are told.
//! Figure: CPU with mcl's settings at most half of mcl's; reading the graph counts for both, each in its own format. Each runs
//! in a process of its own, ours on all cores, mcl on one as it does unless told otherwise; CPU seconds are those of all threads.
//!
//! Then (`--large no` leaves it out) real webs that mcl does not finish: 87,140 pages under 30 CPU s quickly, under 120 with
//! mcl's settings, under 1 GB; 325,557 pages quickly under 10 minutes of CPU.

mod folder;
mod inputs;
mod reference;

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};
use groma_graph::mcl::{self, Settings, nmi, split_join};

use crate::groma::said;
use crate::measure::{self, Cost};
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;
use inputs::Input;

const CLUSTERS_APART: f64 = 0.01;
const LEAST_NMI: f64 = 0.99;
const OF_MCL: f64 = 0.5;
/// A large web, and what it may cost: CPU seconds quickly and with mcl's settings.
const LARGE: [(&str, f64, Option<f64>); 2] = [("cnr-87k", 30.0, Some(120.0)), ("cnr-2000", 600.0, None)];
const LARGE_MB: f64 = 1000.0;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let alone: String = options.take("alone", String::new())?;
    let inflation: String = options.take("inflation", "1.2,1.4,2.0".to_owned())?;
    if !alone.is_empty() {
        return by_ourselves(options, &alone, &inflation);
    }
    let inflations: Vec<f64> = inflation
        .split(',')
        .map(|text| text.parse().with_context(|| format!("--inflation {text}: not a number")))
        .collect::<anyhow::Result<_>>()?;
    let edges: String = options.take("edges", String::new())?;
    let surveys: String = options.take("survey", String::new())?;
    let folders: String = options.take("folder", String::new())?;
    let large: String = options.take("large", "yes".to_owned())?;
    let scratch = Scratch::new("cluster")?;
    let inputs = inputs::chosen(&edges, &surveys, &folders, &scratch)?;
    match reference::version() {
        Some(version) => println!("- {version}"),
        None => println!("- mcl is not installed (`apt install mcl`): neither clusters nor CPU are compared with it"),
    }
    println!();
    beside_mcl(&inputs, &inflations, &scratch, report)?;
    if large == "yes" {
        println!();
        large_webs(&scratch, report)?;
    }
    Ok(())
}

/// Every graph with every inflation, by mcl and by us.
fn beside_mcl(inputs: &[Input], inflations: &[f64], scratch: &Scratch, report: &mut Report) -> anyhow::Result<()> {
    let table = Table::new(&[
        "graph",
        "pages",
        "edges",
        "inflation",
        "mcl: CPU s",
        "MB",
        "clusters",
        "as mcl: CPU s",
        "MB",
        "clusters",
        "NMI",
        "split, join",
        "mcl / ours",
        "quick: CPU s",
        "MB",
        "clusters",
        "NMI",
    ]);
    for input in inputs {
        let matrix = scratch.join("graph.mci");
        if reference::version().is_some() {
            reference::write(&input.read()?, &matrix)?;
        }
        for &inflation in inflations {
            let what = format!("{} at {inflation}", input.name);
            let theirs = match reference::version() {
                Some(_) => Some(reference::run(&matrix, inflation, input.pages, scratch)?),
                None => None,
            };
            let (close, close_cost) = ours(&input.file, inflation, "reference", scratch)?;
            let (quick, quick_cost) = ours(&input.file, inflation, "fast", scratch)?;
            report.equal(&format!("{what}: pages in clusters"), close.len() as u64, input.pages.into());
            let mut cells =
                vec![input.name.clone(), input.pages.to_string(), input.edges.to_string(), inflation.to_string()];
            // Without mcl, the quick clusters are compared with those that mcl's settings give.
            let (truth, cost) = theirs.as_ref().map_or((&close, None), |(of, cost)| (of, Some(cost)));
            cells.extend(cost.map_or([const { String::new() }; 3], |cost| figures(cost, truth)));
            cells.extend(figures(&close_cost, &close));
            let agreement = nmi(&close, truth);
            let (split, join) = split_join(&close, truth);
            cells.extend([format!("{agreement:.4}"), format!("{split}, {join}")]);
            cells.push(cost.map_or(String::new(), |cost| format!("{:.1}", cost.cpu / close_cost.cpu.max(0.01))));
            cells.extend(figures(&quick_cost, &quick));
            cells.push(format!("{:.4}", nmi(&quick, truth)));
            table.row(&cells);
            if let Some(cost) = cost {
                let (found, wanted) = (count(&close) as f64, count(truth) as f64);
                report.at_most(&format!("{what}: clusters, apart"), (found / wanted - 1.0).abs(), CLUSTERS_APART);
                report.check(agreement >= LEAST_NMI, || {
                    format!("{what}: NMI {agreement:.4}, at least {LEAST_NMI} wanted")
                });
                report.at_most(&format!("{what}: CPU, of mcl's"), close_cost.cpu / cost.cpu.max(0.01), OF_MCL);
            }
        }
    }
    Ok(())
}

/// Webs of which we have no other clusters than our own.
fn large_webs(scratch: &Scratch, report: &mut Report) -> anyhow::Result<()> {
    let table = Table::new(&["web", "pages", "edges", "settings", "CPU s", "wall s", "peak MB", "clusters", "NMI"]);
    for (name, quickly, closely) in LARGE {
        let Some(input) = inputs::web(name, scratch)? else { continue };
        let mut close: Option<Vec<u32>> = None;
        for (settings, bound) in [("reference", closely), ("fast", Some(quickly))] {
            let Some(bound) = bound else { continue };
            let (of, cost) = ours(&input.file, 2.0, settings, scratch)?;
            report.at_most(&format!("{name}, {settings}: CPU s"), cost.cpu, bound);
            report.at_most(&format!("{name}, {settings}: peak MB"), cost.peak_mb, LARGE_MB);
            let agreement = close.as_ref().map(|close| nmi(close, &of));
            if let Some(agreement) = agreement {
                report.check(agreement >= LEAST_NMI, || format!("{name}: NMI of quick and close {agreement:.4}"));
            }
            table.row(&[
                name.to_owned(),
                input.pages.to_string(),
                input.edges.to_string(),
                settings.to_owned(),
                format!("{:.2}", cost.cpu),
                format!("{:.2}", cost.wall),
                format!("{:.0}", cost.peak_mb),
                count(&of).to_string(),
                agreement.map_or(String::new(), |agreement| format!("{agreement:.4}")),
            ]);
            close.get_or_insert(of);
        }
    }
    Ok(())
}

/// What it cost, and how many clusters came of it.
fn figures(cost: &Cost, of: &[u32]) -> [String; 3] {
    [format!("{:.2}", cost.cpu), format!("{:.0}", cost.peak_mb), count(of).to_string()]
}

fn count(of: &[u32]) -> usize {
    let mut clusters = of.to_vec();
    clusters.sort_unstable();
    clusters.dedup();
    clusters.len()
}

/// Our clusters, made by a process of their own, which can be measured as mcl can.
fn ours(file: &Path, inflation: f64, settings: &str, scratch: &Scratch) -> anyhow::Result<(Vec<u32>, Cost)> {
    let answer = scratch.join("ours");
    let mut command = Command::new(std::env::current_exe().context("where are we?")?);
    command.args(["cluster", "--inflation", &inflation.to_string(), "--settings", settings, "--alone"]).arg(file);
    command.arg("--answer").arg(&answer);
    let (output, cost) = measure::run(&command, &scratch.join("cost"))?;
    if !output.status.success() {
        bail!("we failed: {}", said(&output));
    }
    let text = std::fs::read_to_string(&answer).context("no answer")?;
    let of = text.lines().map(str::parse).collect::<Result<Vec<u32>, _>>().context("a strange answer")?;
    Ok((of, cost))
}

/// What such a process does: reads pairs, clusters, writes the cluster of each page in a line.
fn by_ourselves(options: &mut Options, file: &str, inflation: &str) -> anyhow::Result<()> {
    let inflation: f64 = inflation.parse().with_context(|| format!("--inflation {inflation}: not a number"))?;
    let settings = match options.take("settings", "fast".to_owned())?.as_str() {
        "fast" => Settings::fast(inflation),
        "reference" => Settings::reference(inflation),
        other => bail!("--settings {other}: fast or reference"),
    };
    let answer: String = options.take("answer", String::new())?;
    let graph = inputs::graph(&inputs::pairs(Path::new(file))?);
    let found = mcl::cluster(&graph, &settings, &mut |_, _| true);
    println!("{} clusters, {} overlaps, {} rounds", found.sizes.len(), found.overlaps.len(), found.rounds);
    if !found.converged {
        bail!("the flow did not come to rest");
    }
    if !answer.is_empty() {
        let lines: String = found.of.iter().map(|cluster| format!("{cluster}\n")).collect();
        std::fs::write(&answer, lines).with_context(|| format!("cannot write {answer}"))?;
    }
    Ok(())
}
