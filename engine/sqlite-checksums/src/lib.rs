//! SQLite files with a checksum in every page, so that a changed bit is an error instead of another answer.
//!
//! SQLite trusts its file: a bit that flips in a title or a number is read as another title or number, and its own checks look at the
//! structure only. Here a file layer (`layer`) stands between SQLite and the system: eight bytes at the end of every page, which
//! SQLite leaves alone ("reserved bytes"), hold the XXH3-64 of the rest of the page, with its offset as seed, so a page in the wrong
//! place is noticed too. They are written with the page and compared whenever a page is read; a page that differs is
//! `SQLITE_IOERR_DATA` ([`is_mismatch`]). Cost: one hash of 4 KiB per page read or written (0.2 µs), beside a system call each time.
//!
//! The write-ahead log has checksums of its own, but SQLite takes the first wrong one for the end of the log and goes on without
//! whatever was committed behind it. [`log`] looks at the log in the moment in which SQLite recovers it and leaves a note
//! ([`note_of`]) if commits were lost.
//!
//! A kill cannot leave a wrong checksum: pages get into the file from the log, and the log stays until they are there.
//!
//! Not guaranteed: files made without reserved bytes (by other programs, or before there were checksums) are read and written
//! as they are ([`protection`] tells). Other programs may read these files; if they write to them, their pages look damaged.
//!
//! ```
//! let folder = std::env::temp_dir().join(format!("groma-sums-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let file = folder.join("a.db");
//! let db = groma_sqlite_checksums::open(&file, groma_sqlite_checksums::writing())?;
//! db.execute_batch("CREATE TABLE t (x); INSERT INTO t VALUES (1)")?;
//! drop(db);
//! assert_eq!(groma_sqlite_checksums::protection(&file), Some(groma_sqlite_checksums::Protection::Sums));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod fix;
mod layer;
pub mod log;
mod page;
#[cfg(test)]
mod tests;

use std::ffi::{OsString, c_int};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, ffi};

pub use page::SUM;

/// How the pages of a file are protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Every page has its checksum.
    Sums,
    /// No page has a checksum.
    Nothing,
    /// The header says something that none of our files says.
    Odd(u8),
}

/// Opens a database through the layer. A new file gets room for checksums in its pages.
pub fn open(path: impl AsRef<Path>, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let db = Connection::open_with_flags_and_vfs(path, flags, layer::register()?)?;
    let mut room = SUM as c_int;
    // SAFETY: the handle is that of an open connection; the operation reads and writes one `int`. Where the file has pages already it
    // only says what a VACUUM should do.
    unsafe {
        let room = (&raw mut room).cast();
        ffi::sqlite3_file_control(db.handle(), c"main".as_ptr(), ffi::SQLITE_FCNTL_RESERVE_BYTES, room);
    }
    Ok(db)
}

/// The flags with which [`Connection::open`] opens: for reading and writing, and made if there is none.
pub fn writing() -> OpenFlags {
    OpenFlags::default()
}

/// Is this what a page with a wrong checksum is reported as?
pub fn is_mismatch(error: &rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::SqliteFailure(e, _) if e.extended_code == ffi::SQLITE_IOERR_DATA)
}

/// What the header of the file at this path says; nothing if there is no whole header.
pub fn protection(path: &Path) -> Option<Protection> {
    let mut header = [0; 100];
    File::open(path).ok()?.read_exact(&mut header).ok()?;
    Some(match header[page::RESERVED] {
        0 => Protection::Nothing,
        room if usize::from(room) == SUM => Protection::Sums,
        room => Protection::Odd(room),
    })
}

/// Where it is noted that commits of the database at this path were lost.
pub fn note_of(database: &Path) -> PathBuf {
    beside(database, "-lost")
}

/// A file that is called like another, with something behind.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}
