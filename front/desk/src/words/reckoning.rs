//! What people read about graph work on a cluster.

use groma_model::wording::grouped;

pub const ENGINE_HINT: &str = "--engine local computes on this machine; --engine spark://HOST:PORT on any Spark Connect endpoint (port 15002 unless set otherwise)";
pub const NO_PARQUET: &str = "this groma was built without Parquet";
pub const NO_PARQUET_HINT: &str =
    "export csv, jsonl or sqlite, or build with `cargo build --release --features parquet`";
pub const NO_SPARK: &str = "this groma was built without Spark";
pub const NO_SPARK_HINT: &str = "cargo build --release -p groma --features spark";
pub const WORK_PLACE_HINT: &str =
    "name a plain folder that the cluster reaches by the same name, or a URL, with --work";
pub const WORK_TAKEN_HINT: &str = "wait for it, or name another folder with --work";
pub const RECKONING_GOES_ON: &str = "stopped; what was made is kept: the same command goes on from there";
pub const NEEDS_LINKS: &str = "this needs every link in memory, and a cluster leaves them where they are";
pub const NEEDS_LINKS_HINT: &str = "leave out --engine; `groma export parquet` gives all links to other programs";

pub const PARTS_UNWEIGHTED: &str = "parts of a survey are clustered by their links alone";
pub const PARTS_UNWEIGHTED_HINT: &str = "leave out --sigma, or leave out --engine";
pub const PARTS_NEED_PAGES: &str =
    "parts are looked at around pages: with --engine a search begins at pages that are stored";
pub const PARTS_NEED_PAGES_HINT: &str =
    "name a page or --seeds FILE instead of --keyword or --online, or leave out --engine";

pub fn no_engine(named: &str) -> String {
    format!("{named:?} names no graph engine: it is `local`, `spark://HOST:PORT` or `sc://HOST:PORT`")
}

/// How much of a survey was looked at.
pub fn in_parts(seen: u64, all: u64, parts: u64) -> String {
    let (seen, all, parts) = (grouped(seen), grouped(all), grouped(parts));
    format!(
        "looked at {seen} of {all} pages: the parts (of {parts}) that hold the start; pages elsewhere were not judged"
    )
}

pub fn work_no_text(work: &str) -> String {
    format!("{work} cannot be told to a cluster: its name is not UTF-8")
}

pub fn work_taken(work: &str) -> String {
    format!("another groma computes in {work}")
}

pub fn no_cluster(work: &str) -> String {
    if work.is_empty() {
        return ENGINE_HINT.to_owned();
    }
    format!("start the cluster and run the same command again: rounds that were made are kept in {work}")
}

pub fn cluster_failed(work: &str) -> String {
    format!(
        "run the same command again: rounds that were made are kept in {work}, which all its machines must reach by this name (else: --work)"
    )
}

pub fn shared_work(work: &str) -> String {
    format!("all machines of the cluster must reach {work} by this name; name a place they share with --work DIR|URL")
}

pub fn fresh_work(work: &str) -> String {
    format!("remove {work} and run the same command again, or name another folder with --work")
}

pub fn not_read_back(error: &str) -> String {
    format!("what the cluster made cannot be read: {error}")
}

pub fn reckoning(step: &str, round: u32, change: f64) -> String {
    match step {
        "links" => format!("passing links on: {}", grouped(change as u64)),
        "ranks" => format!("ranks: round {round}, largest change {change:.1e}"),
        "map" => format!("map: layer {round}, {} pages", grouped(change as u64)),
        "clusters" => format!("clusters: part {round}, {} links", grouped(change as u64)),
        other => format!("{other}: round {round}"),
    }
}

pub fn goes_on(step: &str, round: u32) -> String {
    format!("{step}: going on after round {round}, which an earlier run made")
}
