//! The engine's own files of a generation, and what its errors mean to people.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

use crate::SearchError;
use crate::key::Key;
use crate::schema::{WORDS, schema};
use crate::summed::Summed;
use crate::text::{Tally, Words};

/// Bytes of an index whose checksums are compared whenever it is opened: some hundredths of a second. Of larger ones `groma verify`
/// compares them.
const COMPARED: u64 = 64 << 20;

/// Opens the index of a generation. `create`: make it if there is none.
pub(crate) fn open(generation: &Path, tally: &Arc<Tally>, create: bool) -> Result<tantivy::Index, SearchError> {
    let directory = Summed::open(generation.join("text")).map_err(TantivyError::from)?;
    match directory.changed() {
        Ok(files) if files.is_empty() => {}
        Ok(files) => return Err(SearchError::Unusable(format!("{} is gone or another file", files[0]))),
        // There is nothing yet.
        Err(OpenReadError::FileDoesNotExist(_)) => {}
        Err(error) => return Err(TantivyError::from(error).into()),
    }
    let index = match create {
        true => tantivy::Index::open_or_create(directory, schema().0)?,
        false => tantivy::Index::open(directory)?,
    };
    if index.schema() != schema().0 {
        return Err(SearchError::Unusable("another version of groma made it".into()));
    }
    if length(&generation.join("text"))? <= COMPARED
        && let Some(file) = broken(&index)?.first()
    {
        return Err(SearchError::Unusable(format!("{file} has the wrong checksum")));
    }
    index.tokenizers().register(WORDS, Words::counting(tally.clone()));
    Ok(index)
}

/// The files of segments that are not what was written.
pub(crate) fn broken(index: &tantivy::Index) -> Result<Vec<String>, SearchError> {
    let mut names: Vec<String> = index.validate_checksum()?.iter().map(|path| path.display().to_string()).collect();
    names.sort_unstable();
    Ok(names)
}

/// Bytes of the files in a folder.
fn length(folder: &Path) -> io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        // Somebody who tidies up may have removed it.
        sum += entry?.metadata().map_or(0, |meta| meta.len());
    }
    Ok(sum)
}

/// Calls back with the key and the digest of every document in the index.
pub(crate) fn each_document(index: &tantivy::Index, call: &mut dyn FnMut(Key, u64)) -> Result<(), SearchError> {
    let reader = index.reader_builder().reload_policy(tantivy::ReloadPolicy::Manual).try_into()?;
    for segment in reader.searcher().segment_readers() {
        let columns = segment.fast_fields();
        let (pages, digests) = (columns.u64("page")?, columns.u64("digest")?);
        for document in segment.doc_ids_alive() {
            if let (Some(page), Some(digest)) = (pages.first(document), digests.first(document)) {
                call(Key::from_number(page), digest);
            }
        }
    }
    Ok(())
}

impl From<TantivyError> for SearchError {
    fn from(error: TantivyError) -> SearchError {
        let of_io = |error: &io::Error, words: String| match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => SearchError::Unusable(words),
            kind => SearchError::from(io::Error::new(kind, words)),
        };
        match &error {
            TantivyError::LockFailure(LockError::LockBusy, _) => SearchError::Busy,
            TantivyError::LockFailure(LockError::IoError(inner), _) => of_io(inner, error.to_string()),
            TantivyError::IoError(inner) => of_io(inner, error.to_string()),
            TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error, .. })
            | TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. })
            | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, .. }) => {
                of_io(io_error, error.to_string())
            }
            other => {
                let words = other.to_string();
                SearchError::of_want(&words).unwrap_or(SearchError::Unusable(words))
            }
        }
    }
}
