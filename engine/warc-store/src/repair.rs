//! What a killed process left: whole records stay, a torn one is cut off, the file is finished.
//!
//! A file that is being written is locked by its writer, and the system lets go of the lock when the process dies. So whoever can
//! lock it may fix it.

use std::fs::{self, OpenOptions};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use groma_archive::cdxj::{Entry, REVISIT};
use groma_archive::{Bounds, Reader, Record, http};

use crate::warc_file::{OPEN, close};
use crate::{WarcStoreError, is_warc, names};

/// What is looked at of a record: its head, and the head of the answer in it.
pub(crate) const HEAD: u64 = 256 << 10;
/// Our own records are no longer than what may come over the wire, and that is for the user to say.
pub(crate) const ANY: u64 = u64::MAX;

/// Finishes what others left unfinished in a folder. Gives how many files were repaired.
pub fn repair(dir: &Path) -> Result<u64, WarcStoreError> {
    let left = names(dir, |name| name.strip_suffix(OPEN).is_some_and(is_warc)).map_err(WarcStoreError::at_path(dir))?;
    let mut repaired = 0;
    for open in left {
        let path = dir.join(&open);
        let refused = WarcStoreError::at_path(&path);
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            // Somebody else has just finished it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            other => other.map_err(&refused)?,
        };
        if file.try_lock().is_err() {
            continue;
        }
        let name = open.strip_suffix(OPEN).unwrap_or(&open);
        let (entries, whole) = entries_of(&path, name).map_err(&refused)?;
        if entries.is_empty() {
            fs::remove_file(&path).map_err(&refused)?;
            continue;
        }
        file.set_len(whole).map_err(&refused)?;
        file.sync_all().map_err(&refused)?;
        close(dir, name, &entries).map_err(&refused)?;
        repaired += 1;
    }
    Ok(repaired)
}

/// The answers in a file of records up to the first that is not whole, and where that is.
pub(crate) fn entries_of(path: &Path, name: &str) -> io::Result<(Vec<Entry>, u64)> {
    let bounds = Bounds { head: HEAD, block: ANY, keep: HEAD };
    let mut reader = Reader::new(fs::File::open(path)?, bounds);
    let (mut entries, mut whole) = (Vec::new(), 0);
    reader.each(&mut |found| match found {
        Ok(record) if !record.short => {
            let Some(length) = record.length else { return ControlFlow::Break(()) };
            whole = record.offset + length;
            entries.extend(entry(&record, name, length));
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Break(()),
    })?;
    Ok((entries, whole))
}

/// How an index tells of a record, if it is one that can be replayed.
pub(crate) fn entry(record: &Record, file: &str, length: u64) -> Option<Entry> {
    let (url, at) = (record.url()?.to_owned(), record.at()?);
    let digest = record.fields.get("WARC-Payload-Digest").unwrap_or_default().to_owned();
    let (mime, status) = match record.kind() {
        "response" | "revisit" => {
            let answer = http::answer(&record.block);
            let mime = match record.kind() {
                "revisit" => REVISIT.to_owned(),
                _ => media_type(answer.header("content-type").unwrap_or_default()),
            };
            (mime, answer.status)
        }
        "resource" => (media_type(record.fields.get("Content-Type").unwrap_or_default()), 200),
        _ => return None,
    };
    Some(Entry { url, at, mime, status, digest, length, offset: record.offset, file: file.to_owned() })
}

/// Without parameters, in lower case; what an index says where nothing is known.
pub(crate) fn media_type(field: &str) -> String {
    let bare = field.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if bare.is_empty() { "unk".to_owned() } else { bare }
}
