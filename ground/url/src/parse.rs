//! What address does a text give, alone or against a base? URL standard, section 4.4 "URL parsing", the basic URL parser.
//!
//! The standard's machine goes character by character; here each of its states is a function that takes its part off the
//! front of the text and writes it to the end of the address. That gives the same addresses (the standard's own cases are the
//! test) in one pass. Cost: linear in text and base, one allocation where nothing grows by encoding. Not kept: validation
//! errors that do not stop the parser.

mod file;

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::error::ParseError;
use crate::host::{self, Kind as HostKind};
use crate::scheme::{self, Kind};
use crate::{Url, encode, path};

/// Writes a query in the encoding of a page.
pub type EncodingOverride<'a> = &'a dyn Fn(&str) -> Cow<'_, [u8]>;

/// With what a text is read.
#[derive(Clone, Copy, Default)]
#[must_use]
pub struct ParseOptions<'a> {
    base: Option<&'a Url>,
    encoding: Option<EncodingOverride<'a>>,
}

impl<'a> ParseOptions<'a> {
    /// The address that references are relative to.
    pub fn base_url(mut self, base: Option<&'a Url>) -> Self {
        self.base = base;
        self
    }

    /// How the query is turned into bytes; nothing is UTF-8. It holds for the schemes the standard names: http, https, ftp
    /// and file. The standard writes a character that the encoding lacks as `%26%23` number `%3B`; as it is the function that
    /// knows, it is the function that has to write so (percent signs stay as they are).
    pub fn encoding_override(mut self, encoding: Option<EncodingOverride<'a>>) -> Self {
        self.encoding = encoding;
        self
    }

    /// Reads a URL as the standard says; a relative one against the base.
    pub fn parse(self, text: &str) -> Result<Url, ParseError> {
        let text = without_breaks(text.trim_matches(|c: char| c <= ' '));
        let mut parser = Parser { url: Url::blank(), kind: Kind::Other, encoding: self.encoding };
        match scheme::length(&text) {
            Some(length) => parser.with_scheme(&text[..length], &text[length + 1..], self.base)?,
            None => parser.without_scheme(&text, self.base)?,
        }
        parser.url.measured()
    }
}

/// Tabs and line ends are not there, wherever they stand.
pub(crate) fn without_breaks(text: &str) -> Cow<'_, str> {
    let is_break = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r');
    // Without leaving early, which lets the compiler look at many bytes at once.
    if !text.bytes().fold(false, |found, byte| found | is_break(byte)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|&c| !u8::try_from(c).is_ok_and(is_break)).collect())
}

/// An address that is being written, part by part.
struct Parser<'a> {
    url: Url,
    kind: Kind,
    encoding: Option<EncodingOverride<'a>>,
}

impl Parser<'_> {
    /// The states from the scheme on: special relative or authority, special authority slashes, path or authority.
    fn with_scheme(&mut self, scheme: &str, rest: &str, base: Option<&Url>) -> Result<(), ParseError> {
        let text = &mut self.url.text;
        text.reserve(scheme.len() + rest.len() + 4);
        text.push_str(scheme);
        text.make_ascii_lowercase();
        self.kind = Kind::from_scheme(text);
        let base = base.filter(|base| base.scheme() == *text && self.kind.is_special());
        self.url.scheme_end = text.len() as u32;
        text.push(':');
        match (self.kind, base) {
            (Kind::File, _) => self.file(rest, base),
            (Kind::Web, Some(base)) if !rest.starts_with("//") => {
                self.url.text.clear();
                self.relative(rest, base)
            }
            (Kind::Web, _) => self.authority(rest.trim_start_matches(['/', '\\'])),
            (Kind::Other, _) => match rest.strip_prefix('/') {
                Some(path) => match path.strip_prefix('/') {
                    Some(authority) => self.authority(authority),
                    None => {
                        self.no_authority();
                        self.path(path);
                        Ok(())
                    }
                },
                None => {
                    self.no_authority();
                    self.opaque_path(rest);
                    Ok(())
                }
            },
        }
    }

    /// The standard's "no scheme state".
    fn without_scheme(&mut self, rest: &str, base: Option<&Url>) -> Result<(), ParseError> {
        let base = base.ok_or(ParseError::RelativeUrlWithoutBase)?;
        self.kind = Kind::from_scheme(base.scheme());
        if base.cannot_be_a_base() && !rest.starts_with('#') {
            Err(ParseError::RelativeUrlWithCannotBeABaseBase)
        } else if self.kind == Kind::File {
            self.url.text.reserve(base.text.len() + rest.len() + 1);
            self.url.text.push_str("file:");
            self.url.scheme_end = 4;
            self.file(rest, Some(base))
        } else {
            self.relative(rest, base)
        }
    }

    /// Relative state and relative slash state; nothing is written yet.
    fn relative(&mut self, rest: &str, base: &Url) -> Result<(), ParseError> {
        self.url.text.reserve(base.text.len() + rest.len() + 1);
        let bytes = rest.as_bytes();
        match bytes.first() {
            None | Some(b'?' | b'#') => self.same_page(rest, base),
            Some(&byte) if self.kind.is_slash(byte) => match bytes.get(1) {
                Some(&byte) if self.kind.is_slash(byte) => {
                    self.url.copy_until(base, base.scheme_end as usize + 1);
                    let rest = &rest[2..];
                    let slashes = ['/', '\\'];
                    let skipped = if self.kind.is_special() { rest.trim_start_matches(slashes) } else { rest };
                    return self.authority(skipped);
                }
                _ => {
                    self.copy_authority(base);
                    self.path(&rest[1..]);
                }
            },
            Some(_) => {
                self.copy_authority(base);
                self.url.text.push_str(base.path());
                path::shorten(&mut self.url.text, self.url.path_start as usize, self.kind);
                self.path(rest);
            }
        }
        Ok(())
    }

    /// A reference that is empty, or a query, or a fragment.
    fn same_page(&mut self, rest: &str, base: &Url) {
        let end = if rest.starts_with('?') { base.path_end } else { base.query_end };
        self.url.copy_until(base, end as usize);
        if rest.starts_with('?') { self.query(rest) } else { self.fragment(rest) }
    }

    fn copy_authority(&mut self, base: &Url) {
        self.url.copy_until(base, base.authority_end());
        self.url.path_start = self.mark();
    }

    /// The end of what is written; offsets are checked as a whole when all is written.
    fn mark(&self) -> u32 {
        self.url.text.len() as u32
    }

    fn no_authority(&mut self) {
        let end = self.mark();
        (self.url.username_end, self.url.host_start, self.url.host_end) = (end, end, end);
        (self.url.path_start, self.url.host) = (end, HostKind::None);
    }

    /// Authority state, host state, port state; the scheme and its colon are written.
    fn authority(&mut self, rest: &str) -> Result<(), ParseError> {
        let ends = |byte: u8| matches!(byte, b'?' | b'#') || self.kind.is_slash(byte);
        let end = rest.bytes().position(ends).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        self.url.text.push_str("//");
        let (user, server) = match authority.rfind('@') {
            Some(at) => (Some(&authority[..at]), &authority[at + 1..]),
            None => (None, authority),
        };
        self.credentials(user.unwrap_or_default());
        let (name, port) = split_port(server);
        if name.is_empty() && (self.kind.is_special() || port.is_some() || user.is_some()) {
            return Err(ParseError::EmptyHost);
        }
        let push = if self.kind.is_special() { host::push } else { host::push_opaque };
        self.url.host = push(&mut self.url.text, name)?;
        self.url.host_end = self.mark();
        let port = port.map_or(Ok(None), read_port)?;
        self.url.port = port.filter(|&port| scheme::default_port(self.url.scheme()) != Some(port));
        if let Some(port) = self.url.port {
            // Writing to a string does not fail.
            let _ = write!(self.url.text, ":{port}");
        }
        self.url.path_start = self.mark();
        self.path_start(path);
        Ok(())
    }

    fn credentials(&mut self, user: &str) {
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        encode::push(&mut self.url.text, name, encode::USERINFO);
        self.url.username_end = self.mark();
        if !password.is_empty() {
            self.url.text.push(':');
            encode::push(&mut self.url.text, password, encode::USERINFO);
        }
        if !name.is_empty() || !password.is_empty() {
            self.url.text.push('@');
        }
        self.url.host_start = self.mark();
    }

    /// Path start state: special schemes always have a path, others may have none.
    fn path_start(&mut self, rest: &str) {
        let slash = rest.as_bytes().first().is_some_and(|&byte| self.kind.is_slash(byte));
        if slash || self.kind.is_special() {
            self.path(&rest[usize::from(slash)..]);
        } else {
            self.query(rest);
        }
    }

    /// Path state; the first slash is gone, some of the path may be written.
    fn path(&mut self, rest: &str) {
        let rest = path::push(&mut self.url.text, self.url.path_start as usize, self.kind, rest, false);
        self.url.keep_path_from_being_a_host();
        self.query(rest);
    }

    /// Opaque path state. A space before a query or a fragment is encoded, lest it be lost when those are taken away.
    fn opaque_path(&mut self, rest: &str) {
        let end = rest.bytes().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(rest.len());
        let (path, rest) = rest.split_at(end);
        let space = path.ends_with(' ');
        encode::push(&mut self.url.text, &path[..path.len() - usize::from(space)], encode::CONTROL);
        if space {
            self.url.text.push_str("%20");
        }
        self.query(rest);
    }

    /// Query state: nothing, or a query with its question mark, or a fragment.
    fn query(&mut self, rest: &str) {
        self.url.path_end = self.mark();
        let Some(query) = rest.strip_prefix('?') else { return self.fragment(rest) };
        let end = query.bytes().position(|byte| byte == b'#').unwrap_or(query.len());
        let text = &mut self.url.text;
        let set = if self.kind.is_special() { encode::SPECIAL_QUERY } else { encode::QUERY };
        text.push('?');
        let encodes = !matches!(&text[..self.url.scheme_end as usize], "ws" | "wss") && self.kind.is_special();
        match self.encoding.filter(|_| encodes) {
            Some(encoding) => encode::push_bytes(text, &encoding(&query[..end]), set),
            None => encode::push(text, &query[..end], set),
        }
        self.fragment(&query[end..]);
    }

    /// Fragment state: nothing, or a fragment with its hash.
    fn fragment(&mut self, rest: &str) {
        self.url.query_end = self.mark();
        if let Some(fragment) = rest.strip_prefix('#') {
            self.url.text.push('#');
            encode::push(&mut self.url.text, fragment, encode::FRAGMENT);
        }
    }
}

/// Cuts at the first colon that does not stand in brackets.
fn split_port(server: &str) -> (&str, Option<&str>) {
    let mut inside = false;
    for (at, byte) in server.bytes().enumerate() {
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            b':' if !inside => return (&server[..at], Some(&server[at + 1..])),
            _ => {}
        }
    }
    (server, None)
}

/// A port, or nothing.
fn read_port(digits: &str) -> Result<Option<u16>, ParseError> {
    let add = |sum: u32, c: char| c.to_digit(10).map(|digit| sum * 10 + digit).filter(|&sum| sum <= 0xffff);
    let port = digits.chars().try_fold(0, add).ok_or(ParseError::InvalidPort)?;
    Ok(u16::try_from(port).ok().filter(|_| !digits.is_empty()))
}
