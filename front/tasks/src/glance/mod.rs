//! One page and its parts: what it is, what its pieces are for, which text is its own. From a server, a file or a survey.

mod overlay;
mod seen;
pub mod source;

pub use overlay::{disarmed, outlined, overlay};
pub use seen::{LinkSeen, PartSeen, Seen, Source};
pub use source::{Asking, fetched, filed, stored};
pub(crate) use source::{looked_at, read_bytes, read_file};
