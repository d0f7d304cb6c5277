//! Where do archives lie? In a folder of WARC files that a crawl writes, with one index beside them.
//!
//! ```text
//! DIR/groma-20261116120000-00001-host-4711-9f3a61c2.warc.gz    finished: synced, then renamed
//! DIR/....warc.gz.open                                         being written, locked by whoever writes it
//! DIR/....warc.gz.cdxj                                         the index of one file, until the end of the run
//! DIR/index.cdxj                                               the index of all others
//! ```
//!
//! - [`WarcStore`] is what a crawl writes to. It is a [`Recorder`](groma_fetch::Recorder): an answer is handed on only after its records
//!   have been given to the system, so whatever is in the survey is in the archive, also after kill -9. Files are synced every few
//!   seconds and before they are renamed: a power cut can cost the records of the last seconds.
//! - [`repair`] finishes what a killed process left: whole records stay, a torn one is cut off.
//! - [`Library`] finds records again; [`pack`] makes a WACZ of them.
//! - [`Archive`] answers fetches from archives, so that a survey can be made without a network.
//!
//! ```
//! use groma_warc_store::{Library, rebuild};
//!
//! let folder = std::env::temp_dir().join(format!("groma-warc-store-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! assert_eq!(rebuild(&folder)?, 0, "no records, so an empty index");
//! assert!(Library::open(&folder)?.find("http://a.example/")?.is_empty());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod check;
mod find;
mod library;
mod merge;
mod repair;
mod source;
mod survey;
mod wacz;
mod warc_file;
mod warc_store;

use std::io;
use std::path::{Path, PathBuf};

pub use answers::Archive;
pub use check::{Checked, check};
pub use find::Copy;
pub use library::Library;
pub use merge::rebuild;
pub use repair::repair;
pub use survey::{Told, Wrong};
pub use wacz::{Packed, Page, pack};
pub use warc_store::{Plan, WarcStore};

/// Something about a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct WarcStoreError {
    /// The file or folder.
    pub path: PathBuf,
    /// The cause.
    pub source: io::Error,
}

impl WarcStoreError {
    fn at_path(path: &Path) -> impl Fn(io::Error) -> WarcStoreError + '_ {
        |source| WarcStoreError { path: path.to_path_buf(), source }
    }
}

/// Is this the name of a file of records?
fn is_warc(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".warc", ".warc.gz", ".warc.zst"].iter().any(|ending| name.ends_with(ending))
}

/// The names in a folder that are wanted, in order.
fn names(dir: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if wanted(&name) {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// What was renamed in a folder stays renamed.
fn sync_folder(dir: &Path) -> io::Result<()> {
    std::fs::File::open(dir)?.sync_all()
}
