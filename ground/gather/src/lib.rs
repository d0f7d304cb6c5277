//! What does the keeper of a database say about it?
//!
//! [`DbContent`]: the document that leads to a summarizer beside the database. [`Metadata`]: the `DB.*` tags of a form's page,
//! which say how to ask it and what stands in the answers. [`finite`]: the values a field can take, from a list or a
//! regular expression of a finite language. All of it comes from strangers: it is bounded, and what is odd is a
//! complaint, not a failure.
//!
//! ```
//! use groma_gather::finite;
//!
//! // What a field can hold, from the expression its keeper wrote.
//! assert_eq!(finite::expand("(red|green){1,2}").map(|values| values.len()), Ok(6));
//! assert!(finite::expand("a*").is_err(), "not a finite language");
//! ```

pub mod answer;
pub mod cover;
pub mod dbcontent;
pub mod description;
pub mod finite;
pub mod form;
pub mod meta;

pub use dbcontent::{DbContent, Table};
pub use description::Description;
pub use meta::{Counted, Extraction, Metadata, Method, Navigation, QueryScript};
