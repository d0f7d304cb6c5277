//! What the stores beside the survey (jobs, bounds, focused crawls, gatherings) and the accounts are written over, once for both
//! databases.
//!
//! A store knows its rows and its rules; where its tables lie is a [`Base`]: a SQLite file or a PostgreSQL server. Statements
//! are in the part of SQL that both speak, with parameters `?1`, `?2`. Where they must differ there is one named place: tables
//! in the `schema` of each store, words in [`Dialect`]. Values are borrowed on their way in ([`Arg`]) and out
//! ([`Cell`]): nothing is boxed.

mod arg;
mod base;
mod cell;
mod dialect;
mod numbers;
mod side_store;

pub(crate) use arg::{Arg, args};
pub(crate) use base::{Act, Base, Look, Repeat, Speak};
pub(crate) use cell::{Cell, Column, SqlRow};
pub(crate) use dialect::Dialect;
pub(crate) use numbers::{Whole, bits};
pub use side_store::SideStore;

use crate::StoreError;

/// What is kept in a row cannot be read.
pub(crate) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(what.to_owned())
}
