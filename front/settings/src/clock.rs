//! What time is it? Front crates ask here and nowhere else; the engine below has the same clock.

pub use groma_fetch::clock::{now, now_in_millis};
