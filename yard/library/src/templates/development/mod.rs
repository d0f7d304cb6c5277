//! Templates for development.

mod archive;
mod classic;
mod digest;
mod journal_tables;
mod kuaiwen;
mod modern;
mod offene_hefte;
mod platform;
mod revues;

use super::Template;

/// All of them, in the order of their numbers.
pub(super) fn all() -> Vec<&'static dyn Template> {
    vec![
        &classic::Classic,
        &modern::Modern,
        &archive::Archive,
        &journal_tables::JournalTables,
        &platform::Platform,
        &offene_hefte::OffeneHefte,
        &revues::Revues,
        &digest::Digest,
        &kuaiwen::Kuaiwen,
    ]
}
