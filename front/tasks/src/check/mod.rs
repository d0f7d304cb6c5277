//! What is wrong with a site.

mod form;
pub(crate) mod job;
mod run;
pub(crate) mod task;
mod usual;

pub use form::Form;
pub use run::{Judging, run};
pub use usual::usual_options;

/// The kinds of findings there are, for a message.
pub fn kind_names() -> String {
    let names: Vec<&str> = groma_check::Kind::ALL.iter().map(|kind| kind.name()).collect();
    format!("one of: {}", names.join(", "))
}
