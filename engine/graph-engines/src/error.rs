//! What can go wrong, each with a next step.

use std::path::PathBuf;

/// Why graph work could not be done.
#[derive(Debug, thiserror::Error)]
pub enum GraphEngineError {
    /// The URL of an engine means nothing to us.
    #[error("{0:?} names no graph engine: it is `local`, `spark://HOST:PORT` or `sc://HOST:PORT`")]
    Address(String),
    /// A cluster was asked for and this program cannot speak to one.
    #[error(
        "this groma was built without Spark: build it with `--features spark` (needs protoc), or use the engine `local`"
    )]
    NoSpark,
    /// The endpoint does not answer, or its answer is none.
    #[error(
        "{address} does not answer as Spark Connect: {why}; is its port open, and is it the port of Connect (15002 unless set otherwise)?"
    )]
    NoAnswer {
        /// Where it should be.
        address: String,
        /// The error of the connection.
        why: String,
    },
    /// The endpoint answered once and does not any more.
    #[error("{address} is gone: it stopped answering while it should {what}")]
    Lost {
        address: String,
        /// What it should have done.
        what: String,
    },
    /// The cluster refused or failed a statement.
    #[error("the cluster could not {what}: {why}")]
    Cluster {
        /// What it should have done.
        what: String,
        /// What it said, its first line.
        why: String,
    },
    /// A path that would be taken for a pattern, or that is none.
    #[error("{path:?} cannot be used as a place: {why}")]
    Place {
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A table that is not there or has not the columns it needs.
    #[error("{path}: {why}")]
    Table {
        /// Where it should be.
        path: String,
        /// What the table lacks.
        why: String,
    },
    /// A Parquet file that cannot be read or written.
    #[error("{}: {why}", path.display())]
    File {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// More than one machine should hold.
    #[error("{links} links are more than the engine `local` takes ({most}): use a cluster, `spark://HOST:PORT`")]
    TooLarge {
        /// How many links were met.
        links: u64,
        /// How many are taken.
        most: u64,
    },
    /// The page a map should begin with is none of the graph's, or does not belong to the map.
    #[error("page {0} is not among the pages of the map: choose another root")]
    NoRoot(i64),
    /// What is needed first was not made.
    #[error("there are no ranks yet in {0}: the map wants them, so make them first")]
    NoRanks(String),
    /// A round came out with other rows than it must have.
    #[error(
        "{what}: {found} rows where there must be {expected}; the work folder was changed by somebody else, or the cluster lost files: remove it and begin anew"
    )]
    Rows {
        /// The state whose rows were counted.
        what: String,
        /// Rows that are there.
        found: u64,
        /// Rows that must be.
        expected: u64,
    },
    /// Whoever watches said that it is enough; the next run goes on from here.
    #[error("stopped after round {round} of {step}; the same call goes on from there")]
    Stopped {
        /// What was being made.
        step: &'static str,
        /// The last whole round.
        round: u32,
    },
}
