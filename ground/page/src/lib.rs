//! Bytes in, a parsed page out.
//!
//! What a body says (charset, blocks, links, forms, language, similarity), and what sites tell robots. Pure, total, and
//! linear in the input: bad bytes give less of a page, never an error.
//!
//! ```
//! use groma_model::Limits;
//! use groma_page::{Input, filter_for, robots::Robots};
//! use groma_url::Url;
//!
//! let (url, limits) = (Url::parse("http://a.example/docs/")?, Limits::default());
//! let html = filter_for("text/html").expect("a filter");
//! let body = b"<title>Docs</title><p>Read <a href=more>more</a>.";
//! let page = html.read(&Input { bytes: body, url: &url, charset: None, limits: &limits, parts: false });
//! assert_eq!((page.title.as_str(), page.links.len()), ("Docs", 1));
//!
//! let robots = Robots::parse(b"User-agent: *\nDisallow: /docs/", "groma", &limits);
//! assert!(!robots.allows(&url));
//! # Ok::<(), groma_url::ParseError>(())
//! ```

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
pub mod markdown;
pub mod office;
pub mod parts;
pub mod pdf;
pub mod picture;
pub mod robots;
pub mod script;
mod sheet;
pub mod sitemap;
mod structured;
pub mod text;
pub mod text_fingerprint;
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
