//! The short way to ranks: one call, from a URL to numbers.

use groma_graph::pagerank::Settings;

use crate::{GraphEngineError, Input, Outcome, Watch, files, open};

/// Ranks that were made.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// Where they lie and how they came about.
    pub outcome: Outcome,
}

impl Ranked {
    /// Reads them back, by number, ascending. `most` bounds the rows: the number of the survey's addresses. Only from a folder of this machine; what lies
    /// on an object store is read by `groma-parquet`.
    pub fn values(&self, most: u64) -> Result<Vec<(i64, f64)>, GraphEngineError> {
        let table = files::read(&self.outcome.path, &[files::whole("id"), files::real("rank")], most)?;
        let mut values: Vec<(i64, f64)> = table[0].wholes().zip(table[1].reals()).collect();
        values.sort_unstable_by_key(|&(id, _)| id);
        Ok(values)
    }
}

/// Ranks the pages of `input` on the engine at `address` (`local`, `spark://HOST:PORT`, `sc://HOST:PORT`). States and results go to `work`, a
/// folder (or, for a cluster, a URL) that a cluster must reach by the same name; the same call after a kill goes on where it was.
pub fn rank(
    address: &str,
    input: &Input,
    work: &str,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Ranked, GraphEngineError> {
    Ok(Ranked { outcome: open(address, input, work)?.ranks(settings, watch)? })
}
