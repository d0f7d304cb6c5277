//! How fast is PageRank alone, beside igraph's?
//!
//! Input: the made-up web of the benchmark `graph` (1,000,000 pages, 10,000,000 links) and, where it lies beside the project, the
//! real web graph cnr-2000. Answer: ranks by igraph (PRPACK), normalised, agree with ours to 1e-6. Figure: the least of five
//! times by the clock is at most igraph's, both with the graph in memory. igraph wants `--python PATH`, a Python that has
//! igraph and numpy; without it only our own times are told.
//!
//! How far a round is from the bandwidth of the memory: `cargo run --release -p groma-graph --example pagerank -- web 1000000 10000000`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, bail};
use groma_graph::Csr;
use groma_graph::pagerank::{self, Settings};
use serde_json::Value;

use crate::graph::write_web;
use crate::options::Options;
use crate::report::{Report, Table};
use crate::scratch::Scratch;

const TIMES: u32 = 5;
const PAGES: u32 = 1_000_000;
const CNR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs/cnr-2000.edges.bin.zst");
/// Nodes whose ranks are compared.
const COMPARED: usize = 1000;

const IGRAPH: &str = r"
import sys, time, json, numpy, igraph
arcs = numpy.unique(numpy.fromfile(sys.argv[1], dtype='<u4').reshape(-1, 2).astype(numpy.int64), axis=0)
arcs = arcs[arcs[:, 0] != arcs[:, 1]]
graph = igraph.Graph(n=int(sys.argv[2]), edges=arcs, directed=True)
least = 1e9
for _ in range(int(sys.argv[3])):
    begun = time.perf_counter()
    ranks = graph.pagerank(damping=0.85)
    least = min(least, time.perf_counter() - begun)
step = max(1, len(ranks) // int(sys.argv[4]))
print(json.dumps({'version': igraph.__version__, 'seconds': least, 'ranks': ranks[::step]}))
";

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let python: String = options.take("python", String::new())?;
    let scratch = Scratch::new("rank")?;
    let table = Table::new(&["graph", "nodes", "links", "rounds to 1e-9", "ours s", "igraph s", "ours / igraph"]);
    let web = scratch.join("web.bin");
    write_web(&web, PAGES)?;
    let mut graphs: Vec<(&str, PathBuf)> = vec![("made-up web", web)];
    if Path::new(CNR).exists() {
        let cnr = scratch.join("cnr.bin");
        std::fs::write(&cnr, zstd::decode_all(std::fs::File::open(CNR)?)?)?;
        graphs.push(("cnr-2000", cnr));
    }
    for (name, file) in &graphs {
        let graph = read(file)?;
        let (mut least, mut ranks) = (f64::INFINITY, None);
        for _ in 0..TIMES {
            let begun = Instant::now();
            ranks = Some(pagerank::rank(&graph, &Settings::default()));
            least = least.min(begun.elapsed().as_secs_f64());
        }
        let ranks = ranks.context("no round was made")?;
        report.check(ranks.converged(), || format!("{name}: ranks still change by {}", ranks.change));
        let mut cells = vec![
            (*name).to_owned(),
            graph.node_count().to_string(),
            graph.arc_count().to_string(),
            ranks.rounds.to_string(),
            format!("{least:.3}"),
        ];
        if python.is_empty() {
            cells.extend(["(no --python)".to_owned(), String::new()]);
        } else {
            let (theirs, version) = igraph(&python, file, &graph, &ranks.values, report, name)?;
            report.at_most(&format!("{name}: ours, of igraph's time"), least / theirs, 1.0);
            cells.extend([format!("{theirs:.3} ({version})"), format!("{:.2}", least / theirs)]);
        }
        table.row(&cells);
    }
    Ok(())
}

fn read(file: &Path) -> anyhow::Result<Csr> {
    Ok(graph_of(&std::fs::read(file)?))
}

/// The graph of pairs of little-endian 32-bit numbers.
pub(crate) fn graph_of(bytes: &[u8]) -> Csr {
    let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let arcs: Vec<(u32, u32)> = bytes.chunks_exact(8).map(|pair| (number(pair), number(&pair[4..]))).collect();
    let nodes = arcs.iter().map(|(from, to)| from.max(to) + 1).max().unwrap_or(0);
    Csr::of_arcs(nodes, arcs)
}

/// The least time of igraph, and its version; its ranks are compared with ours.
fn igraph(
    python: &str,
    file: &Path,
    graph: &Csr,
    ours: &[f64],
    report: &mut Report,
    name: &str,
) -> anyhow::Result<(f64, String)> {
    let mut command = Command::new(python);
    command.args(["-c", IGRAPH]).arg(file);
    command.args([graph.node_count().to_string(), TIMES.to_string(), COMPARED.to_string()]);
    let output = command.output().with_context(|| format!("cannot run {python}"))?;
    if !output.status.success() {
        bail!("igraph failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let theirs: Vec<f64> = told["ranks"].as_array().context("no ranks")?.iter().filter_map(Value::as_f64).collect();
    // Theirs sum up to 1 over all nodes, dangling ones passing their rank to everybody; normalised, both are the same.
    let sum: f64 = ours.iter().sum();
    let step = (ours.len() / COMPARED).max(1);
    let apart = ours.iter().step_by(step).zip(&theirs).map(|(ours, theirs)| (ours / sum / theirs - 1.0).abs());
    let worst = apart.fold(0.0, f64::max);
    report.check(worst <= 1e-6 && !theirs.is_empty(), || format!("{name}: ranks are {worst:.1e} apart from igraph's"));
    Ok((told["seconds"].as_f64().context("no time")?, told["version"].as_str().unwrap_or_default().to_owned()))
}
