//! What does a database hold, told by its keeper? The summarizer, the cooperative side of gathering.
//!
//! The keeper of a database puts DBContent documents into a folder and lets the summarizer run beside the database. Whoever
//! gathers names a document by its id and gets one SOIF object: for each attribute of the document the distinct values,
//! one per line, in the order of their octets.
//!
//! What comes from outside is an id and nothing else. It is looked up in a list made from the folder ([`Documents`]), never made into
//! a path. What a document names is looked up in the catalogue of the database (`catalogue`), and what is put into a question
//! is the catalogue's own name, quoted. The role that reads must not be able to write ([`Database::judge_role`]).
//!
//! [`Summarizer::answer`] answers requests and knows no socket; [`cgi`] does the same for a web server that starts a program
//! per request. Besides `engine/store` this is the only room that speaks SQL: that one keeps surveys, this one reads databases of
//! others.
//!
//! ```
//! use groma_summary::Address;
//!
//! assert!(!Address::parse("sqlite:hotels.db", None)?.is_far());
//! assert!(Address::parse("postgres://reader@192.0.2.1/hotels", None)?.is_far(), "on another machine");
//! # Ok::<(), groma_summary::SummaryError>(())
//! ```

mod answer;
mod attribute_names;
mod catalogue;
pub mod cgi;
mod clean;
mod database;
mod documents;
mod error;
mod keep;
mod limits;
mod object;
mod reader;
mod spool;
mod summarizer;

pub use answer::{Answer, Asked, Body};
#[cfg(feature = "odbc")]
pub use database::odbc;
pub use database::{Address, Database};
pub use documents::{Document, Documents};
pub use error::SummaryError;
pub use limits::Limits;
pub use summarizer::{Log, Options, Summarizer};
