//! Which files are to be read, and how each is opened: on the disk, or brought here from an object store.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::TableError;
use crate::place::Aim;
#[cfg(feature = "cloud")]
use crate::place::Store;
use crate::tables::manifest::{MANIFEST, Manifest, SUCCESS};

/// The most files one folder may hold: names are kept while they are read.
const MOST_FILES: usize = 100_000;
/// Longest manifest that is read, in bytes.
const MOST_MANIFEST: u64 = 64 << 20;

/// Files to be read, in order of their names.
pub(crate) struct Files {
    from: From,
    names: std::vec::IntoIter<String>,
}

enum From {
    Folder(PathBuf),
    #[cfg(feature = "cloud")]
    Objects(Store),
}

impl Files {
    /// A file, or all files below a folder whose names end with `.parquet`; names that begin with `_` or `.` do not count, as
    /// everywhere in this trade.
    pub(crate) fn list(aim: &Aim) -> Result<Files, TableError> {
        let files = match aim {
            Aim::Path(path) => {
                let failed = || TableError::io(path.display().to_string());
                if fs::metadata(path).map_err(failed())?.is_file() {
                    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
                    return Ok(Files { from: From::Folder(folder), names: vec![name].into_iter() });
                }
                let mut names = names_below(path).map_err(failed())?;
                names.sort_unstable();
                Files { from: From::Folder(path.clone()), names: names.into_iter() }
            }
            #[cfg(feature = "cloud")]
            Aim::Objects(url) => {
                let store = Store::open(url)?;
                let mut names = store.names()?;
                // The URL of an object itself has nothing below it but has a name.
                names.retain(|name| is_data(name));
                if names.len() > MOST_FILES {
                    return Err(TableError::file(url, too_many()));
                }
                names.sort_unstable();
                Files { from: From::Objects(store), names: names.into_iter() }
            }
            #[cfg(not(feature = "cloud"))]
            Aim::Objects(url) => return Err(TableError::NoObjects(url.clone())),
        };
        if files.names.as_slice().is_empty() {
            return Err(TableError::Nothing(aim.to_string()));
        }
        Ok(files)
    }

    /// The files of a table of a whole export, as its manifest lists them.
    pub(crate) fn of_table(aim: &Aim, table: &str) -> Result<(Files, u64), TableError> {
        let (from, manifest) = match aim {
            Aim::Path(path) => {
                if !path.join(SUCCESS).is_file() {
                    return Err(TableError::NotWhole(aim.to_string()));
                }
                let place = path.join(MANIFEST);
                let failed = || TableError::io(place.display().to_string());
                let mut text = String::new();
                let file = File::open(&place).map_err(failed())?;
                io::Read::read_to_string(&mut io::Read::take(file, MOST_MANIFEST), &mut text).map_err(failed())?;
                (From::Folder(path.clone()), text)
            }
            #[cfg(feature = "cloud")]
            Aim::Objects(url) => {
                let store = Store::open(url)?;
                if !store.has(SUCCESS)? {
                    return Err(TableError::NotWhole(aim.to_string()));
                }
                let mut text = String::new();
                let read =
                    io::Read::read_to_string(&mut io::Read::take(store.bring(MANIFEST)?, MOST_MANIFEST), &mut text);
                read.map_err(TableError::io(url.clone()))?;
                (From::Objects(store), text)
            }
            #[cfg(not(feature = "cloud"))]
            Aim::Objects(url) => return Err(TableError::NoObjects(url.clone())),
        };
        let manifest: Manifest =
            serde_json::from_str(&manifest).map_err(|error| TableError::file(MANIFEST, error.to_string()))?;
        let facts = manifest.tables.into_iter().find(|known| known.name == table);
        let facts = facts.ok_or_else(|| TableError::file(MANIFEST, format!("there is no table {table}")))?;
        let names: Vec<String> = facts.files.into_iter().map(|file| file.name).collect();
        // A manifest of somebody else could lead anywhere.
        if let Some(name) = names.iter().find(|name| !crate::tables::manifest::is_ours(name)) {
            return Err(TableError::file(MANIFEST, format!("it names {name}, which is no file of an export")));
        }
        Ok((Files { from, names: names.into_iter() }, facts.rows))
    }

    /// The next file and its name.
    pub(crate) fn next(&mut self) -> Result<Option<(String, File)>, TableError> {
        let Some(name) = self.names.next() else { return Ok(None) };
        match &self.from {
            From::Folder(folder) => {
                let path = folder.join(&name);
                let shown = path.display().to_string();
                let file = File::open(path).map_err(TableError::io(shown.clone()))?;
                Ok(Some((shown, file)))
            }
            #[cfg(feature = "cloud")]
            From::Objects(store) => {
                let file = store.bring(&name)?;
                Ok(Some((name, file)))
            }
        }
    }
}

fn is_data(name: &str) -> bool {
    name.ends_with(".parquet") && !name.split('/').any(|step| step.starts_with(['_', '.']))
}

fn too_many() -> String {
    format!("it holds more than {MOST_FILES} files")
}

/// The names of data files below a folder, from its top. Links to folders are not followed: they could run in circles.
fn names_below(top: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    let mut folders = vec![(top.to_owned(), String::new())];
    while let Some((folder, before)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = format!("{before}{name}");
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), format!("{name}/")));
            } else if is_data(&name) {
                names.push(name);
            }
            if names.len() + folders.len() > MOST_FILES {
                return Err(io::Error::other(too_many()));
            }
        }
    }
    Ok(names)
}
