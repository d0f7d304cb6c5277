//! Archives: what a crawl keeps of its exchanges, surveys made from archives, and archives made from surveys.

mod export;
mod import;
mod keep;

pub use export::{Packing, Written, wacz, warc};
pub use import::{Import, Imported, import};
pub(crate) use keep::shelf;
pub use keep::{copy, place};

pub use groma_shelf::Told;

use groma_shelf::ShelfError;

use crate::Fault;

impl From<ShelfError> for Fault {
    fn from(error: ShelfError) -> Fault {
        Fault::new(error.to_string(), "check the folder of the archive (--warc DIR), its permissions, and the disk")
    }
}
