//! What can go wrong with columns, for people: each error has a next step.

use std::io;

use groma_store::StoreError;
#[cfg(feature = "parquet")]
use parquet::errors::ParquetError;

/// An error of an export or of what is read back.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The survey could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file or folder could not be read or written.
    #[error("{place}: {source}")]
    Io {
        /// The path or URL.
        place: String,
        source: io::Error,
    },
    /// The place to write to holds something else.
    #[error("{0} is there already and is no export")]
    Taken(String),
    /// Another process writes to the same place.
    #[error("another export to {0} is under way")]
    Busy(String),
    /// No place has this name.
    #[error("{0} is no place to write to or read from")]
    NoPlace(String),
    /// A URL of an object store, and the program knows none.
    #[error("{0} is on an object store, and this groma was built without them")]
    NoObjects(String),
    /// The object store refused or could not be reached.
    #[error("{place}: {says}")]
    Objects {
        /// The URL.
        place: String,
        /// Message of the object store.
        says: String,
    },
    /// Parts must be between 1 and [`MOST_PARTS`](crate::MOST_PARTS).
    #[error("{0} is no number of parts")]
    Parts(u32),
    /// There is nothing to read.
    #[error("{0} holds no Parquet file")]
    Nothing(String),
    /// The folder of an export that did not come to its end.
    #[error("{0} is not a whole export: it has no _SUCCESS")]
    NotWhole(String),
    /// A file is not what was expected.
    #[error("{file}: {says}")]
    File {
        /// The path.
        file: String,
        /// What is wrong with it.
        says: String,
    },
    /// Columns could not be written.
    #[error("the columns cannot be written: {0}")]
    Write(String),
    /// It was asked to stop.
    #[error("interrupted; nothing was written")]
    Stopped,
}

impl TableError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            TableError::Store(error) => error.hint(),
            TableError::Io { .. } => "check the path, its permissions and the space that is left",
            TableError::Taken(_) => "name a new or empty place, or that of an earlier export, which is replaced",
            TableError::Busy(_) => "wait until it is done, or name another place",
            TableError::NoPlace(_) => {
                "a path on this machine, or a URL of an object store: s3://BUCKET/PATH, gs://..., az://..."
            }
            TableError::NoObjects(_) => {
                "export to a path on this machine and copy it, or build with `cargo build --release --features cloud`"
            }
            TableError::Objects { .. } => {
                "check the bucket, the network and the environment (AWS_..., GOOGLE_..., AZURE_...)"
            }
            TableError::Parts(_) => "a number from 1 to 256; 16 is usual",
            TableError::Nothing(_) => "name a .parquet file, or a folder that holds some",
            TableError::NotWhole(_) => "run `groma export parquet` again: it starts over",
            TableError::File { .. } => {
                "write it again with Spark, DuckDB or pandas: a column of numbers and one of values"
            }
            TableError::Write(_) => "tell us: this is a mistake of groma",
            TableError::Stopped => "run the same command again: it starts over",
        }
    }

    /// A file operation failed there.
    pub(crate) fn io(place: impl Into<String>) -> impl FnOnce(io::Error) -> TableError {
        move |source| TableError::Io { place: place.into(), source }
    }

    /// Something could not be written there; a place of ours may have said so itself.
    pub(crate) fn put(place: &str, error: io::Error) -> TableError {
        match error.downcast::<TableError>() {
            Ok(error) => error,
            Err(source) => TableError::Io { place: place.to_owned(), source },
        }
    }

    /// What the library said while it wrote there. A full disk is told as such.
    #[cfg(feature = "parquet")]
    pub(crate) fn written(place: &str, error: ParquetError) -> TableError {
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(source) => TableError::put(place, *source),
                Err(other) => TableError::Write(other.to_string()),
            },
            other => TableError::Write(other.to_string()),
        }
    }

    /// A file is not what was expected.
    #[cfg(feature = "parquet")]
    pub(crate) fn file(file: &str, says: impl Into<String>) -> TableError {
        TableError::File { file: file.to_owned(), says: says.into() }
    }
}
