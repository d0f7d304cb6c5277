//! What people read about graph work on a cluster.

use groma_model::wording::grouped;

pub const ENGINE_HINT: &str = "--engine local computes on this machine; --engine spark://HOST:PORT on any Spark Connect endpoint (port 15002 unless set otherwise)";
pub const NO_SPARK_HINT: &str = "cargo build --release -p groma --features spark";
pub const WORK_PLACE_HINT: &str =
    "name a plain folder that the cluster reaches by the same name, or a URL, with --work";
pub const RECKONING_GOES_ON: &str = "stopped; what was made is kept: the same command goes on from there";

pub fn reckoning(step: &str, round: u32, change: f64) -> String {
    match step {
        "links" => format!("passing links on: {}", grouped(change as u64)),
        "ranks" => format!("ranks: round {round}, largest change {change:.1e}"),
        "map" => format!("map: layer {round}, {} pages", grouped(change as u64)),
        "clusters" => format!("clusters: part {round}, {} links", grouped(change as u64)),
        other => format!("{other}: round {round}"),
    }
}
