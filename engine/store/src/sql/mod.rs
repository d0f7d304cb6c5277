//! The stores beside the survey (jobs, borders, focused crawls, gatherings, accounts), written once for both databases.
//!
//! A store knows its rows and its rules; where its tables lie is a [`Base`]: a SQLite file or a room on a PostgreSQL server. Statements
//! are in the part of SQL that both speak, with parameters `?1`, `?2`. Where they must differ there is one named place: tables
//! in the `schema` of each store, words in [`Dialect`]. Values are borrowed on their way in ([`Arg`]) and out
//! ([`Cell`]): nothing is boxed.

pub(crate) mod accounts;
mod anywhere;
mod arg;
mod base;
pub(crate) mod borders;
mod cell;
mod dialect;
pub(crate) mod focuses;
pub(crate) mod gathers;
pub(crate) mod jobs;
mod numbers;

pub(crate) use anywhere::Anywhere;
pub(crate) use arg::{Arg, args};
pub(crate) use base::{Act, Base, Look, Repeat, Speak};
pub(crate) use cell::{Cell, Column, Row};
pub(crate) use dialect::Dialect;
pub(crate) use numbers::{Whole, bits};

use crate::StoreError;

/// What is kept in a row cannot be read.
pub(crate) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(what.to_owned())
}
