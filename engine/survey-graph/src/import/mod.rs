//! A link graph without pages becomes a survey, on which ranks, maps and bounds can be computed.

mod edges;
mod nodes;
mod write;

pub use edges::{Arcs, EdgeFormat, EdgeList, read_edges};
pub use nodes::{Nodes, merge};
pub use write::write;

use std::io::{self, BufRead, BufReader, Read};

use groma_store::{Snapshot, StoreError};

/// Why a file could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// It could not be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// A line says something else than two nodes.
    #[error("line {line}: {what}")]
    Line {
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A file of pairs ends within a pair.
    #[error("{0} bytes are no whole number of pairs of 32-bit numbers")]
    HalfPair(u64),
    /// A pair names a node that the list of URLs does not have.
    #[error("arc {arc} names node {node}, but there are only {count} URLs")]
    NoSuchNode {
        /// Which arc, from 1.
        arc: u64,
        /// Number of the node.
        node: u32,
        /// How many URLs there are.
        count: u32,
    },
    /// More nodes than can be numbered.
    #[error("more than 4,294,967,294 nodes")]
    TooMany,
}

/// The kind of run an import is.
const RUN: &str = "import";

/// Did an import begin and not come to its end? What it left is no graph.
pub fn is_broken_off(store: &mut dyn Snapshot) -> Result<bool, StoreError> {
    Ok(store.runs()?.iter().any(|run| run.kind == RUN && run.ended.is_none()))
}

/// Undoes gzip or zstd, whichever the first bytes say.
pub fn unpacked(file: Box<dyn Read>) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(1 << 18, file);
    let head = file.fill_buf()?;
    if head.starts_with(&[0x1f, 0x8b]) {
        let decoder = flate2::bufread::MultiGzDecoder::new(file);
        return Ok(Box::new(BufReader::with_capacity(1 << 18, decoder)));
    }
    if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let decoder = zstd::stream::read::Decoder::with_buffer(file)?;
        return Ok(Box::new(BufReader::with_capacity(1 << 18, decoder)));
    }
    Ok(Box::new(file))
}
