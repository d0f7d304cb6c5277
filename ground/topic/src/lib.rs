//! How near is a text to the topic?
//!
//! Texts become words, words become terms with weights (`lexicon`), a topic is a vector of such weights (`topic`), and a page is
//! judged by the cosines of its parts to it (`judge`). Pure and deterministic: the same pages in the same order give the same numbers.

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
