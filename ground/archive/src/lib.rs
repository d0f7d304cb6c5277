//! How are pages kept for archives? WARC 1.1 (ISO 28500): records one after the other, each a gzip member of its own.

mod record;
mod warc;

pub use record::Resource;
pub use warc::Warc;
