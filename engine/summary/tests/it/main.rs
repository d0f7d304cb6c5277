//! The summarizer against real databases: SQLite always, PostgreSQL and MariaDB where `GROMA_TEST_POSTGRES` and
//! `GROMA_TEST_MARIADB` name one (`./test` starts them); each through ODBC as well, where its driver is installed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking, in its helpers too")]

mod base;
mod documents;
mod handbook;
mod identifiers;
mod limits;
#[cfg(feature = "odbc")]
mod odbc;
mod roles;
mod states;
mod values;
