//! What is wrong with a site.

pub(crate) mod job;
pub(crate) mod task;

/// The kinds of findings there are, for a message.
pub fn kind_names() -> String {
    let names: Vec<&str> = groma_check::Kind::ALL.iter().map(|kind| kind.name()).collect();
    format!("one of: {}", names.join(", "))
}
