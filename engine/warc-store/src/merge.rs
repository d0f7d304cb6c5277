//! One sorted index out of many: the indexes of single files are merged into the index of the folder, line by line, and then removed.
//!
//! Memory: a line of each. A kill on the way leaves lines twice, which the next merge drops.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use groma_archive::cdxj::Entry;

use crate::library::INDEX;
use crate::repair::entries_of;
use crate::{WarcStoreError, is_warc, names, sync_folder};

/// Files merged at once: more would make open files scarce.
const AT_ONCE: usize = 200;

/// Merges the indexes of single files into that of the folder. Whoever comes while somebody else does so waits.
pub(crate) fn merge(dir: &Path) -> Result<(), WarcStoreError> {
    let refused = WarcStoreError::at_path(dir);
    let lock = File::create(dir.join("index.lock")).map_err(&refused)?;
    lock.lock().map_err(&refused)?;
    loop {
        let single = singles(dir).map_err(&refused)?;
        match single.as_slice() {
            [] => return Ok(()),
            // The first of all is the whole index.
            [only] if !dir.join(INDEX).exists() => {
                fs::rename(dir.join(only), dir.join(INDEX)).map_err(&refused)?;
                return sync_folder(dir).map_err(&refused);
            }
            _ => {}
        }
        // Fewer where the system gives few files, but always some.
        let most = groma_fetch::files_allowed().map_or(AT_ONCE as u64, |files| (files / 4).clamp(2, AT_ONCE as u64));
        let batch: Vec<PathBuf> = single.iter().take(most as usize).map(|name| dir.join(name)).collect();
        merge_into(dir, &batch).map_err(&refused)?;
        for path in &batch {
            fs::remove_file(path).map_err(WarcStoreError::at_path(path))?;
        }
    }
}

/// The indexes of single files.
pub(crate) fn singles(dir: &Path) -> io::Result<Vec<String>> {
    names(dir, |name| name.strip_suffix(".cdxj").is_some_and(is_warc))
}

fn merge_into(dir: &Path, more: &[PathBuf]) -> io::Result<()> {
    let index = dir.join(INDEX);
    let mut heap = BinaryHeap::new();
    let mut readers = Vec::new();
    for path in std::iter::once(&index).chain(more) {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && *path == index => continue,
            other => other?,
        };
        let mut lines = BufReader::new(file).lines();
        if let Some(line) = lines.next() {
            heap.push(Reverse((line?, readers.len())));
        }
        readers.push(lines);
    }
    let mut before = String::new();
    let sorted = std::iter::from_fn(|| {
        loop {
            let Reverse((line, from)) = heap.pop()?;
            match readers[from].next() {
                Some(Ok(next)) => heap.push(Reverse((next, from))),
                Some(Err(error)) => return Some(Err(error)),
                None => {}
            }
            if line != before {
                before.clone_from(&line);
                return Some(Ok(line));
            }
        }
    });
    write_lines(&index, sorted)?;
    sync_folder(dir)
}

/// Writes a file of lines that is there whole or not at all.
pub(crate) fn write_lines(path: &Path, lines: impl Iterator<Item = io::Result<String>>) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut out = BufWriter::new(File::create(&new)?);
    for line in lines {
        out.write_all(line?.as_bytes())?;
        out.write_all(b"\n")?;
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(new, path)
}

/// Makes the index of a folder anew from its files.
pub fn rebuild(dir: &Path) -> Result<u64, WarcStoreError> {
    let refused = WarcStoreError::at_path(dir);
    let files = names(dir, is_warc).map_err(&refused)?;
    let mut count = 0;
    for name in &files {
        let path = dir.join(name);
        let (entries, _) = entries_of(&path, name).map_err(WarcStoreError::at_path(&path))?;
        count += entries.len() as u64;
        let mut lines: Vec<String> = entries.iter().map(Entry::line).collect();
        lines.sort_unstable();
        write_lines(&dir.join(format!("{name}.cdxj")), lines.into_iter().map(Ok))
            .map_err(WarcStoreError::at_path(&path))?;
    }
    let index = dir.join(INDEX);
    match fs::remove_file(&index) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(WarcStoreError { path: index, source: error });
        }
        _ => {}
    }
    merge(dir)?;
    Ok(count)
}
