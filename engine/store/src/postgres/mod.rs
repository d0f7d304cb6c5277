//! The shared store: a PostgreSQL server, where each survey has a schema of its own and any number of machines work on it.
//!
//! Its traits are the same as those of the embedded store, and so are the exams.

mod beside;
pub(crate) mod driver;
mod survey;

pub(crate) use beside::PgTables;
pub(crate) use driver::ServerSchema;
pub use survey::PgStore;
pub(crate) use survey::{SURVEY_SCHEMA, WANTED, check_encoding, pair};
