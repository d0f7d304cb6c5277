//! Degrees on a cluster: they were counted when the arcs were prepared (`prepare.rs`), so no arc is read. Exact. Cost: n rows of 24 bytes read and written,
//! nothing shuffled.

use super::Spark;
use crate::{GraphEngineError, Outcome};

pub(super) fn degrees(engine: &Spark) -> Result<Outcome, GraphEngineError> {
    engine.put("degrees", "SELECT id, plain + marked AS links, linked FROM nodes", Some(engine.prepared.nodes))
}
