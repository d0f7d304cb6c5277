//! The seam: what can be asked of a graph, whoever holds it.

use groma_graph::pagerank::Settings;

use crate::{Going, GraphEngineError, Input, Local, Progress};

/// Whoever is told of progress.
pub type Watch<'a> = &'a mut dyn FnMut(&Progress) -> Going;

/// What came out, and where it lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// A folder of Parquet files. Its columns: see the methods of [`Engine`].
    pub path: String,
    /// Rows in all its files.
    pub rows: u64,
    /// Rounds made, those of earlier runs among them.
    pub rounds: u32,
    /// What the last round changed.
    pub change: f64,
    /// Whether the last round was the last that was needed.
    pub converged: bool,
}

/// How a graph is cut into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSettings {
    /// The most nodes of a part: what one machine takes at a time.
    pub largest: u32,
    /// Rounds at most.
    pub rounds: u32,
}

impl Default for PartSettings {
    fn default() -> PartSettings {
        PartSettings { largest: 1_000_000, rounds: 24 }
    }
}

/// A graph that can be asked. Everything comes out as Parquet with a column `id` that has the numbers of the input; order of rows and number of files
/// are the engine's. Work that was stopped or killed goes on where it was when the same is asked again.
pub trait Engine {
    /// PageRank: columns `id`, `rank`. Definitions are those of [`groma_graph::pagerank`].
    fn ranks(&mut self, settings: &Settings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError>;

    /// How many pages each links to and is linked from: columns `id`, `links`, `linked`.
    fn degrees(&mut self) -> Result<Outcome, GraphEngineError>;

    /// What hangs together if links had no direction: columns `id`, `component`, the smallest id of its component.
    fn components(&mut self, watch: Watch<'_>) -> Result<Outcome, GraphEngineError>;

    /// Links from the nearest of some pages: columns `id`, `level`. Pages that cannot be reached have no row; roots that are no nodes
    /// are passed over.
    fn levels(&mut self, roots: &[i64], watch: Watch<'_>) -> Result<Outcome, GraphEngineError>;

    /// The hierarchical map (P1 to P4): columns `id`, `layer`, `parent` (of the root, its own id), `position` (in the one order of all
    /// pages; siblings stand by it). Needs the ranks of this engine.
    fn map(&mut self, root: i64, watch: Watch<'_>) -> Result<Outcome, GraphEngineError>;

    /// Parts of bounded size with few links between them: columns `id`, `part`. [`crate::mcl_parts`] clusters them one by one.
    fn parts(&mut self, settings: &PartSettings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError>;
}

/// Opens the engine at an address: `local`, or `spark://HOST:PORT` (also `sc://HOST:PORT/;key=value`), for links that lie as Parquet. States and
/// results go to the folder `work`; a cluster must reach both places by the same names.
pub fn open(address: &str, input: &Input, work: &str) -> Result<Box<dyn Engine>, GraphEngineError> {
    match address.split_once("://") {
        None if address == "local" => Ok(Box::new(Local::open(input, work)?)),
        Some(("spark" | "sc", rest)) if !rest.is_empty() => cluster(&format!("sc://{rest}"), input, work),
        _ => Err(GraphEngineError::Address(address.to_owned())),
    }
}

#[cfg(feature = "spark")]
fn cluster(address: &str, input: &Input, work: &str) -> Result<Box<dyn Engine>, GraphEngineError> {
    Ok(Box::new(crate::Spark::open(address, input, work)?))
}

#[cfg(not(feature = "spark"))]
fn cluster(_: &str, _: &Input, _: &str) -> Result<Box<dyn Engine>, GraphEngineError> {
    Err(GraphEngineError::NoSpark)
}
