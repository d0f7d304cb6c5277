//! What does an address say? Parsing, joining, taking apart and changing addresses by the URL standard
//! (<https://url.spec.whatwg.org/>), for every scheme.
//!
//! An address is one text, the standard's serialization, and the places where its parts begin. So reading a part is a slice,
//! two addresses are equal if their texts are, and the text parses to the same address again. The names are those of the
//! crate `url`; what differs is said at the name.
//!
//! - `parse.rs`: the standard's parser, a function per state; `path.rs` and `host.rs` are its two large parts, `ipv4.rs` and
//!   `ipv6.rs` those of hosts, `encode.rs` the percent-encode sets, `scheme.rs` what a scheme decides
//! - `parts.rs`, `position.rs`, `origin.rs`: reading; `set.rs`, `query_pairs.rs`: changing
//! - [`form_urlencoded`]: names and values of queries
//!
//! Limits: an address has at most 4 GB. Nothing here looks at whether an address makes sense or leads anywhere.
//!
//! ```
//! use groma_url::Url;
//!
//! let base = Url::parse("HTTP://Example.org:80/a/b?q#top")?;
//! assert_eq!(base.as_str(), "http://example.org/a/b?q#top");
//! assert_eq!(base.join("../c")?.as_str(), "http://example.org/c");
//! # Ok::<(), groma_url::ParseError>(())
//! ```

mod encode;
mod error;
pub mod form_urlencoded;
mod host;
mod ipv4;
mod ipv6;
mod origin;
mod parse;
mod parts;
mod path;
mod position;
mod query_pairs;
mod scheme;
mod set;

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

pub use error::{ParseError, SetError};
pub use host::Host;
pub use origin::Origin;
pub use parse::{EncodingOverride, ParseOptions};
pub use position::Position;
pub use query_pairs::QueryPairsMut;

/// An address that has been parsed.
///
/// ```text
/// https://user:password@www.example.org:8080/a/b?c=d#e
///      |      |         |              |    |   |   |
///      |      |         host_start     |    |   |   query_end
///      |      username_end             |    |   path_end
///      scheme_end               host_end    path_start
/// ```
///
/// A part that is missing has no length. Without a host and its slashes, username and host begin and end behind the colon.
/// Between them and a path that begins with two slashes stands `/.`, which is in no part (`web+x:/.//not-a-host`).
#[derive(Clone)]
pub struct Url {
    text: String,
    scheme_end: u32,
    username_end: u32,
    host_start: u32,
    host_end: u32,
    path_start: u32,
    /// Where the query's question mark is, if it has one.
    path_end: u32,
    /// Where the fragment's hash is, if it has one.
    query_end: u32,
    /// Nothing if it is the scheme's.
    port: Option<u16>,
    host: host::Kind,
}

impl Url {
    /// Reads an absolute address.
    pub fn parse(text: &str) -> Result<Url, ParseError> {
        ParseOptions::default().parse(text)
    }

    /// Reads an address, or a reference relative to a base.
    pub fn parse_with_base(text: &str, base: Option<&Url>) -> Result<Url, ParseError> {
        ParseOptions::default().base_url(base).parse(text)
    }

    /// Reads a reference relative to this address.
    pub fn join(&self, reference: &str) -> Result<Url, ParseError> {
        Url::parse_with_base(reference, Some(self))
    }

    /// Base and encoding can be told before parsing.
    pub fn options<'a>() -> ParseOptions<'a> {
        ParseOptions::default()
    }

    /// No address yet; the parser fills it.
    fn blank() -> Url {
        Url {
            text: String::new(),
            scheme_end: 0,
            username_end: 0,
            host_start: 0,
            host_end: 0,
            path_start: 0,
            path_end: 0,
            query_end: 0,
            port: None,
            host: host::Kind::None,
        }
    }

    /// Begins an address with the front of another.
    fn copy_until(&mut self, base: &Url, end: usize) {
        let mut text = std::mem::take(&mut self.text);
        text.push_str(&base.text[..end]);
        *self = Url { text, ..*base };
    }

    /// Were it written as it is, `//` at the front of a path would begin a host.
    fn keep_path_from_being_a_host(&mut self) {
        let start = self.path_start as usize;
        if self.host == host::Kind::None && self.text[start..].starts_with("//") {
            self.text.insert_str(start, "/.");
            self.path_start += 2;
        }
    }

    /// The address, if offsets can hold its length.
    fn measured(self) -> Result<Url, ParseError> {
        if u32::try_from(self.text.len()).is_ok() { Ok(self) } else { Err(ParseError::Overflow) }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Url").field(&self.text).finish()
    }
}

impl PartialEq for Url {
    fn eq(&self, other: &Url) -> bool {
        self.text == other.text
    }
}

impl Eq for Url {}

impl PartialOrd for Url {
    fn partial_cmp(&self, other: &Url) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Url {
    fn cmp(&self, other: &Url) -> Ordering {
        self.text.cmp(&other.text)
    }
}

// As a string does, so that a table of addresses can be asked for a text.
impl Hash for Url {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Borrow<str> for Url {
    fn borrow(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl From<Url> for String {
    fn from(url: Url) -> String {
        url.text
    }
}

impl FromStr for Url {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Url, ParseError> {
        Url::parse(text)
    }
}

impl TryFrom<&str> for Url {
    type Error = ParseError;

    fn try_from(text: &str) -> Result<Url, ParseError> {
        Url::parse(text)
    }
}
