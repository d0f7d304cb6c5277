//! One at a time: two that compute in one folder would write over each other's rounds.

use std::path::Path;
use std::{fs, io};

use groma_settings::Fault;
use groma_store::FileLock;

use super::Request;
use crate::graph_engine::wording::WORK_PLACE_HINT;

/// Held by whoever computes in a folder. The system lets go of it when the process ends, however it ends. On an object store nothing is
/// held: there is nobody who would let go.
pub(super) struct Held {
    _lock: Option<FileLock>,
}

impl Held {
    /// Makes the folder and takes it.
    pub(super) fn take(request: &Request) -> Result<Held, Fault> {
        if request.work.contains("://") {
            return Ok(Held { _lock: None });
        }
        let folder = Path::new(&request.work);
        let failed = |error: io::Error| Fault::new(format!("{}: {error}", request.work), WORK_PLACE_HINT);
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = FileLock::take(&folder.join(".held")).map_err(failed)?;
        let taken = || Fault::new(work_taken(&request.work), "wait for it, or name another folder with --work");
        Ok(Held { _lock: Some(lock.ok_or_else(taken)?) })
    }
}

fn work_taken(work: &str) -> String {
    format!("another groma computes in {work}")
}
