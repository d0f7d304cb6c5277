//! What do ranks cost on one machine, on Sail and on Spark, and are they the same?
//!
//! ```text
//! cargo run -p groma-graph-engines --features spark --example engines -- EDGES.bin.zst WORK ADDRESS...
//! ```
//!
//! Input: pairs of little-endian 32-bit numbers, packed with zstd, such as the web graph cnr-2000. They are written as Parquet, then ranked by every
//! address (`local`, `sc://HOST:PORT`; `NAME=ADDRESS` gives a row another name). Answer: every rank is that of the first address to 1e-9. Figures: seconds by the
//! clock for preparing (reading, arcs, nodes) and for the rounds to 1e-9; a Markdown table. Exit code 1 if ranks differ.

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use groma_graph::pagerank::Settings;
use groma_graph_engines::files::{self, Column, real, whole};
use groma_graph_engines::{Going, Input, open};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [edges, work, addresses @ ..] = words.as_slice() else {
        eprintln!("beside EDGES.bin.zst WORK ADDRESS...");
        return Ok(ExitCode::from(2));
    };
    let bytes = zstd::decode_all(std::fs::File::open(edges)?)?;
    let number = |bytes: &[u8]| i64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    let column = |skip: usize| bytes.chunks_exact(8).map(|pair| number(&pair[skip..])).collect::<Column>();
    let links = format!("{work}/links");
    std::fs::create_dir_all(work)?;
    files::write(&links, &[("source", column(0)), ("target", column(4))])?;
    println!("| engine | prepare s | rounds | s | s a round | ranks | largest difference |");
    println!("|---|---|---|---|---|---|---|");
    let mut first: Option<Vec<(i64, f64)>> = None;
    let mut same = true;
    for (place, word) in addresses.iter().enumerate() {
        let (name, address) = word.split_once('=').filter(|(name, _)| !name.contains(':')).unwrap_or((word, word));
        let begun = Instant::now();
        let mut engine = open(address, &Input::Links(links.clone()), &format!("{work}/{place}"))?;
        let prepared = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let outcome = engine.ranks(&Settings::default(), &mut |progress| {
            if progress.round % 10 == 0 {
                eprintln!(
                    "{name}: round {}, change {:.3e}, {:.1} s",
                    progress.round,
                    progress.change,
                    begun.elapsed().as_secs_f64()
                );
            }
            Going::On
        })?;
        let seconds = begun.elapsed().as_secs_f64();
        let table = files::read(&outcome.path, &[whole("id"), real("rank")], u64::from(u32::MAX))?;
        let mut ranks: Vec<(i64, f64)> = table[0].wholes().zip(table[1].reals()).collect();
        ranks.sort_unstable_by_key(|rank| rank.0);
        let mut difference = 0.0f64;
        if let Some(first) = &first {
            same &= first.len() == ranks.len() && first.iter().zip(&ranks).all(|(a, b)| a.0 == b.0);
            difference = first.iter().zip(&ranks).map(|(a, b)| (a.1 - b.1).abs()).fold(0.0, f64::max);
            same &= difference <= 1e-9;
        }
        let each = seconds / f64::from(outcome.rounds.max(1));
        println!(
            "| {name} | {prepared:.2} | {} | {seconds:.2} | {each:.3} | {} | {difference:.1e} |",
            outcome.rounds,
            ranks.len()
        );
        first.get_or_insert(ranks);
    }
    Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
