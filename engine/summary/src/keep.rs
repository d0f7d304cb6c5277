//! What was answered last, and is it still so? Objects lie in the cache folder, with a note beside each.
//!
//! A note names the file of its object by the digest of the content, so a note and a file that belong to different readings
//! are never taken together, also when several processes share the folder (CGI). Both are put in place by renaming.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::object::{Written, now};
use crate::spool::Scratch;

/// What is known of an object that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The id of the document.
    pub(crate) id: String,
    /// What the answer depends on besides the rows: document, database, limits.
    pub(crate) of: String,
    /// The digest of the content.
    pub(crate) digest: String,
    /// Octets of the object.
    pub(crate) octets: u64,
    /// When the content was first seen as it is, in seconds since 1970.
    pub(crate) changed: u64,
    /// When the database was last known to be so.
    pub(crate) checked: u64,
    /// The sign of the state of the database that was read.
    pub(crate) sign: Option<String>,
}

impl Kept {
    /// Whether it may be given without asking the database.
    pub(crate) fn is_fresh(&self, of: &str, fresh: Duration) -> bool {
        let age = now().checked_sub(self.checked);
        // A moment that is still to come is a clock that was set.
        self.of == of && age.is_some_and(|age| age < fresh.as_secs())
    }

    /// The name of this content, for those who ask whether it is still the same.
    pub(crate) fn etag(&self) -> String {
        format!("\"{}\"", self.digest.get(..40).unwrap_or(&self.digest))
    }
}

/// The folder where answers are kept.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// Ours alone: it goes when we go.
    passing: bool,
}

impl Folder {
    /// The folder that was named, or one of our own for as long as we run.
    pub(crate) fn open(named: Option<&Path>) -> io::Result<Folder> {
        let (path, passing) = match named {
            Some(path) => (path.to_owned(), false),
            None => (std::env::temp_dir().join(format!("groma-summary-{}-{}", std::process::id(), unique())), true),
        };
        if passing || !path.is_dir() {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(!passing);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(&path)?;
        }
        Ok(Folder { path, passing })
    }

    /// Removes it if it is ours alone.
    pub(crate) fn remove_if_passing(&self) {
        if self.passing {
            let _ = fs::remove_dir_all(&self.path);
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn note(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.json"))
    }

    fn object(&self, kept: &Kept) -> PathBuf {
        self.path.join(format!("{}.{}.soif", kept.id, kept.etag().trim_matches('"')))
    }

    /// What was kept for this id, by us or by another process.
    pub(crate) fn load(&self, id: &str) -> Option<Kept> {
        let note = fs::read(self.note(id)).ok()?;
        let kept: Kept = serde_json::from_slice(&note).ok()?;
        // Where the file system knows no case, another id may have been here. A digest is part of a name: only digits.
        let sound = kept.id == id && kept.digest.len() == 64 && kept.digest.bytes().all(|b| b.is_ascii_hexdigit());
        let file = fs::metadata(self.object(&kept)).ok()?;
        (sound && file.len() == kept.octets).then_some(kept)
    }

    /// Keeps an object in place of the one before.
    pub(crate) fn store(&self, kept: &Kept, written: Written) -> io::Result<()> {
        let before = self.load(&kept.id);
        written.file.keep(&self.object(kept))?;
        self.note_down(kept)?;
        match before {
            Some(before) if before.digest != kept.digest => fs::remove_file(self.object(&before)).or(Ok(())),
            _ => Ok(()),
        }
    }

    /// Writes the note alone: the object is the same.
    pub(crate) fn note_down(&self, kept: &Kept) -> io::Result<()> {
        let (scratch, mut file) = Scratch::create(&self.path)?;
        serde_json::to_writer(&mut file, kept)?;
        scratch.keep(&self.note(&kept.id))
    }

    /// The object, to be read.
    pub(crate) fn file(&self, kept: &Kept) -> io::Result<fs::File> {
        let file = fs::File::open(self.object(kept))?;
        if file.metadata()?.len() == kept.octets { Ok(file) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.remove_if_passing();
    }
}

/// A number that no other folder of this process has, and that is not easily guessed.
fn unique() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
