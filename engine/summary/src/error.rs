//! What can go wrong, and what to do about it.
//!
//! Words of a database may hold values and names: they are for the keeper's eyes. [`SummaryError::outward`] is what a stranger
//! is told.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// The address of the database says nothing we understand.
    #[error("the address of the database is not understood: {0}")]
    Address(String),
    /// The driver of this database is a feature that was not built in.
    #[error("this build of groma does not speak {0}")]
    NotBuilt(&'static str),
    /// The database is somewhere else, and the way there is not encrypted.
    #[error("the database is not on this machine, and the way to it would not be encrypted")]
    Far,
    /// Nobody here knows where the source leads.
    #[error(
        "where this source of ODBC leads is not known here: it may be another machine, without encryption on the way"
    )]
    Unseen,
    /// The connection failed, or the login was refused.
    #[error("the database does not let us in: {0}")]
    Connect(String),
    /// The role may do more than read.
    #[error("the role may do more than read: {}", .0.join("; "))]
    Role(Vec<String>),
    /// The folder of documents cannot be read.
    #[error("the documents in {at} cannot be read: {source}")]
    Documents { at: PathBuf, source: io::Error },
    /// There is no such document.
    #[error("there is no document with this id")]
    NoSuchId,
    /// A document that cannot be used.
    #[error("the document {id} cannot be used: {what}")]
    Document {
        /// Id of the document.
        id: String,
        /// What is wrong with it.
        what: String,
    },
    /// A query failed.
    #[error("the database failed: {0}")]
    Database(String),
    /// It took too long.
    #[error("reading took longer than {0} seconds")]
    Time(u64),
    /// So many readings are under way that this one has to wait.
    #[error("it is still being read")]
    Busy,
    /// A file of ours.
    #[error("a file could not be written or read: {0}")]
    File(#[from] io::Error),
}

impl SummaryError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            SummaryError::Address(_) => {
                "write sqlite:FILE, postgres://ROLE@HOST/DATABASE, mysql://ROLE@HOST/DATABASE or odbc:DSN=NAME".into()
            }
            SummaryError::NotBuilt("odbc") => {
                "install unixODBC (Debian: unixodbc-dev) and build it in: cargo install --path front/cli --features odbc".into()
            }
            SummaryError::NotBuilt(feature) => {
                format!("build it in: cargo install --path front/cli --features {feature}")
            }
            SummaryError::Far => {
                "run the summarizer beside the database, reach it through a tunnel, or say --far-database".into()
            }
            SummaryError::Unseen => {
                "say --far-database if it is on this machine, or if its driver encrypts the way there".into()
            }
            SummaryError::Connect(_) => "look at host, role, password and whether the database runs".into(),
            SummaryError::Role(_) => {
                "make a role that can only SELECT (docs/databases.md), or say --allow-writable-role".into()
            }
            SummaryError::Documents { .. } => "--config names a folder of DBContent documents".into(),
            SummaryError::NoSuchId => {
                "the ids are the names of the files in the folder of documents, without ending".into()
            }
            SummaryError::Document { .. } => "compare the document with the tables of the database".into(),
            SummaryError::Database(_) => "try the same with the database's own client and the same role".into(),
            SummaryError::Time(_) => "allow more with --seconds, or name fewer attributes".into(),
            SummaryError::Busy => "ask again in a while".into(),
            SummaryError::File(_) => "look at the free space and the rights of the folder (--cache)".into(),
        }
    }

    /// The same for strangers: no word of the database, no path, no name.
    pub fn outward(&self) -> &'static str {
        match self {
            SummaryError::NoSuchId => "there is no such summary",
            SummaryError::Busy => "it is still being read, ask again in a while",
            _ => "the summary cannot be made now",
        }
    }
}
