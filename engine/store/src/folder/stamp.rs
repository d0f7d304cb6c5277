//! What a survey looks like from outside, to see at small cost that it has changed.

use std::path::Path;
use std::time::SystemTime;

/// Another one after every commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// Of files: length and time of the file and of its log.
    Here {
        /// Size and time of the file.
        file: (u64, Option<SystemTime>),
        /// Size and time of its write-ahead log, if that is not empty.
        log: Option<(u64, Option<SystemTime>)>,
    },
    /// Of tables on a server: a number that changes with them.
    There(u64),
}

impl Stamp {
    /// Of a database in a file.
    pub(super) fn of_file(database: &Path) -> Option<Stamp> {
        let look = |path: &Path| std::fs::metadata(path).ok().map(|meta| (meta.len(), meta.modified().ok()));
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        // An empty log says nothing: a reader that comes and goes makes and removes it.
        Some(Stamp::Here { file: look(database)?, log: look(Path::new(&log)).filter(|(length, _)| *length > 0) })
    }
}

/// Which file stands at a place: a survey that was started over is another file at the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity(u64, u64);

impl Identity {
    /// The same for as long as the tables are on their server: a connection sees what is there.
    pub(super) const THERE: Identity = Identity(0, 0);

    pub(super) fn of_file(path: &Path) -> Option<Identity> {
        let meta = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Identity(meta.dev(), meta.ino()))
        }
        #[cfg(not(unix))]
        {
            let made = meta.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(Identity(made.as_secs(), u64::from(made.subsec_nanos())))
        }
    }
}
