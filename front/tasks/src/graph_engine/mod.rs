//! Ranks and maps of surveys whose links one machine should not hold: links go out as Parquet, a cluster computes, numbers come back.
//!
//! ```text
//! survey --arcs that count--> WORK/survey --cluster--> WORK/results --numbers--> survey graph (ranks), tree (map)
//! ```
//!
//! Which pages and links count is decided where it is decided for one machine ([`Counted`](groma_survey_graph::Counted)), so what comes out is the same: ranks to 1e-9,
//! the map exactly. Memory grows with the URLs of the survey (some dozens of bytes and the URL itself), not with its links.
//! Clusters and bounds are looked for in parts that a cluster made of the survey (`parts.rs`).
//! Whoever is killed goes on with the same request: rounds are kept in WORK by those who make them, and count while the links are the same.

#[cfg(not(feature = "parquet"))]
mod absent;
#[cfg(feature = "parquet")]
mod back;
#[cfg(feature = "parquet")]
mod held;
#[cfg(feature = "parquet")]
mod out;
#[cfg(feature = "parquet")]
mod parts;
#[cfg(feature = "parquet")]
mod ranking;
#[cfg(feature = "parquet")]
mod request;
pub mod wording;

use crate::graph_engine::wording::{ENGINE_HINT, NO_SPARK_HINT};
use groma_settings::Fault;

#[cfg(not(feature = "parquet"))]
pub use absent::{Computed, InParts, Request, cluster_in_parts, find_in_parts, rank};
pub use groma_graph::{Going, Progress};
#[cfg(feature = "parquet")]
pub use parts::{InParts, Parts};
#[cfg(feature = "parquet")]
pub use ranking::{Computed, rank};
#[cfg(feature = "parquet")]
pub use request::Request;

/// Told of every round; says whether to go on.
pub type Watch<'a> = dyn FnMut(&Progress) -> Going + 'a;

/// Is the work to be done by somebody else than this machine? What cannot be is told before anything is computed.
fn is_elsewhere(engine: &str) -> Result<bool, Fault> {
    if engine == "local" {
        return Ok(false);
    }
    let host = engine.strip_prefix("spark://").or_else(|| engine.strip_prefix("sc://")).unwrap_or_default();
    if host.is_empty() || host.starts_with([':', '/', ';']) {
        return Err(Fault::new(no_engine(engine), ENGINE_HINT));
    }
    if cfg!(feature = "spark") {
        Ok(true)
    } else {
        Err(Fault::new("this groma was built without Spark", NO_SPARK_HINT))
    }
}

fn no_engine(named: &str) -> String {
    format!("{named:?} names no graph engine: it is `local`, `spark://HOST:PORT` or `sc://HOST:PORT`")
}
