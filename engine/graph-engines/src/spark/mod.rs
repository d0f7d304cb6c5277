//! The engine of many machines: SQL through Spark Connect, states of rounds as Parquet.
//!
//! Rule: whatever a round makes is written to the work folder before the next begins, and one statement makes it; plans stay small, the
//! cluster keeps nothing between rounds, and whoever is killed (we, or the cluster) goes on from the last whole round. Statements use what Apache
//! Spark 4 and Sail have in common.
//! Cost: two or three statements a round, each with a start-up of its own (tenths of a second on Sail, a second on Spark); what moves between machines
//! is said in the file of each algorithm, for n nodes and m arcs, in rows of 16 to 24 bytes.
//! Not guaranteed: that somebody else does not change the work folder meanwhile; two runs on one folder at once are not kept apart.

mod alive;
mod components;
mod degrees;
mod levels;
mod map;
mod order;
mod parts;
mod prepare;
mod ranks;
mod rounds;
mod session;
mod statement;

use groma_graph::pagerank::Settings;

use crate::input::{below, plain};
use crate::{Engine, GraphEngineError, Input, Outcome, PartSettings, Watch};
use prepare::Prepared;
use session::Cluster;

/// A graph on a cluster.
pub struct Spark {
    cluster: Cluster,
    prepared: Prepared,
    work: String,
}

impl std::fmt::Debug for Spark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Spark").field("work", &self.work).finish_non_exhaustive()
    }
}

impl Spark {
    /// Connects (`sc://HOST:PORT`), looks at the links, and makes arcs and nodes of them unless the work folder has those of the same links.
    pub fn open(address: &str, input: &Input, work: &str) -> Result<Spark, GraphEngineError> {
        plain(&input.links())?;
        plain(work)?;
        let cluster = Cluster::connect(address)?;
        let work = absolute(work);
        let prepared = prepare::prepare(&cluster, input, &work)?;
        Ok(Spark { cluster, prepared, work })
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> u64 {
        self.prepared.nodes
    }

    /// How many arcs there are.
    pub fn arc_count(&self) -> u64 {
        self.prepared.arcs
    }

    /// Where states of a step go.
    fn states(&self, step: &str) -> String {
        below(&below(&self.work, "rounds"), step)
    }

    /// Where a result goes.
    fn place(&self, name: &str) -> String {
        below(&below(&self.work, "results"), name)
    }

    /// Writes a result and counts it: it must have this many rows, where that is known.
    fn put(&self, name: &'static str, sql: &str, expected: Option<u64>) -> Result<Outcome, GraphEngineError> {
        let path = self.place(name);
        let what = format!("write the {name}");
        self.cluster.write(&what, sql, &path)?;
        self.cluster.name("result", &path, "id BIGINT")?;
        let row = self.cluster.row(&what, "SELECT count(*) FROM result")?;
        let rows = row.and_then(|row| u64::try_from(row.first()?.as_i64()?).ok()).unwrap_or_default();
        match expected.filter(|&expected| expected != rows) {
            Some(expected) => Err(GraphEngineError::Rows { what: name.to_owned(), found: rows, expected }),
            None => Ok(Outcome { path, rows, rounds: 0, change: 0.0, converged: true }),
        }
    }
}

/// Paths of this machine are told whole: a cluster has a working folder of its own.
fn absolute(path: &str) -> String {
    if path.contains("://") {
        return path.to_owned();
    }
    std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| path.to_string_lossy().into_owned())
}

impl Engine for Spark {
    fn ranks(&mut self, settings: &Settings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        ranks::ranks(self, settings, watch)
    }

    fn degrees(&mut self) -> Result<Outcome, GraphEngineError> {
        degrees::degrees(self)
    }

    fn components(&mut self, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        components::components(self, watch)
    }

    fn levels(&mut self, roots: &[i64], watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        levels::levels(self, roots, watch)
    }

    fn map(&mut self, root: i64, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        map::map(self, root, watch)
    }

    fn parts(&mut self, settings: &PartSettings, watch: Watch<'_>) -> Result<Outcome, GraphEngineError> {
        parts::parts(self, settings, watch)
    }
}
