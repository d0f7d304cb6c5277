//! Which survey is meant: the one named, the one of a URL, the one on a database server, or the only one in the working
//! directory.

use std::path::{Path, PathBuf};

use groma_store::{Folder, Server, StoreError, default_folder, home_of, server_of, surveys};
use groma_url::Url;

use crate::wording::NO_SURVEY_HINT;
use crate::{Fault, address};

/// The folder a survey of this start page has unless told otherwise.
pub fn usual(seed: &Url) -> PathBuf {
    default_folder(seed.host_str().unwrap_or_default(), seed.port())
}

/// The survey a reading command is about. `named` may be a folder or a URL.
pub fn find(named: Option<&Path>) -> Result<Folder, Fault> {
    let Some(path) = named else { return only_one(here()) };
    let text = path.to_string_lossy();
    if Server::is_address(&text) {
        return on_server(&text, None);
    }
    if !path.exists() && text.contains("://") {
        return Ok(Folder::new(usual(&address::read(&text)?.url)));
    }
    Ok(Folder::new(path))
}

/// The survey a command is about that may begin it at this start page. `named` may be a folder or a database server.
pub fn of_seed(named: Option<&Path>, seed: &Url) -> Result<Folder, Fault> {
    match named {
        None => Ok(Folder::new(usual(seed))),
        Some(path) if Server::is_address(&path.to_string_lossy()) => on_server(&path.to_string_lossy(), Some(seed)),
        Some(path) => Ok(Folder::new(path)),
    }
}

/// The survey that the URL names; else that of the start page, or the only one there is.
fn on_server(address: &str, seed: Option<&Url>) -> Result<Folder, Fault> {
    let server = Server::parse(address)?;
    if server.survey().is_some() {
        return Ok(Folder::new(address));
    }
    let home = home_of(address)?;
    if let Some(seed) = seed {
        return Ok(Folder::new(home.join(usual(seed))));
    }
    let names: Vec<String> = surveys(&server)?.iter().map(ToString::to_string).collect();
    match &names[..] {
        [] => Err(Fault::new(NO_SURVEY, NO_SURVEY_HINT)),
        [name] => Ok(Folder::new(home.join(format!("{name}.groma")))),
        _ => Err(Fault::new(several_surveys(&names), "say which with ?survey=NAME at the end of the URL")),
    }
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

/// The surveys a worker is about: those named, all on a server that is named, or all in the working directory.
pub fn find_all_there(named: &[PathBuf]) -> Result<Vec<Folder>, Fault> {
    if named.is_empty() {
        return Ok(in_folder(is_asked).into_iter().map(Folder::new).collect());
    }
    let mut found = Vec::new();
    for path in named {
        let address = path.to_string_lossy();
        if !Server::is_address(&address) || Server::parse(&address)?.survey().is_some() {
            found.push(find(Some(path))?);
            continue;
        }
        let home = home_of(&address)?;
        let there = surveys(&Server::parse(&address)?)?;
        found.extend(there.iter().map(|name| Folder::new(home.join(format!("{name}.groma")))));
    }
    Ok(found)
}

/// The survey a command about jobs is about.
pub fn find_asked(named: Option<&Path>) -> Result<Folder, Fault> {
    let Some(path) = named else { return only_one(in_folder(is_asked)) };
    let folder = find(Some(path))?;
    if is_asked(&folder) { Ok(folder) } else { Err(StoreError::Missing(folder.path().to_path_buf()).into()) }
}

fn some(found: Vec<PathBuf>) -> Result<Vec<Folder>, Fault> {
    if found.is_empty() {
        return Err(Fault::new(NO_SURVEY, NO_SURVEY_HINT));
    }
    Ok(found.into_iter().map(Folder::new).collect())
}

fn only_one(mut found: Vec<PathBuf>) -> Result<Folder, Fault> {
    if found.len() > 1 {
        let names: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
        return Err(Fault::new(several_surveys(&names), "say which with --store"));
    }
    found.pop().map(Folder::new).ok_or_else(|| Fault::new(NO_SURVEY, NO_SURVEY_HINT))
}

/// The surveys in the working directory.
fn here() -> Vec<PathBuf> {
    in_folder(Folder::exists)
}

/// Is it a survey, or one that is asked for?
fn is_asked(folder: &Folder) -> bool {
    folder.exists() || folder.has_jobs()
}

/// The folders of this kind in the working directory, in order of their names.
fn in_folder(wanted: impl Fn(&Folder) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(".").into_iter().flatten().flatten().map(|entry| PathBuf::from(entry.file_name()));
    // A folder that is the home of a server's surveys has them all.
    let there = match server_of(Path::new(".")) {
        Some(Ok(server)) => surveys(&server).unwrap_or_default(),
        _ => Vec::new(),
    };
    let mut found: Vec<PathBuf> = entries
        .chain(there.iter().map(|name| PathBuf::from(format!("{name}.groma"))))
        .filter(|path| path.extension().is_some_and(|ext| ext == "groma") && wanted(&Folder::new(path)))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Is somebody writing to it?
pub fn is_running(folder: &Folder) -> bool {
    folder.is_busy()
}

fn several_surveys(names: &[String]) -> String {
    format!("there are several surveys in this folder: {}", names.join(", "))
}

const NO_SURVEY: &str = "there is no survey in this folder";
