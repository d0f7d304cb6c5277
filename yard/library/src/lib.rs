//! A journal library: a site made from metadata of works and one number, with the truth about every page of it.
//!
//! It is what a focused crawl and what reads pages are tried on. The same works, seed and settings give the same bytes.
//! Works come from a [file of OpenAlex](openalex) or, without one, from a [small grammar](invented).
//!
//! ```
//! use groma_library::{Library, Settings};
//! let library = Library::build(&[], &Settings { pages: 200, ..Settings::default() });
//! let home = library.render(0).unwrap();
//! assert!(home.html.starts_with("<!DOCTYPE html>"));
//! ```

mod catalogue;
mod dice;
mod head;
pub mod invented;
mod kin;
mod library;
pub mod openalex;
mod render;
mod sheet;
mod shelf;
mod templates;
mod topics;
mod truth;
mod view;
mod web;
mod words;
mod work;

pub use library::{Library, Settings, Split};
pub use render::Rendered;
pub use sheet::{Blocks, Link};
pub use topics::TopicRow;
pub use truth::{relevant, truth_line};
pub use work::{Author, Subject, Work, WorkKind};
