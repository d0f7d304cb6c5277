//! Bytes in, a parsed page out.
//!
//! What a body says (charset, blocks, links, forms, language, likeness), and what sites tell robots. Pure, total, and
//! linear in the input: bad bytes give less of a page, never an error.

pub mod charset;
pub mod filter;
mod fold;
mod function_words;
mod header_links;
pub mod html;
pub mod inflate;
pub mod language;
pub mod likeness;
pub mod markdown;
pub mod parts;
pub mod robots;
pub mod script;
pub mod sitemap;
pub mod text;

pub use filter::{Filter, Input, filter_for, is_senseless, sniff};
pub use function_words::is_function_word;
pub use header_links::add_header_links;
pub use html::Html;
pub use text::PlainText;
