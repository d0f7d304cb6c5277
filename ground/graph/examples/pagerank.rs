//! How fast are ranks? Measures PageRank against the memory of this machine.
//!
//! `cargo run --release -p groma-graph --example pagerank -- EDGES [TOLERANCE]` reads little-endian u32 pairs (from, to);
//! `... -- web NODES ARCS [TOLERANCE]` makes up a web with hubs and neighborhoods.
//!
//! The bound of a round is (12 B * arcs + 32 B * nodes) / bandwidth: for each arc its source and the weight of that source (4 + 8);
//! for each node its share, rank in and out, weight out (8 + 16 + 8). A cache that holds all weights would leave 4 B an arc: that
//! harder bound is told too. The bandwidth is what the same
//! threads reach in the same run on a = b + 3 c over vectors of 256 MB (24 B an element), as STREAM counts it.
//! Where the system tells (Linux), processor seconds of all threads stand beside: they say more than the clock while others
//! work on the machine, and the bound is compared in them too (bytes of the triad per processor second).

use std::hint::black_box;
use std::time::Instant;

use groma_graph::pagerank::{self, Ranks, Settings};
use groma_graph::{Csr, Order, Tree};
use rayon::prelude::*;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<f64>().ok());
    let (name, tolerance) = match arguments.first().map(String::as_str) {
        Some("web") => (None, number(3)),
        Some(path) => (Some(path), number(1)),
        None => {
            eprintln!("usage: pagerank EDGES [TOLERANCE] | pagerank web NODES ARCS [TOLERANCE]");
            std::process::exit(2);
        }
    };
    let began = Instant::now();
    let (arcs, node_count) = match name {
        Some(path) => match std::fs::read(path) {
            Ok(bytes) => read(&bytes),
            Err(error) => {
                eprintln!("{path}: {error}");
                std::process::exit(1);
            }
        },
        None => web(number(1).unwrap_or(1e6) as u32, number(2).unwrap_or(1e7) as usize),
    };
    println!("arcs read or made          {:>10.3} s", began.elapsed().as_secs_f64());
    let began = Instant::now();
    let graph = Csr::of_arcs(node_count, arcs);
    println!("rows from unordered arcs   {:>10.3} s", began.elapsed().as_secs_f64());
    let began = Instant::now();
    let backlinks = graph.transpose();
    println!("transposed                 {:>10.3} s", began.elapsed().as_secs_f64());
    black_box(backlinks);
    println!(
        "nodes, arcs, threads       {} {} {}",
        graph.node_count(),
        graph.arc_count(),
        rayon::current_num_threads()
    );

    let settings = Settings { tolerance: tolerance.unwrap_or(1e-9), ..Settings::default() };
    let ranks = pagerank::rank(&graph, &settings);
    compare_with_memory(&graph, &settings, &ranks);
    compare_with_scan(&graph, &settings, &ranks);
    time_map(&graph, &ranks);
}

/// A round, and what memory would allow.
fn compare_with_memory(graph: &Csr, settings: &Settings, ranks: &Ranks) {
    let least = |settings: &Settings| best_of(5, || drop(black_box(pagerank::rank(graph, settings))));
    let whole = least(settings);
    // Without a round there is the preparation alone: shares and the transposed graph.
    let preparation = least(&Settings { rounds: 0, ..*settings });
    let round = whole.less(preparation).times(1.0 / f64::from(ranks.rounds.max(1)));
    let triad = triad();
    let bytes = |an_arc: u64| (an_arc * graph.arc_count() + 32 * u64::from(graph.node_count())) as f64;
    let bound = triad.times(bytes(12) / TRIAD_BYTES);
    let harder = triad.times(bytes(4) / TRIAD_BYTES);
    println!("to {:.0e}: {} rounds, change {:.1e}", settings.tolerance, ranks.rounds, ranks.change);
    println!("best of 5                      clock  processor");
    println!("all, s                    {}", whole.times(1.0));
    println!("  of it preparation, s    {}", preparation.times(1.0));
    println!("a round, ms               {}", round.times(1e3));
    println!("an arc in a round, ns     {}", round.times(1e9 / graph.arc_count() as f64));
    println!(
        "bandwidth of triad, GB/s  {}",
        Spent { clock: 1.0 / triad.clock, processor: 1.0 / triad.processor }.times(TRIAD_BYTES / 1e9)
    );
    println!("bound of a round, ms      {}", bound.times(1e3));
    println!(
        "round / bound             {}",
        Spent { clock: round.clock / bound.clock, processor: round.processor / bound.processor }
    );
    println!(
        "all weights in a cache    {}",
        Spent { clock: round.clock / harder.clock, processor: round.processor / harder.processor }
    );
}

fn compare_with_scan(graph: &Csr, settings: &Settings, ranks: &Ranks) {
    let began = Instant::now();
    let scanned = black_box(pagerank::rank_by_scan(graph, settings));
    let scan = began.elapsed().as_secs_f64();
    let worst = ranks.values.iter().zip(&scanned.values).map(|(a, b)| ((a - b) / a).abs()).fold(0.0, f64::max);
    println!("by scan, one thread        {scan:>10.3} s, at most {worst:.1e} apart (relative)");
}

fn time_map(graph: &Csr, ranks: &Ranks) {
    let began = Instant::now();
    let order = Order::new(&ranks.values, &|a, b| a.cmp(&b));
    let sorted = began.elapsed().as_secs_f64();
    let root = (0..graph.node_count()).max_by_key(|&node| graph.successors(node).len()).unwrap_or(0);
    let began = Instant::now();
    let tree = Tree::grow_by(graph, &order, root, &|_| true);
    let grown = began.elapsed().as_secs_f64();
    let (pages, layers) = (tree.len(), tree.layer_count());
    println!(
        "order, map                 {sorted:>10.3} s {grown:>8.3} s: {pages} pages in {layers} layers below node {root}"
    );
}

/// Seconds by the clock, and by the processors of all threads together (not a number where the system does not tell).
#[derive(Clone, Copy)]
struct Spent {
    clock: f64,
    processor: f64,
}

impl Spent {
    fn times(self, factor: f64) -> Spent {
        Spent { clock: self.clock * factor, processor: self.processor * factor }
    }

    fn less(self, other: Spent) -> Spent {
        Spent { clock: self.clock - other.clock, processor: self.processor - other.processor }
    }
}

impl std::fmt::Display for Spent {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:>10.3} {:>10.3}", self.clock, self.processor)
    }
}

/// What the threads of this process have used of the processors so far, in seconds.
fn processor() -> f64 {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return f64::NAN };
    let spent = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(path.join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    threads.filter_map(|thread| spent(thread.ok()?.path())).sum::<f64>() / 1e9
}

/// The least that some work took, of so many times.
fn best_of(times: u32, mut work: impl FnMut()) -> Spent {
    let once = |_| {
        let (began, used) = (Instant::now(), processor());
        work();
        Spent { clock: began.elapsed().as_secs_f64(), processor: processor() - used }
    };
    let least = |a: Spent, b: Spent| Spent { clock: a.clock.min(b.clock), processor: a.processor.min(b.processor) };
    (0..times).map(once).fold(Spent { clock: f64::INFINITY, processor: f64::INFINITY }, least)
}

/// The length of the vectors of the triad, and the bytes that one pass moves.
const TRIAD: usize = 1 << 25;
const TRIAD_BYTES: f64 = 24.0 * TRIAD as f64;

/// A pass of a = b + 3 c through vectors that no cache holds.
fn triad() -> Spent {
    let (b, c) = (vec![1.0f64; TRIAD], vec![2.0f64; TRIAD]);
    let mut a = vec![0.0f64; TRIAD];
    let spent = best_of(10, || {
        let parts = a.par_chunks_mut(1 << 16).zip(b.par_chunks(1 << 16)).zip(c.par_chunks(1 << 16));
        parts.for_each(|((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = b + 3.0 * c;
            }
        });
    });
    black_box(&a);
    spent
}

fn read(bytes: &[u8]) -> (Vec<(u32, u32)>, u32) {
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let arcs: Vec<(u32, u32)> = bytes.chunks_exact(8).map(|pair| (word(pair), word(&pair[4..]))).collect();
    let count = arcs.iter().map(|&(from, to)| from.max(to) + 1).max().unwrap_or(0);
    (arcs, count)
}

/// Six links of ten lead near by, three to a page that is the more popular the smaller its number within its site of a thousand,
/// one to such a page of the whole web.
fn web(node_count: u32, arc_count: usize) -> (Vec<(u32, u32)>, u32) {
    let nodes = f64::from(node_count.max(1));
    let mut state = 1u64;
    let mut uniform = || {
        // SplitMix64 (Steele, Lea, Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    let arcs = (0..arc_count).map(|_| {
        let from = (uniform() * nodes) as u32;
        let (kind, x) = (uniform(), uniform());
        let to = if kind < 0.6 {
            f64::from(from) + (x - 0.5) * 200.0
        } else if kind < 0.9 {
            f64::from(from - from % 1000) + 1000.0 * x.powi(3)
        } else {
            nodes * x.powi(5)
        };
        (from, to.clamp(0.0, nodes - 1.0) as u32)
    });
    (arcs.collect(), node_count)
}
