//! Values out of pages: columns that were written, or one that is made from examples, read from the pages of a survey.

mod bodies;
mod by_example;
mod extracted;
mod file;
pub(crate) mod job;
mod run;
pub(crate) mod task;
mod wording;
mod write;

pub use extracted::Extracted;
pub use file::read_columns;
pub use run::run;
pub use task::{ColumnLine, Form};

use groma_settings::Fault;

/// What is said where Parquet is asked for and was not built in.
pub fn without_parquet() -> Fault {
    Fault::new(wording::NO_PARQUET, wording::NO_PARQUET_HINT)
}
