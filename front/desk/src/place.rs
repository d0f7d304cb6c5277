//! Which survey is meant: the one named, the one of an address, or the only one in the working directory.

use std::path::{Path, PathBuf};

use groma_store::{Folder, default_folder};
use url::Url;

use crate::address;
use crate::fault::Fault;
use crate::words;

/// The folder a survey of this start page has unless told otherwise.
pub fn usual(seed: &Url) -> PathBuf {
    default_folder(seed.host_str().unwrap_or_default(), seed.port())
}

/// The survey a reading command is about. `named` may be a folder or an address.
pub fn find(named: Option<&Path>) -> Result<Folder, Fault> {
    let Some(path) = named else { return only_one() };
    let text = path.to_string_lossy();
    if !path.exists() && text.contains("://") {
        return Ok(Folder::new(usual(&address::read(&text)?.url)));
    }
    Ok(Folder::new(path))
}

/// The same, where no survey is no mistake: nothing if none is named and there is none.
pub fn find_any(named: Option<&Path>) -> Result<Option<Folder>, Fault> {
    if named.is_none() && here().is_empty() {
        return Ok(None);
    }
    find(named).map(Some)
}

fn only_one() -> Result<Folder, Fault> {
    let mut found = here();
    match (found.len(), found.pop()) {
        (1, Some(path)) => Ok(Folder::new(path)),
        (0, _) => Err(Fault::new(words::NO_SURVEY, words::NO_SURVEY_HINT)),
        _ => {
            let names: Vec<String> = here().iter().map(|path| path.display().to_string()).collect();
            Err(Fault::new(words::several_surveys(&names), words::WHICH_SURVEY_HINT))
        }
    }
}

/// The surveys in the working directory, in order of their names.
fn here() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(".").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|ext| ext == "groma") && Folder::new(path).exists())
        .collect();
    found.sort();
    found
}

/// Is somebody writing to it?
pub fn is_running(folder: &Folder) -> bool {
    folder.is_busy()
}
