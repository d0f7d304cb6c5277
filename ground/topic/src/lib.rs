//! How near is a text to the topic?
//!
//! Texts become words, words become terms with weights (`lexicon`), a topic is a vector of such weights (`topic`), and a page is
//! judged by the cosines of its parts to it (`judge`). Pure and deterministic: the same pages in the same order give the same numbers.
//!
//! ```
//! use groma_topic::{Language, Lexicon};
//!
//! let (mut lexicon, mut terms) = (Lexicon::default(), Vec::new());
//! lexicon.read("the link of links", Language::from_code(Some("en")), &mut terms);
//! assert_eq!(terms.len(), 2, "function words do not count");
//! assert_eq!(terms[0], terms[1], "both have the same stem");
//! ```

mod bag;
mod judge;
mod language;
mod lexicon;
mod relevance;
mod sense;
mod topic;
mod words;

pub use bag::Bag;
pub use judge::{Judge, Reading};
pub use language::{Language, STEMMED};
pub use lexicon::Lexicon;
pub use relevance::{LinkMean, Near, Relevance, Weights};
pub use topic::Topic;
pub use words::for_each_word;
