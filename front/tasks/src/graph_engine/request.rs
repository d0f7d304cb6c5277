//! Where graph work is to be done, and where its files go.

use groma_graph_engines::GraphEngineError;
use groma_parquet::{Aim, TableError};
use groma_settings::Fault;
use groma_settings::wording::OTHER_ROOT_HINT;
use groma_store::Folder;

use super::is_elsewhere;
use crate::graph_engine::wording::{ENGINE_GOES_ON, ENGINE_HINT, NO_SPARK_HINT, WORK_PLACE_HINT};

/// The folder beside a survey that holds the files of a cluster unless told otherwise.
const BESIDE: &str = "graph";

/// A cluster and a place that it reaches by the same name as this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Where the cluster answers: `spark://HOST:PORT` or `sc://HOST:PORT`.
    pub address: String,
    /// A folder, or a URL of an object store.
    pub work: String,
}

impl Request {
    /// What was asked for; nothing if this machine is to do the work. What cannot be is told before anything is computed.
    pub fn parse(engine: &str, work: Option<&str>, folder: &Folder) -> Result<Option<Request>, Fault> {
        let engine = engine.trim();
        if !is_elsewhere(engine)? {
            return Ok(None);
        }
        let work = match work {
            Some(typed) => match Aim::parse(typed).map_err(|error| Fault::new(error.to_string(), error.hint()))? {
                Aim::Path(path) => absolute(&path)?,
                Aim::Objects(url) => url.trim_end_matches('/').to_owned(),
            },
            None => absolute(&folder.path().join(BESIDE))?,
        };
        Ok(Some(Request { address: engine.to_owned(), work }))
    }

    /// Where pages and links go.
    pub(super) fn graph(&self) -> String {
        format!("{}/survey", self.work)
    }

    /// What a cluster could not do, for people.
    pub(super) fn fault(&self, error: &GraphEngineError) -> Fault {
        let work = &self.work;
        let hint = match error {
            GraphEngineError::Address(_) => ENGINE_HINT.to_owned(),
            GraphEngineError::NoSpark => NO_SPARK_HINT.to_owned(),
            GraphEngineError::NoAnswer { .. } | GraphEngineError::Lost { .. } => no_cluster(work),
            GraphEngineError::Cluster { .. } => cluster_failed(work),
            GraphEngineError::Table { .. } | GraphEngineError::File { .. } => shared_work(work),
            GraphEngineError::Place { .. } => WORK_PLACE_HINT.to_owned(),
            GraphEngineError::NoRoot(_) => OTHER_ROOT_HINT.to_owned(),
            GraphEngineError::TooLarge { .. } | GraphEngineError::NoRanks(_) | GraphEngineError::Rows { .. } => {
                fresh_work(work)
            }
            GraphEngineError::Stopped { .. } => ENGINE_GOES_ON.to_owned(),
        };
        Fault::new(error.to_string(), hint)
    }

    /// What the cluster says it wrote cannot be read here.
    pub(super) fn unread(&self, error: &TableError) -> Fault {
        Fault::new(not_read_back(&error.to_string()), shared_work(&self.work))
    }
}

/// Clusters have a working directory of their own, so names are told whole; and as text, so they must be some.
fn absolute(path: &std::path::Path) -> Result<String, Fault> {
    let whole = std::path::absolute(path).map_err(|error| Fault::of_input(&path.display().to_string(), &error))?;
    let text = whole.to_str().map(|text| text.trim_end_matches('/').to_owned()).filter(|text| !text.is_empty());
    text.ok_or_else(|| Fault::new(work_no_text(&whole.display().to_string()), WORK_PLACE_HINT))
}

fn work_no_text(work: &str) -> String {
    format!("{work} cannot be told to a cluster: its name is not UTF-8")
}

fn no_cluster(work: &str) -> String {
    if work.is_empty() {
        return ENGINE_HINT.to_owned();
    }
    format!("start the cluster and run the same command again: rounds that were made are kept in {work}")
}

fn cluster_failed(work: &str) -> String {
    format!(
        "run the same command again: rounds that were made are kept in {work}, which all its machines must reach by this name (else: --work)"
    )
}

fn shared_work(work: &str) -> String {
    format!("all machines of the cluster must reach {work} by this name; name a place they share with --work DIR|URL")
}

fn fresh_work(work: &str) -> String {
    format!("remove {work} and run the same command again, or name another folder with --work")
}

fn not_read_back(error: &str) -> String {
    format!("what the cluster made cannot be read: {error}")
}
