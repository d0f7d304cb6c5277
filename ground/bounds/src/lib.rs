//! What belongs to one site? A site is the set of pages a person would call one: it may share a host with others, or span several.
//! Its pages are linked among themselves far more than with the rest, so its border is a minimum cut.
//!
//! ```
//! use groma_bounds::surt::Surt;
//! use groma_url::Url;
//!
//! let docs = Surt::parse("http://(org,example,)/docs/")?;
//! assert!(docs.matches(&Url::parse("http://example.org/docs/page.html")?));
//! assert!(!docs.matches(&Url::parse("http://example.org/blog/")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
pub mod content_similarity;
mod folder;
pub mod keywords;
pub mod prefixes;
mod process;
pub mod settings;
mod similarity;
mod starts;
pub mod surt;
mod tokens;
pub mod truth;
mod verdict;
mod web;

pub use choice::{FamilyStep, Plateau, Why, choose, is_settled, plain_price, plateaus};
pub use content_similarity::ContentSimilarity;
pub use process::{FoundSite, Start, Warning, clusters, find, prices, similarity, weighted};
pub use settings::{Method, NoSuchMethod, Settings, Sigma};
pub use similarity::{Similarity, deviation};
pub use tokens::{LONGEST, Tokens, distance, split};
pub use verdict::{Because, DECIDED, Judge, Judgement, Links, Verdict};
pub use web::{Direction, Web};
