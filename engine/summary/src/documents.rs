//! Which documents may be asked for? Those in the folder, by id: the list is made from the folder, and an id is looked up in
//! it. No path is ever made from what a request says.
//!
//! An id is the name of a file without its ending. Names that begin with a dot, names with other signs than letters, digits,
//! `.`, `_`, `-`, things that are no files, links that lead out of the folder, and two files with one id are passed over with a
//! complaint. Ids are compared octet by octet, also where the file system does not.
//!
//! Cost: a listing per request, within [`Limits::documents`](crate::Limits). Whoever can write into the folder is trusted.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use groma_gather::{DbContent, dbcontent};
use sha2::{Digest, Sha256};

use crate::error::SummaryError;

/// Octets of an id.
const LONGEST: usize = 100;

/// The folder of documents.
#[derive(Clone, Debug)]
pub struct Documents {
    folder: PathBuf,
    most: usize,
}

/// A document that can be asked for.
#[derive(Clone, Debug)]
pub struct Document {
    pub id: String,
    pub content: DbContent,
    /// The digest of its octets.
    pub digest: String,
}

/// What is in the folder.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Paths of the files by id.
    files: BTreeMap<String, PathBuf>,
    /// What was passed over, and why.
    pub complaints: Vec<String>,
}

impl Documents {
    /// The documents of this folder, at most so many.
    pub fn open(folder: &Path, most: usize) -> Result<Documents, SummaryError> {
        let refuse = |source| SummaryError::Documents { at: folder.to_owned(), source };
        let real = folder.canonicalize().map_err(refuse)?;
        if !real.is_dir() {
            return Err(refuse(io::ErrorKind::NotADirectory.into()));
        }
        Ok(Documents { folder: real, most })
    }

    /// What is there now.
    pub fn list(&self) -> Result<Listing, SummaryError> {
        let refuse = |source| SummaryError::Documents { at: self.folder.clone(), source };
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(refuse)? {
            let name = entry.map_err(refuse)?.file_name();
            if !name.to_string_lossy().starts_with('.') {
                names.push(name);
            }
        }
        names.sort();
        let mut listing = Listing::default();
        if names.len() > self.most {
            listing.complaints.push(format!("only the first {} files are looked at", self.most));
            names.truncate(self.most);
        }
        let mut twice = Vec::new();
        for name in names {
            let shown = name.to_string_lossy().into_owned();
            match self.judge(&name) {
                Ok((id, path)) => {
                    if listing.files.insert(id.clone(), path).is_some() {
                        listing
                            .complaints
                            .push(format!("{shown}: another file has the id {id} too; neither is served"));
                        twice.push(id);
                    }
                }
                Err(why) => listing.complaints.push(format!("{shown:?}: {why}")),
            }
        }
        for id in twice {
            listing.files.remove(&id);
        }
        Ok(listing)
    }

    /// The id of a file, and the file it really is.
    fn judge(&self, name: &std::ffi::OsStr) -> Result<(String, PathBuf), &'static str> {
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).ok_or("its name is no text")?;
        if !is_id(stem) {
            return Err("an id has only letters, digits, dots, `_` and `-`");
        }
        let real = self.folder.join(name).canonicalize().map_err(|_| "it cannot be read")?;
        if !real.starts_with(&self.folder) {
            return Err("it leads out of the folder");
        }
        // Whatever is no file (a pipe, a device) could keep us waiting.
        let is_file = fs::metadata(&real).map_err(|_| "it cannot be read")?.is_file();
        if is_file { Ok((stem.to_owned(), real)) } else { Err("it is no file") }
    }

    /// The document with this id.
    pub fn document(&self, id: &str) -> Result<Document, SummaryError> {
        self.list()?.document(id)
    }
}

impl Listing {
    /// The ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The document with this id.
    pub fn document(&self, id: &str) -> Result<Document, SummaryError> {
        let path = self.files.get(id).ok_or(SummaryError::NoSuchId)?;
        let refuse = |error: io::Error| SummaryError::Document { id: id.to_owned(), what: error.to_string() };
        let mut octets = Vec::new();
        let file = fs::File::open(path).map_err(refuse)?;
        file.take(dbcontent::BYTES as u64 + 1).read_to_end(&mut octets).map_err(refuse)?;
        let digest = HEXLOWER.encode(&Sha256::digest(&octets));
        Ok(Document { id: id.to_owned(), content: DbContent::read(&octets, None), digest })
    }
}

fn is_id(text: &str) -> bool {
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    !text.is_empty() && text.len() <= LONGEST && !text.starts_with('.') && text.bytes().all(sign)
}
