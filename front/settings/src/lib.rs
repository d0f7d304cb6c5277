//! Settings: what was typed, what is saved with a survey, and what both mean.
//!
//! ```text
//! typed         flags, variables, groma.toml  ->  Overrides, Given   (overrides.rs, flags.rs, file.rs, personal.rs)
//! saved         the JSON beside a survey      ->  Saved              (saved.rs)
//! together      a Book: every row of the table with its value and where it comes from (book.rs, table.rs)
//! what it means Settings, Access: the groups of values that the engine takes as they are (meaning.rs, usable.rs):
//!               Manners (how servers are treated), Follow (what is fetched), Keep (what is kept), FetchConfig
//! ```
//!
//! Also here, because every command begins with them: what a typed URL means ([`address`]), where a survey lies ([`place`]), and the
//! error that says what to do next ([`Fault`]). Knows no terminal and no web page.
//!
//! ```
//! let read = groma_settings::address::read("example.org/docs").expect("a URL");
//! assert_eq!(read.url.as_str(), "https://example.org/docs");
//! assert!(read.note.is_some(), "the scheme was assumed");
//! ```

pub mod address;
mod book;
pub mod clock;
mod fault;
pub mod file;
mod flags;
mod given;
pub mod meaning;
mod overrides;
pub mod personal;
pub mod place;
pub mod saved;
pub mod table;
pub mod usable;
pub mod value;
pub mod wording;

pub use book::{Book, Entry};
pub use fault::Fault;
pub use given::{Given, Origin, Raw};
pub use overrides::{Overrides, RequestOverrides};
