//! Lending a hand with a crawl that somebody else leads: see `groma_store::workers`.
//!
//! Settings come from the survey, where whoever leads has kept them, and from this machine's own configuration; secrets are in
//! no survey, so a crawl that needs some is left alone by whoever has none.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_crawl::{Summary, Watch};
use groma_settings::saved::Saved;
use groma_settings::{Book, Fault};
use groma_store::Folder;

use crate::crawl::survey::{Helped, Survey, Task, saved_seeds};

/// Helps until the crawl is over, nobody leads it any more, or the flag is set. Nothing if no hand was wanted.
pub fn lend(
    folder: &Folder,
    config: Option<&Path>,
    watch: &mut dyn Watch,
    stop: &Arc<AtomicBool>,
) -> Result<Option<Summary>, Fault> {
    while let Some(task) = folder.task_for_hands().filter(|_| !stop.load(Ordering::Relaxed)) {
        let task = if task == "update" { Task::Update } else { Task::Crawl };
        match survey(task, folder, config)?.ready()?.help(watch, Arc::clone(stop))? {
            Helped::NotWanted => return Ok(None),
            Helped::ToTheEnd(summary) => return Ok(Some(summary)),
            // Cut off for too long: everything of ours has gone to others. Once more.
            Helped::TakenForDead => {}
        }
    }
    Ok(None)
}

/// The survey as whoever leads it has kept it.
fn survey(task: Task, folder: &Folder, config: Option<&Path>) -> Result<Survey, Fault> {
    let saved = Saved::load(&mut folder.read()?)?.unwrap_or_default();
    let book = Book::gather(&[], config, Some(&saved))?;
    let missing = book.lacks(&saved.not_kept);
    if !missing.is_empty() {
        return Err(Fault::new(
            helper_lacks(&missing),
            "give them to this worker too: in its groma.toml, or in variables of its environment",
        ));
    }
    let survey = Survey::new(task, folder.clone(), saved_seeds(&saved)?, book);
    let Saved { owned, guarded, not_kept, .. } = saved;
    Ok(Survey { owned, guarded, not_kept, aside: true, ..survey })
}

fn helper_lacks(keys: &[String]) -> String {
    format!("this worker cannot help with the crawl: it needs {}, which no survey keeps", keys.join(", "))
}
