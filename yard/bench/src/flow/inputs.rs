//! The graphs that are cut, and what their links can carry.

use std::path::{Path, PathBuf};

use groma_graph::Csr;

use super::url_similarity::Addresses;
use crate::graph::write_web;
use crate::rank::graph_of;
use crate::scratch::Scratch;

const GRAPHS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/graphs");
const MADE_UP: u32 = 100_000;

/// A graph and the capacities of its links.
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) graph: Csr,
    /// The same for both directions.
    pub(super) capacity: Box<dyn Fn(u32, u32) -> f64>,
}

/// A made-up web, and the real graphs that lie beside the project: debdocs with its URLs, cnr-2000 without.
pub(super) fn all() -> anyhow::Result<Vec<Input>> {
    let scratch = Scratch::new("flow-web")?;
    let web = scratch.join("web.bin");
    write_web(&web, MADE_UP)?;
    let by_number = || Box::new(drawn) as Box<dyn Fn(u32, u32) -> f64>;
    let mut inputs = vec![Input { name: "made-up web", graph: graph_of(&std::fs::read(&web)?), capacity: by_number() }];
    let packed = |name: &str| -> anyhow::Result<Option<Vec<u8>>> {
        let path: PathBuf = Path::new(GRAPHS).join(name);
        Ok(if path.exists() { Some(zstd::decode_all(std::fs::File::open(path)?)?) } else { None })
    };
    if let (Some(edges), Some(urls)) = (packed("debdocs.edges.bin.zst")?, packed("debdocs.urls.zst")?) {
        let addresses = Addresses::read(&String::from_utf8_lossy(&urls));
        let capacity = Box::new(move |one, other| addresses.similarity(one, other));
        inputs.push(Input { name: "debdocs", graph: graph_of(&edges), capacity });
    }
    if let Some(edges) = packed("cnr-2000.edges.bin.zst")? {
        inputs.push(Input { name: "cnr-2000", graph: graph_of(&edges), capacity: by_number() });
    }
    Ok(inputs)
}

/// Between 0 and 1, drawn by the two numbers whichever comes first: where there are no URLs.
fn drawn(one: u32, other: u32) -> f64 {
    // SplitMix64 (Steele, Lea, Flood 2014).
    let mut z = (u64::from(one.min(other)) << 32 | u64::from(one.max(other))).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
