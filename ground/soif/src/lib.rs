//! How are summaries exchanged? SOIF, the Summary Object Interchange Format (RFC 2655, and what Harvest wrote).
//!
//! ```text
//! @TYPE { URL
//! Name{octets}:<TAB>value
//! ...
//! }
//! ```
//!
//! A length counts octets, so a value may hold anything, line ends and braces among it. Several values of one attribute are
//! written as one value with a line each; [`Object::values`] reads that and the older form `Name-1`, `Name-2`.
//!
//! [`read()`] takes objects from a stream, one by one; [`Writer`] writes them as they come.
//!
//! ```
//! let mut writer = groma_soif::Writer::new(Vec::new());
//! let mut object = writer.object(b"FILE", b"http://a.example/")?;
//! object.attribute(b"Title", b"Inns of the land")?;
//! object.end()?;
//! let bytes = writer.into_inner();
//! let read = groma_soif::read(&bytes[..], groma_soif::Limits::default()).next().expect("an object").expect("whole");
//! assert_eq!(read.text("title").as_deref(), Some("Inns of the land"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod object;
mod read;
mod write;

pub use object::Object;
pub use read::{Complaint, Limits, Objects, read};
pub use write::{ObjectWriter, Writer};
