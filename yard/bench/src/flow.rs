//! What does the border of a site cost, beside OR-Tools?
//!
//! Input: debdocs (capacities by the similarity of URLs) and cnr-2000 (drawn by the numbers of the pages) where they lie beside
//! the project, and a made-up web of 100,000 pages; links in both directions and as they are; several seeds and prices.
//! Capacities and prices are multiples of 2^-30, so both sides solve the very same problem in whole numbers.
//! Answer: the maximum flow is OR-Tools', and the pages inside are exactly those that OR-Tools finds cannot reach the sink. Sweeps give
//! the same as cuts one by one. Figure: a cut takes at most the CPU of OR-Tools (SimpleMaxFlow.solve, arcs given before), a sweep
//! of 24 prices from 0.1 to 0.00001 at most 3 times its dearest cut on average over the seeds and, on debdocs, under 1 s.
//! OR-Tools is looked for in `target/tools/python` and on the path, or told by `--python PATH`; without it only ours is told.

mod inputs;
mod ortools;
pub(crate) mod url_similarity;

use std::time::Instant;

use anyhow::bail;
use groma_graph::Csr;
use groma_graph::flow::{Cut, Network, cut, sweep};

use crate::options::Options;
use crate::report::{Report, Table};
use inputs::Input;
use ortools::{Answer, Arcs, Python, Question};

/// Parts of 1.0 in which capacities and prices are given.
const PARTS: f64 = (1u64 << 30) as f64;
const PRICES: [f64; 3] = [0.01, 0.001, 0.00001];
const STEPS: i32 = 24;
/// How often OR-Tools solves a problem.
const TIMES: u32 = 2;
/// Seconds that a measurement takes at least.
const ENOUGH: f64 = 0.1;
const SWEEP_SECONDS: f64 = 1.0;
const SWEEP_IN_CUTS: f64 = 3.0;

pub(crate) fn run(options: &mut Options, report: &mut Report) -> anyhow::Result<()> {
    let only: String = options.take("graph", String::new())?;
    let inputs = inputs::all()?;
    if !only.is_empty() && inputs.iter().all(|input| input.name != only) {
        let names: Vec<&str> = inputs.iter().map(|input| input.name).collect();
        bail!("--graph {only}: there is no such graph; there are: {}", names.join(", "));
    }
    let python = Python::find(&options.take("python", String::new())?);
    let mut sweeps = Vec::new();
    let table =
        Table::new(&["graph", "links", "seeds", "price", "inside", "flow", "ours: CPU s", "OR-Tools", "ours / theirs"]);
    for input in inputs.iter().filter(|input| only.is_empty() || input.name == only) {
        for both_ways in [true, false] {
            let way = if both_ways { "both ways" } else { "as they are" };
            let case = Case::new(input, both_ways, way);
            case.cuts(python.as_ref(), &table, report)?;
            let swept = case.sweeps(report);
            sweeps.push((case, swept));
        }
    }
    println!();
    let table = Table::new(&[
        "graph",
        "links",
        "pages",
        "edges",
        "network, CPU s",
        "sweep of 24, CPU s",
        "its dearest cut",
        "ratio",
    ]);
    for (case, (swept, dearest)) in &sweeps {
        let network = &case.network;
        table.row(&[
            case.input.name.to_owned(),
            case.way.to_owned(),
            network.node_count().to_string(),
            network.edge_count().to_string(),
            format!("{:.3}", case.building),
            format!("{swept:.4}"),
            format!("{dearest:.4}"),
            format!("{:.1}", swept / dearest),
        ]);
    }
    Ok(())
}

/// A network, and whom to ask about.
struct Case<'i> {
    input: &'i Input,
    both_ways: bool,
    /// The same in words.
    way: &'static str,
    network: Network,
    /// CPU seconds, capacities being known.
    building: f64,
    seeds: Vec<Vec<u32>>,
}

impl<'i> Case<'i> {
    fn new(input: &'i Input, both_ways: bool, way: &'static str) -> Case<'i> {
        let graph = &input.graph;
        // Capacities are computed once, so that building is measured without them; they are asked for in the same order again.
        let mut known = Vec::new();
        let network = |capacity: &mut dyn FnMut(u32, u32) -> f64| {
            if both_ways { Network::undirected(graph, capacity) } else { Network::directed(graph, capacity) }
        };
        drop(network(&mut |one, other| {
            known.push(in_parts((input.capacity)(one, other)) as f64 / PARTS);
            known.last().copied().unwrap_or(0.0)
        }));
        let mut again = known.iter();
        let (building, network) = spent(|| network(&mut |_, _| again.next().copied().unwrap_or(0.0)));
        Case { input, both_ways, way, network, building, seeds: seeds(graph) }
    }

    fn name(&self) -> String {
        format!("{}, {}", self.input.name, self.way)
    }

    /// Cuts one by one, beside OR-Tools.
    fn cuts(&self, python: Option<&Python>, table: &Table, report: &mut Report) -> anyhow::Result<()> {
        let name = self.name();
        let asked = |seeds: &Vec<u32>| PRICES.map(|price| Question { seeds: seeds.clone(), price: in_parts(price) });
        let questions: Vec<Question> = self.seeds.iter().flat_map(asked).collect();
        let theirs = python.map(|python| python.answers(&self.arcs(), &questions, TIMES)).transpose()?;
        let (mut our_time, mut their_time) = (0.0, 0.0);
        for (at, question) in questions.iter().enumerate() {
            let price = question.price as f64 / PARTS;
            let (seconds, (found, inside)) = average(ENOUGH, || cut(&self.network, &question.seeds, price));
            let label = match question.seeds[..] {
                [seed] => format!("{seed}"),
                ref seeds => format!("{} of them", seeds.len()),
            };
            let mut cells = vec![
                self.input.name.to_owned(),
                self.way.to_owned(),
                label.clone(),
                format!("{price:.5}"),
                found.size.to_string(),
                format!("{:.6}", found.value),
                format!("{seconds:.4}"),
            ];
            match theirs.as_ref().and_then(|(version, answers)| Some((version, answers.get(at)?))) {
                Some((version, answer)) => {
                    compare(&format!("{name}, seed {label}, {price:.5}"), &found, &inside, answer, report);
                    our_time += seconds;
                    their_time += answer.seconds;
                    cells.push(format!("{:.4} ({version})", answer.seconds));
                    cells.push(format!("{:.3}", seconds / answer.seconds));
                }
                None => cells.extend(["(not there)".to_owned(), String::new()]),
            }
            table.row(&cells);
        }
        if theirs.is_some() {
            report.at_most(&format!("{name}: ours, of OR-Tools' CPU"), our_time / their_time, 1.0);
        }
        Ok(())
    }

    /// What sweeps cost on average, and what the dearest cut of each; sweeps and cuts must agree.
    fn sweeps(&self, report: &mut Report) -> (f64, f64) {
        let name = self.name();
        let price = |step: i32| 0.1 * 1e-4f64.powf(f64::from(step) / f64::from(STEPS - 1));
        let prices: Vec<f64> = (0..STEPS).map(price).collect();
        let (mut swept, mut dearest) = (0.0, 0.0);
        for seeds in &self.seeds {
            let (seconds, family) = average(ENOUGH, || sweep(&self.network, seeds, &prices, None, &mut |_| true));
            let mut worst = 0.0f64;
            for (index, wanted) in family.cuts.iter().enumerate() {
                let (seconds, (alone, inside)) = average(ENOUGH / 4.0, || cut(&self.network, seeds, wanted.price));
                worst = worst.max(seconds);
                let same = (0u32..).zip(&inside).all(|(node, is_in)| family.contains(index, node) == *is_in);
                report.check(same && alone == *wanted && wanted.exact, || {
                    format!("{name}: the sweep says {wanted:?}, the cut {alone:?}")
                });
            }
            swept += seconds / self.seeds.len() as f64;
            dearest += worst / self.seeds.len() as f64;
        }
        report.at_most(&format!("{name}: a sweep, in dearest cuts"), swept / dearest, SWEEP_IN_CUTS);
        if self.input.name == "debdocs" {
            report.at_most(&format!("{name}: a sweep, CPU s"), swept, SWEEP_SECONDS);
        }
        (swept, dearest)
    }

    /// The same arcs for OR-Tools.
    fn arcs(&self) -> Arcs {
        let graph = &self.input.graph;
        let mut arcs = Vec::new();
        for from in 0..graph.node_count() {
            for &to in graph.successors(from) {
                let capacity = in_parts((self.input.capacity)(from, to));
                arcs.push((from, to, capacity));
                if self.both_ways && !graph.links(to, from) {
                    arcs.push((to, from, capacity));
                }
            }
        }
        Arcs { nodes: graph.node_count(), arcs }
    }
}

fn compare(name: &str, ours: &Cut, inside: &[bool], theirs: &Answer, report: &mut Report) {
    let flow = theirs.flow / PARTS;
    report.check((ours.value / flow - 1.0).abs() < 1e-9, || format!("{name}: flow {}, theirs {flow}", ours.value));
    let members = (0u32..).zip(inside).filter(|(_, is_in)| **is_in).map(|(node, _)| node);
    report.check(members.eq(theirs.inside.iter().copied()), || {
        format!("{name}: {} pages inside, theirs are others, {} of them", ours.size, theirs.inside.len())
    });
}

/// Four single pages spread over the graph, and a page with all it links to.
fn seeds(graph: &Csr) -> Vec<Vec<u32>> {
    let count = graph.node_count().max(1);
    let spread = |at: u32| (u64::from(at) * 2_654_435_761 % u64::from(count)) as u32;
    let mut seeds: Vec<Vec<u32>> = (0..4).map(|at| vec![spread(at)]).collect();
    let busy = (0..count).find(|&node| graph.successors(node).len() >= 30).unwrap_or(0);
    seeds.push([busy].into_iter().chain(graph.successors(busy).iter().copied()).collect());
    seeds
}

fn in_parts(amount: f64) -> i64 {
    (amount * PARTS).round() as i64
}

/// CPU seconds on average: of as many times as fill some seconds, since the system counts a short time in steps.
fn average<T>(enough: f64, mut work: impl FnMut() -> T) -> (f64, T) {
    let begun = Instant::now();
    let (mut sum, mut done) = spent(&mut work);
    let mut times = 1u32;
    while sum < enough && begun.elapsed().as_secs_f64() < 4.0 * enough {
        let (seconds, again) = spent(&mut work);
        sum += seconds;
        done = again;
        times += 1;
    }
    (sum / f64::from(times), done)
}

/// CPU seconds of all our threads where the system tells (Linux), by the clock elsewhere.
fn spent<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let (begun, before) = (Instant::now(), cpu());
    let done = work();
    let seconds = before.and_then(|before| Some(cpu()? - before)).unwrap_or_else(|| begun.elapsed().as_secs_f64());
    (seconds, done)
}

fn cpu() -> Option<f64> {
    let nanoseconds = |thread: std::fs::DirEntry| {
        let told = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        told.split(' ').next()?.parse::<f64>().ok()
    };
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    threads.map(|thread| nanoseconds(thread.ok()?)).sum::<Option<f64>>().map(|sum| sum / 1e9)
}
