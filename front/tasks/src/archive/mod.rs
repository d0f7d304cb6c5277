//! Archives: what a crawl keeps of its exchanges, surveys made from archives, and archives made from surveys.

mod export;
mod import;
mod keep;
pub mod wording;

pub use export::{Packing, Written, wacz, warc};
pub use import::{Import, Imported, import};
pub(crate) use keep::{Copies, warc_store};
pub use keep::{copy, place};

pub use groma_warc_store::Told;
