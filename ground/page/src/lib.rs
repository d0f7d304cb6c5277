//! Bytes in, a parsed page out.
//!
//! What a body says (charset, blocks, links, forms, language, likeness), and what sites tell robots. Pure, total, and
//! linear in the input: bad bytes give less of a page, never an error.

pub mod charset;
pub mod css;
pub mod feed;
pub mod filter;
mod fold;
mod function_words;
mod header_links;
pub mod html;
pub mod inflate;
pub mod language;
pub mod likeness;
pub mod markdown;
pub mod office;
pub mod parts;
pub mod pdf;
pub mod picture;
pub mod robots;
pub mod script;
mod sheet;
pub mod sitemap;
pub mod text;
pub mod wire;
mod xml;

pub use css::Css;
pub use feed::Feed;
pub use filter::{
    Appeal, Filter, Input, appeal, filter_for, filter_for_start, filter_to_show, is_senseless, no_text, sniff,
    true_type,
};
pub use function_words::is_function_word;
pub use header_links::add_header_links;
pub use html::Html;
pub use office::Office;
pub use pdf::Pdf;
pub use text::PlainText;
