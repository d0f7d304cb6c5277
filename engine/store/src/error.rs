//! What can go wrong with a store, for people: each error has a next step.

use std::path::PathBuf;

/// What can go wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no survey where one was expected.
    #[error("there is no survey at {0}")]
    Missing(PathBuf),
    /// Something else is there.
    #[error("{0} exists but is not a survey")]
    NotASurvey(PathBuf),
    /// Another process is writing.
    #[error("another groma is writing to {0}")]
    Busy(PathBuf),
    /// The survey was written by another version.
    #[error("{path} has store format {found}, this program reads {expected}")]
    Version {
        /// The file or folder.
        path: PathBuf,
        /// The format that the file says it has.
        found: i64,
        /// The format read here.
        expected: i64,
    },
    /// A file beside the surveys is not what its name says.
    #[error("{path}: {what}")]
    Foreign {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A file beside the survey is damaged.
    #[error("{} is damaged: {what}", path.display())]
    DamagedFile {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The disk is full.
    #[error("the disk is full; everything up to the last page is saved")]
    DiskFull,
    /// The disk of something that belongs to the survey but lies elsewhere, such as its archive, is full.
    #[error("{}: the disk is full; everything up to the last page is saved", .0.display())]
    NoRoom(PathBuf),
    /// The disk or folder cannot be written.
    #[error("{0} cannot be written")]
    ReadOnly(PathBuf),
    /// A file operation failed.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// As the system reported it.
        source: std::io::Error,
    },
    /// The store contradicts itself.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// An address of a server that cannot be one.
    #[error("this is no address of a database server: {0}")]
    Address(String),
    /// A survey on a server cannot have this name.
    #[error("a survey cannot be called {name:?}: {why}")]
    Name {
        /// As it was typed, cut off where it is long.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// The server cannot be reached, or was lost and did not come back.
    #[error("{server} cannot be reached: {why}")]
    Unreachable {
        /// Which, without its password.
        server: String,
        /// In words, for people.
        why: String,
    },
    /// The server does not let us in, or not do this.
    #[error("{server} refuses: {why}")]
    Denied {
        /// Which, without its password.
        server: String,
        /// In words, for people.
        why: String,
    },
    /// Another process writes to the survey in our place.
    #[error("another groma has taken over writing to {0}; nothing of ours was mixed with its pages")]
    TakenOver(PathBuf),
    /// Something is where a copy should go.
    #[error("there is something at {0} already; nothing was copied")]
    Occupied(PathBuf),
    /// A copy is not what was copied.
    #[error("the copy was given up: table {table} is not the same on both sides ({what})")]
    Differs {
        /// The table whose rows differ.
        table: String,
        /// What is not the same.
        what: String,
    },
    /// Anything else a server says.
    #[error("the database server says: {0}")]
    Server(String),
    /// Anything else the database says.
    #[error("the database says: {0}")]
    Database(#[source] rusqlite::Error),
}

impl StoreError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            StoreError::Missing(_) => "start one with `groma crawl URL`, or name its folder with --store",
            StoreError::NotASurvey(_) => "choose another folder with --store",
            StoreError::Busy(_) => "wait until it is done, or stop it with Ctrl-C; reading commands work meanwhile",
            StoreError::Version { .. } => {
                "use the groma that wrote it, or crawl again with --fresh: surveys of other formats are not taken over"
            }
            StoreError::Foreign { .. } => {
                "use the groma that wrote it, or move it away: a new one is begun in its place"
            }
            StoreError::DiskFull | StoreError::NoRoom(_) => {
                "make room and run the same command again: it goes on where it stopped"
            }
            StoreError::ReadOnly(_) => "check the permissions of the folder, or name another with --store",
            StoreError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => {
                "make room, or write elsewhere"
            }
            StoreError::Io { .. } => "check the path and its permissions",
            StoreError::Damaged(_) => "run `groma verify --repair`: it restores what it can and names what is lost",
            StoreError::DamagedFile { .. } => {
                "run `groma verify --repair`: it restores what it can; or move it away: a new one is begun in its place"
            }
            StoreError::Address(_) => "write postgres://USER:PASSWORD@HOST:PORT/DATABASE?survey=NAME",
            StoreError::Name { .. } => "use letters, digits, `.`, `-` and `_`, at most 63 of them",
            StoreError::Unreachable { .. } => {
                "check that the server runs and the URL is right; the same command goes on where it stopped"
            }
            StoreError::Denied { .. } => {
                "check user, password, database and rights; the user must be allowed to make schemas"
            }
            StoreError::TakenOver(_) => {
                "let the other one go on; the same command goes on where it stopped when it has ended"
            }
            StoreError::Occupied(_) => "choose another folder, or another name with ?survey=NAME",
            StoreError::Differs { .. } => {
                "check the disks and the memory of both machines, then run the same command again; the source is as it was"
            }
            StoreError::Server(_) => "look into the log of the server, then run the same command again",
            StoreError::Database(_) => "run `groma verify`; if it stays, start over with --fresh",
        }
    }
}

impl StoreError {
    /// Is something stored that cannot be what was written?
    pub fn is_damage(&self) -> bool {
        matches!(self, StoreError::Damaged(_) | StoreError::DamagedFile { .. })
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        let full_disk = |message: &str| message.contains("disk is full") || message.contains("No space left");
        if groma_sqlite_checksums::is_mismatch(&error) {
            return StoreError::Damaged("a page of the file has the wrong checksum".to_owned());
        }
        match &error {
            // A value that is not of the type it was written as.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => StoreError::Damaged(error.to_string()),
            rusqlite::Error::SqliteFailure(e, message) => match e.code {
                ErrorCode::DiskFull => StoreError::DiskFull,
                ErrorCode::SystemIoFailure if message.as_deref().is_some_and(full_disk) => StoreError::DiskFull,
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => StoreError::Damaged(error.to_string()),
                _ => StoreError::Database(error),
            },
            _ => StoreError::Database(error),
        }
    }
}
