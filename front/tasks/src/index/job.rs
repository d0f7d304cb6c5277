//! `index`: brings the full-text index up to date.

use groma_search::{Index, SearchError};
use groma_settings::Fault;
use groma_store::Folder;
use serde_json::json;

use crate::jobs::bench::Bench;
use crate::jobs::outcome::Outcome;
use crate::search::indexed;
use crate::task::Index as Task;

/// Seconds until an index that somebody else is writing to is tried again.
const BUSY: i64 = 10;

pub(crate) fn index(folder: &Folder, task: &Task, bench: &mut Bench) -> Result<Outcome, Fault> {
    let mut store = folder.read()?;
    let stop = bench.stop().clone();
    let mut step = |step: groma_search::IndexProgress| {
        bench.progress(&json!({ "phase": "indexing", "done": step.done, "of": step.of }));
    };
    match Index::follow(folder.path(), &mut store, task.rebuild, &stop, &mut step) {
        Ok(followed) if followed.interrupted => Ok(Outcome::Stopped),
        Ok(followed) => Ok(Outcome::Done(indexed(&followed))),
        Err(SearchError::Busy) => Ok(Outcome::Later {
            seconds: BUSY,
            says: "somebody else is writing to the index: once more in 10 s".to_owned(),
        }),
        Err(error) => Err(Fault::new(error.to_string(), error.hint())),
    }
}
