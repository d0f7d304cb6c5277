//! Is an archive what was written? Every record is read whole, and the index compared with what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;

use groma_archive::cdxj::Entry;
use groma_archive::{Bounds, Reader};

use crate::library::INDEX;
use crate::merge::singles;
use crate::repair::{ANY, HEAD, entry};
use crate::warc_file::OPEN;
use crate::{WarcStoreError, Wrong, is_warc, names};

/// What was found in a folder.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// WARC files.
    pub files: u64,
    pub records: u64,
    /// Records that cannot be read, or are not what their digest says.
    pub wrong: Vec<Wrong>,
    /// Lines of the index that are of no record in the files that are there.
    pub strange: u64,
    /// Files that the index knows and that are gone or empty, and how many records it knows in each.
    pub lost: BTreeMap<String, u64>,
    /// Records that can be replayed and are not in the index.
    pub missing: u64,
}

/// Reads all finished files of a folder. Cost: all of them are unpacked; memory: a line of the index for each record.
///
/// While somebody writes to the folder the index is not compared: it is behind.
pub fn check(dir: &Path) -> Result<Checked, WarcStoreError> {
    let refused = WarcStoreError::at_path(dir);
    let busy = !names(dir, |name| name.ends_with(OPEN)).map_err(&refused)?.is_empty();
    let mut done = Checked::default();
    let mut lines = BTreeSet::new();
    let mut there = BTreeSet::new();
    for name in names(dir, is_warc).map_err(&refused)? {
        let path = dir.join(&name);
        done.files += 1;
        let before = (done.records, done.wrong.len());
        records(&path, &name, &mut done, &mut lines).map_err(WarcStoreError::at_path(&path))?;
        if (done.records, done.wrong.len()) != before {
            there.insert(name);
        }
    }
    if busy {
        return Ok(done);
    }
    let mut indexes: Vec<String> = singles(dir).map_err(&refused)?;
    if dir.join(INDEX).exists() {
        indexes.push(INDEX.to_owned());
    }
    let mut seen = BTreeSet::new();
    for name in indexes {
        let path = dir.join(name);
        each_line(&path, &mut |line| {
            // After a kill a line may stand in two indexes.
            if !lines.contains(&line) {
                let entry = std::str::from_utf8(&line).ok().and_then(Entry::read);
                match entry.map(|entry| entry.file).filter(|file| !there.contains(file)) {
                    Some(file) => *done.lost.entry(file).or_default() += u64::from(!seen.contains(&line)),
                    None => done.strange += 1,
                }
            }
            seen.insert(line);
        })
        .map_err(WarcStoreError::at_path(&path))?;
    }
    done.missing = lines.difference(&seen).count() as u64;
    Ok(done)
}

fn records(path: &Path, name: &str, done: &mut Checked, lines: &mut BTreeSet<Vec<u8>>) -> io::Result<()> {
    let mut reader = Reader::new(File::open(path)?, Bounds { head: HEAD, block: ANY, keep: HEAD });
    let mut end = 0;
    reader.each(&mut |found| {
        let wrong = match found {
            Ok(record) => {
                done.records += 1;
                end = record.offset + record.length.unwrap_or_default();
                if let Some(entry) = record.length.and_then(|length| entry(&record, name, length)) {
                    lines.insert(entry.line().into_bytes());
                }
                match (record.short, record.wrong_digest) {
                    (true, _) => Some((record.offset, "a record breaks off")),
                    (_, true) => Some((record.offset, "a record is not what its digest says")),
                    _ => None,
                }
            }
            Err(finding) => Some((finding.offset, finding.what)),
        };
        if let Some((offset, what)) = wrong {
            done.wrong.push(Wrong { file: name.to_owned(), offset, what: what.to_owned() });
        }
        ControlFlow::Continue(())
    })?;
    // Whole records to the end: one whose beginning cannot be recognized any more would only be missing.
    if end > 0 && end < fs::metadata(path)?.len() && done.wrong.is_empty() {
        done.wrong.push(Wrong { file: name.to_owned(), offset: end, what: "no record begins here".to_owned() });
    }
    Ok(())
}

fn each_line(path: &Path, call: &mut dyn FnMut(Vec<u8>)) -> io::Result<()> {
    let mut lines = BufReader::new(File::open(path)?);
    loop {
        let mut line = Vec::new();
        if lines.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.ends_with(b"\n") {
            line.pop();
        }
        call(line);
    }
}
