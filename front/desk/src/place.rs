//! Which survey is meant: the one named, the one of an address, or the only one in the working directory.

use std::path::{Path, PathBuf};

use groma_store::{Folder, StoreError, default_folder};
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
    let Some(path) = named else { return only_one(here()) };
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

/// The surveys a command is about that can be about several: those named, or all in the working directory.
pub fn find_all(named: &[PathBuf]) -> Result<Vec<Folder>, Fault> {
    if !named.is_empty() {
        return named.iter().map(|path| find(Some(path))).collect();
    }
    some(here())
}

/// The same for commands about jobs: a survey that is only asked for has jobs too.
pub fn find_all_asked(named: &[PathBuf]) -> Result<Vec<Folder>, Fault> {
    if named.is_empty() { some(in_folder(is_asked)) } else { find_all(named) }
}

/// The survey a command about jobs is about.
pub fn find_asked(named: Option<&Path>) -> Result<Folder, Fault> {
    let Some(path) = named else { return only_one(in_folder(is_asked)) };
    let folder = find(Some(path))?;
    if is_asked(&folder) { Ok(folder) } else { Err(StoreError::Missing(folder.path().to_path_buf()).into()) }
}

fn some(found: Vec<PathBuf>) -> Result<Vec<Folder>, Fault> {
    if found.is_empty() {
        return Err(Fault::new(words::NO_SURVEY, words::NO_SURVEY_HINT));
    }
    Ok(found.into_iter().map(Folder::new).collect())
}

fn only_one(mut found: Vec<PathBuf>) -> Result<Folder, Fault> {
    if found.len() > 1 {
        let names: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
        return Err(Fault::new(words::several_surveys(&names), words::WHICH_SURVEY_HINT));
    }
    found.pop().map(Folder::new).ok_or_else(|| Fault::new(words::NO_SURVEY, words::NO_SURVEY_HINT))
}

/// The surveys in the working directory.
fn here() -> Vec<PathBuf> {
    in_folder(Folder::exists)
}

/// Is it a survey, or one that is asked for?
fn is_asked(folder: &Folder) -> bool {
    folder.exists() || folder.jobs().is_file()
}

/// The folders of this kind in the working directory, in order of their names.
fn in_folder(wanted: impl Fn(&Folder) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(".").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| PathBuf::from(entry.file_name()))
        .filter(|path| path.extension().is_some_and(|ext| ext == "groma") && wanted(&Folder::new(path)))
        .collect();
    found.sort();
    found
}

/// Is somebody writing to it?
pub fn is_running(folder: &Folder) -> bool {
    folder.is_busy()
}
