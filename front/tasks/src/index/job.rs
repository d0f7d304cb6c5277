//! `index`: brings the full-text index up to date.

use groma_settings::Fault;
use groma_store::Folder;

use crate::index::run::run;
use crate::jobs::bench::Bench;
use crate::jobs::worked::Worked;
use crate::outcome::Outcome;
use crate::task::Index;

/// Seconds until an index that somebody else is writing to is tried again.
const BUSY: i64 = 10;

pub(crate) fn index(folder: &Folder, task: &Index, bench: &mut Bench) -> Result<Worked, Fault> {
    Ok(match run(folder, task.rebuild, bench)? {
        Some(followed) if followed.interrupted => Worked::Stopped,
        Some(followed) => Worked::Done(Outcome::Indexed(followed)),
        None => {
            Worked::Later { seconds: BUSY, says: "somebody else is writing to the index: once more in 10 s".to_owned() }
        }
    })
}
