//! The engine's folder, with checksums for its lists.
//!
//! Files of segments have checksums of their own, at their ends, but do not say of which segment they are. The lists that say which
//! segments there are (`meta.json`, `.managed.json`) have none: they get a last line with one, written in the same rename as the rest.
//! `meta.json` gets a line for every file of its segments too, with its length and a checksum of its end: one that is gone, or stands in
//! for another, is noticed without reading it whole.
//!
//! ```text
//! what the engine writes
//! file LENGTH XXH3 NAME      in meta.json, for each
//! xxh3 XXH3                  of all before
//! ```

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr};
use xxhash_rust::xxh3::xxh3_64;

/// What the last line begins with.
const SUM: &str = "\nxxh3 ";
/// What the line of a file begins with.
const FILE: &str = "\nfile ";
/// Letters of the checksum.
const DIGITS: usize = 16;
/// The list of segments.
const META: &str = "meta.json";
/// Bytes at the end of a file that has its checksum in them.
const END: u64 = 128;

/// A folder of the engine.
#[derive(Clone, Debug)]
pub(crate) struct Summed {
    files: MmapDirectory,
    path: PathBuf,
}

/// The last line for these bytes.
fn line(bytes: &[u8]) -> String {
    format!("{SUM}{:016x}", xxh3_64(bytes))
}

/// The bytes before the last line, if that is theirs.
fn without_line(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let end = bytes.len().checked_sub(SUM.len() + DIGITS)?;
    let (text, last) = bytes.split_at(end);
    if last != line(text).as_bytes() {
        return None;
    }
    bytes.truncate(end);
    Some(bytes)
}

/// Where the lines of files begin.
fn lines_at(text: &[u8]) -> usize {
    text.windows(FILE.len()).position(|part| part == FILE.as_bytes()).unwrap_or(text.len())
}

/// The beginnings of the names of files that belong to the segments, and how a name must end that has deletions in it.
fn segments(meta: &[u8]) -> Vec<(String, String)> {
    let meta: Value = serde_json::from_slice(meta).unwrap_or_default();
    let id = |segment: &Value| Some(format!("{}.", segment["segment_id"].as_str()?.replace('-', "")));
    let of = |segment: &Value| Some((id(segment)?, format!(".{}.del", segment["deletes"]["opstamp"])));
    meta["segments"].as_array().into_iter().flatten().filter_map(of).collect()
}

impl Summed {
    pub(crate) fn open(path: PathBuf) -> Result<Summed, OpenDirectoryError> {
        Ok(Summed { files: MmapDirectory::open(&path)?, path })
    }

    /// The line of a file, as it is now.
    fn line_of(&self, name: &str) -> io::Result<String> {
        let mut file = File::open(self.path.join(name))?;
        let length = file.metadata()?.len();
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
        file.read_to_end(&mut end)?;
        Ok(format!("{FILE}{length} {:016x} {name}", xxh3_64(&end)))
    }

    /// The lines of the files of all segments.
    fn lines(&self, meta: &[u8]) -> io::Result<String> {
        let segments = segments(meta);
        let belongs = |name: &str| {
            segments.iter().any(|(id, deletions)| {
                let ending = name.strip_prefix(id.as_str()).unwrap_or("temp");
                !ending.ends_with("temp") && (!ending.ends_with("del") || name.ends_with(deletions))
            })
        };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            names.extend(entry?.file_name().into_string().ok().filter(|name| belongs(name)));
        }
        names.sort_unstable();
        names.iter().map(|name| self.line_of(name)).collect()
    }

    /// The files of segments that are gone, or not those that were written.
    pub(crate) fn changed(&self) -> Result<Vec<String>, OpenReadError> {
        let mut text = self.list(Path::new(META))?;
        loop {
            let lines = String::from_utf8_lossy(&text[lines_at(&text)..]).into_owned();
            let name = |line: &str| line.rsplit(' ').next().unwrap_or_default().to_owned();
            let differs = |line: &&str| self.line_of(&name(line)).ok().as_deref() != Some(&format!("\n{line}"));
            let changed: Vec<String> =
                lines.lines().filter(|line| !line.is_empty()).filter(differs).map(name).collect();
            // Somebody who writes may have replaced them in this very moment.
            let now = self.list(Path::new(META))?;
            if changed.is_empty() || now == text {
                return Ok(changed);
            }
            text = now;
        }
    }

    /// A list with the lines of its files, without the last line.
    fn list(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        without_line(self.files.atomic_read(path)?).ok_or_else(|| {
            let error = io::Error::new(io::ErrorKind::InvalidData, "the file has the wrong checksum");
            OpenReadError::wrap_io_error(error, path.to_path_buf())
        })
    }
}

impl Directory for Summed {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.files.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.files.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.files.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.files.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let mut text = self.list(path)?;
        text.truncate(lines_at(&text));
        Ok(text)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let mut text = data.to_vec();
        if path == Path::new(META) {
            text.extend(self.lines(data)?.bytes());
        }
        text.extend(line(&text).bytes());
        self.files.atomic_write(path, &text)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.files.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.files.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.files.watch(watch_callback)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_flipped_bit_of_a_list_is_seen() {
        let text = b"{\"segments\":[]}".to_vec();
        let whole = [text.clone(), line(&text).into_bytes()].concat();
        assert_eq!(without_line(whole.clone()), Some(text));
        for bit in 0..whole.len() * 8 {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(without_line(damaged), None, "bit {bit}");
        }
        assert_eq!(without_line(b"{}".to_vec()), None);
    }

    #[test]
    fn files_of_segments_are_those_that_the_list_names() {
        let path = std::env::temp_dir().join(format!("groma-summed-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        for (name, text) in [("ab.idx", "one"), ("ab.7.del", "none"), ("ab.5.del", "old"), ("ab.store.temp", "")] {
            std::fs::write(path.join(name), text).unwrap();
        }
        std::fs::write(path.join("cd.idx"), "two").unwrap();
        let folder = Summed::open(path.clone()).unwrap();
        let meta = r#"{"segments":[{"segment_id":"a-b","deletes":{"opstamp":7}},{"segment_id":"c-d","deletes":null}]}"#;
        folder.atomic_write(Path::new(META), meta.as_bytes()).unwrap();
        assert_eq!(folder.atomic_read(Path::new(META)).unwrap(), meta.as_bytes());
        let list = String::from_utf8(folder.list(Path::new(META)).unwrap()).unwrap();
        assert!(["ab.idx", "ab.7.del", "cd.idx"].iter().all(|name| list.contains(name)), "{list}");
        assert!(!list.contains("ab.5.del") && !list.contains("temp"), "{list}");
        assert_eq!(folder.changed().unwrap(), [""; 0]);
        std::fs::rename(path.join("ab.idx"), path.join("x")).unwrap();
        assert_eq!(folder.changed().unwrap(), ["ab.idx"]);
        std::fs::rename(path.join("cd.idx"), path.join("ab.idx")).unwrap();
        std::fs::rename(path.join("x"), path.join("cd.idx")).unwrap();
        assert_eq!(folder.changed().unwrap(), ["ab.idx", "cd.idx"]);
        std::fs::remove_dir_all(&path).unwrap();
    }
}
