//! The exams: what a store must do, wherever it keeps its rows. SQLite and PostgreSQL take the same ones; so can another.

pub(crate) mod accounts;
pub(crate) mod bounds;
pub(crate) mod focuses;
pub(crate) mod gathers;
pub(crate) mod jobs;
pub(crate) mod outside;
pub(crate) mod survey;
