//! Tells people what is new about a site, and nothing else: after an update, the findings that were not there before.
//!
//! What was found is kept in `notices/baseline.json` in the survey's folder (`memory.rs` says what counts as new). What is new
//! becomes one notice in the queue's file, with a number that depends on nothing but its contents. Then every notice goes out
//! by every way the configuration names ([`Ways`]), and each way is put down as soon as it is done ([`delivery`]).
//!
//! Killed at any moment: the notice is stored first and the memory second, and the same findings of the same run make the same
//! notice, which is stored once. A way that was used but not yet put down is used again, with the same Message-ID or delivery
//! number: SMTP and HTTP allow no better.

mod body;
pub mod delivery;
mod feed;
pub(crate) mod job;
mod look;
mod memory;
pub(crate) mod task;
mod text;
mod ways;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use groma_store::jobs::Queue;
use groma_store::{FileLock, Folder};

use groma_settings::Fault;

pub use body::{Body, Told};
pub use feed::feed;
pub use text::letter;
pub use ways::Ways;

/// Looks for what is new and tells it, as groma.toml and the environment say. The outcome is a sentence; a fault means that somebody
/// could not be told yet: once more later.
pub fn notify(folder: &Folder, queue: &mut Queue, log: &mut dyn FnMut(&str), now: i64) -> Result<String, Fault> {
    notify_with(&Ways::configured(None)?, folder, queue, log, now)
}

/// The same with ways from elsewhere.
pub fn notify_with(
    ways: &Ways,
    folder: &Folder,
    queue: &mut Queue,
    log: &mut dyn FnMut(&str),
    now: i64,
) -> Result<String, Fault> {
    let _alone = alone(folder)?;
    let looked = look::look(folder, ways, queue, log, now)?;
    let sent = delivery::deliver_all(folder, ways, queue, log, now)?;
    sent.failure.map_or_else(|| Ok(words::outcome(&looked, sent.delivered)), Err)
}

/// What people call the site of a folder: its name without the ending.
pub fn site_name(folder: &Folder) -> String {
    folder.path().file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Where notices keep their files.
pub(crate) fn place(folder: &Folder) -> PathBuf {
    folder.path().join("notices")
}

/// Two at once would tell everything twice. The system lets go of the lock when the process ends.
fn alone(folder: &Folder) -> Result<FileLock, Fault> {
    let place = place(folder);
    let told = |path: &Path, error: &std::io::Error| Fault::of_input(&path.display().to_string(), error);
    fs::create_dir_all(&place).map_err(|error| told(&place, &error))?;
    let path = place.join("lock");
    let lock = FileLock::take(&path).map_err(|error| told(&path, &error))?;
    lock.ok_or_else(|| Fault::new(words::NOT_ALONE, words::NOT_ALONE_HINT))
}

#[cfg(test)]
mod tests;
