//! How are pages kept for archives? WARC 1.1 (ISO 28500): records one after the other, each a gzip member or a zstd frame of its own.
//!
//! Written: [`exchange`] turns what was said to a server and what it answered into records, [`Packer`] compresses them. Read:
//! [`Reader`] goes through a file record by record, of WARC or of the older ARC, and never trusts it; [`http`] reads the answer inside. [`cdxj`] and [`key`] are
//! the index that replay tools look records up in, [`zip`] the container of WACZ.
//!
//! ```
//! use groma_archive::{Bounds, Reader, Resource, Warc};
//! use std::{io::Cursor, ops::ControlFlow};
//!
//! let mut warc = Warc::begin(Vec::new(), 0, &[("software", "example")])?;
//! warc.resource(&Resource { url: "http://a.example/", at: 0, media_type: "text/plain", bytes: b"hello" })?;
//! let mut records = 0;
//! Reader::new(Cursor::new(warc.finish()?), Bounds { head: 1 << 16, block: 1 << 20, keep: 1 << 20 }).each(&mut |record| {
//!     records += usize::from(record.is_ok());
//!     ControlFlow::Continue(())
//! })?;
//! assert_eq!(records, 2, "what the file says of itself, and the resource");
//! # Ok::<(), std::io::Error>(())
//! ```

mod arc;
mod bits;
pub mod cdxj;
pub mod codes;
mod deflate;
pub mod exchange;
pub mod http;
mod key;
mod pack;
mod reader;
mod record;
mod warc;
pub mod zip;

pub use deflate::Tally;
pub use key::{key, stamp};
pub use pack::{Compression, Packer};
pub use reader::{Bounds, Finding, Reader, Record};
pub use record::{Fields, Resource, digest_text, moment_of, push_field};
pub use warc::Warc;
