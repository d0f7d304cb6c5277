//! The engine's folder, with checksums for its lists.
//!
//! Files of segments have checksums of their own. The lists that say which segments there are (`meta.json`, `.managed.json`) have none:
//! they get a last line with one, written in the same rename as the rest.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr};
use xxhash_rust::xxh3::xxh3_64;

/// What the last line begins with.
const SUM: &str = "\nxxh3 ";
/// Letters of the checksum.
const DIGITS: usize = 16;

/// A folder of the engine.
#[derive(Clone, Debug)]
pub(crate) struct Summed(pub(crate) MmapDirectory);

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

impl Directory for Summed {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        without_line(self.0.atomic_read(path)?).ok_or_else(|| {
            let error = io::Error::new(io::ErrorKind::InvalidData, "the file has the wrong checksum");
            OpenReadError::wrap_io_error(error, path.to_path_buf())
        })
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let last = line(data);
        self.0.atomic_write(path, &[data, last.as_bytes()].concat())
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.0.acquire_lock(lock)
    }

    fn watch(&self, watch_callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(watch_callback)
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
}
