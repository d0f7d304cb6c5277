//! URLs in the order of their hierarchy, as web archives write them: SURT, the sort-friendly URI reordering transform.
//!
//! ```text
//! scheme://user@www.example.org:8080/path?query  ->  scheme://(org,example,www,:8080@user)/path?query
//! prefix     any text such a form can begin with:  http://(org,example,   the domain and all below it
//!                                                  http://(org,example,)/a/   a folder of one host
//! implied    http://h/a/b -> http://(h,)/a/     up to the last slash of the path
//!            http://h     -> http://(h,         no slash: subdomains, too
//! ```
//!
//! Source: the form and the implied prefixes are those of Heritrix, the crawler of the Internet Archive. Numbers stay whole:
//! `(127.0.0.1)`, `([::1])`. A comma or parenthesis in a host is escaped (`%2C`), which no host of the web has otherwise. What we
//! chose where usage differs:
//! - The scheme is kept, so that a URL comes back; to match, https is http. Without a scheme, any scheme matches.
//! - Upper and lower case of paths are kept and differ. Heritrix turns all into lower case.
//! - Fragments are left out: they are never sent.
//! - Addresses that are numbers, or have a port or user, imply just that host if they have no slash: nothing is below them, and
//!   `(127.0.0.1` would be the beginning of `(127.0.0.10)`.
//!
//! Cost: linear in the text. Not guaranteed: that a prefix matches whole labels or segments; `http://(org,exam` is the beginning
//! of `http://(org,example,)/` and of `http://(org,examination,)/`.

mod rules;

use std::fmt;

use groma_url::{Host, Url};

pub use rules::{Complaint, Decider, MOST_COMPLAINTS, MOST_RULES, Rule, read, write};

/// Bytes of a SURT that is read; a longer one is refused, and so is a line of rules of more than twice as many.
pub const LONGEST: usize = 8192;

const TOO_LONG: NoSurt = NoSurt("it is too long");

const NO_HOSTS: &str = "its scheme has no hosts as the web has them";

/// What stands behind a prefix while it is read as a URL, so that its last dots are not taken for a parent folder.
const SENTINEL: char = 'x';

/// A URL or a prefix of URLs, reordered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Surt {
    text: String,
    /// Where the parenthesis opens: behind the scheme.
    open: u32,
}

/// Why a text is no SURT, in plain words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSurt(pub &'static str);

impl fmt::Display for NoSurt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NoSurt {}

impl Surt {
    /// Nothing if the scheme has no hosts as the web has them (http, https, ftp, ws, wss).
    pub fn from_url(address: &Url) -> Option<Surt> {
        let mut text = String::with_capacity(address.as_str().len() + 4);
        let open = push_authority(&mut text, address)?;
        text.push(')');
        text.push_str(address.path());
        if let Some(query) = address.query() {
            text.push('?');
            text.push_str(query);
        }
        Some(Surt { text, open })
    }

    /// The prefix that a plain URL stands for in a list of prefixes; `http://` may be left out.
    pub fn implied(plain: &str) -> Result<Surt, NoSurt> {
        let plain = plain.trim();
        let has_scheme = plain.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
        // A colon is that of a port, or there is another kind of scheme.
        let is_port = |behind: &str| behind.starts_with(|c: char| c.is_ascii_digit());
        if !has_scheme && plain.split_once(':').is_some_and(|(word, behind)| is_scheme(word) && !is_port(behind)) {
            return Err(NoSurt(NO_HOSTS));
        }
        let schemed = if has_scheme { plain.to_owned() } else { format!("http://{plain}") };
        if schemed.len() > LONGEST {
            return Err(TOO_LONG);
        }
        let address = Url::parse(&schemed).map_err(|_| NoSurt("it is no URL"))?;
        let mut text = String::with_capacity(schemed.len() + 4);
        let open = push_authority(&mut text, &address).ok_or(NoSurt(NO_HOSTS))?;
        let behind = schemed.split_once("://").map_or("", |(_, behind)| behind);
        let has_path =
            behind.find(['/', '\\', '?', '#']).is_some_and(|at| matches!(behind.as_bytes()[at], b'/' | b'\\'));
        let path = address.path();
        if has_path {
            text.push(')');
            text.push_str(&path[..path.rfind('/').map_or(0, |at| at + 1)]);
        } else if !text.ends_with(',') {
            text.push(')');
        }
        Surt { text, open }.short_enough()
    }

    /// A text that is a SURT or a prefix of one already: `http://(org,example,)/`, `(org,example,`, or as indexes of archives
    /// have it `org,example)/`. It is brought into the form that [`Surt::from_url`] gives.
    pub fn parse(text: &str) -> Result<Surt, NoSurt> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(TOO_LONG);
        }
        let (scheme, reordered) = split(text).ok_or(NoSurt("it has no `(` where the host begins"))?;
        let slash = reordered.find('/').unwrap_or(reordered.len());
        let (head, tail) = reordered.split_at(slash);
        let server = head.find('@').unwrap_or(head.len());
        let is_foreign = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '?' | '#' | '\\');
        if head.contains(is_foreign) || head[..server].contains('(') {
            return Err(NoSurt("its host has a character that no host has"));
        }
        match head.strip_suffix(')') {
            Some(authority) => closed(scheme, authority, tail)?.short_enough(),
            None if tail.is_empty() => open_ended(scheme, head)?.short_enough(),
            None => Err(NoSurt("it has no `)` where the host ends")),
        }
    }

    /// Escapes make a text longer than it was given.
    fn short_enough(self) -> Result<Surt, NoSurt> {
        if self.text.len() <= LONGEST { Ok(self) } else { Err(TOO_LONG) }
    }

    /// Does it look like a SURT rather than a plain URL?
    pub fn is_reordered(text: &str) -> bool {
        split(text.trim()).is_some()
    }

    /// The text: of a URL the whole, of a prefix what URLs begin with.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The scheme; nothing if any will do.
    pub fn scheme(&self) -> Option<&str> {
        self.text[..self.open as usize].strip_suffix("://")
    }

    /// What is behind the scheme, from the parenthesis on.
    pub fn reordered(&self) -> &str {
        &self.text[self.open as usize..]
    }

    /// The URL it is; of a prefix the shortest that it matches, with http (or https) if any scheme will do. Nothing if the host
    /// is still open, or no URL is written so, as of a prefix that ends in `/..`.
    pub fn address(&self) -> Option<Url> {
        let (head, tail) = self.reordered().split_at(self.reordered().find('/').unwrap_or(self.reordered().len()));
        let authority = head.strip_prefix('(')?.strip_suffix(')')?;
        let address = plain(self.scheme().unwrap_or(stand_in(authority)), authority, tail).ok()?;
        Url::parse(&address).ok().filter(|address| self.matches(address))
    }

    /// Does the URL begin with it?
    pub fn matches(&self, address: &Url) -> bool {
        Surt::from_url(address).is_some_and(|surt| self.covers(&surt))
    }

    /// The same for every scheme.
    pub fn of_any_scheme(mut self) -> Surt {
        self.text.drain(..self.open as usize);
        self.open = 0;
        self
    }

    /// Does it match whatever the other matches?
    pub fn covers(&self, other: &Surt) -> bool {
        let same_scheme = match (self.scheme(), other.scheme()) {
            (None, _) => true,
            (Some(mine), Some(theirs)) => for_comparison(mine) == for_comparison(theirs),
            (Some(_), None) => false,
        };
        same_scheme && other.reordered().starts_with(self.reordered())
    }
}

impl fmt::Display for Surt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// The scheme that stands for this one when two are compared.
fn for_comparison(scheme: &str) -> &str {
    if scheme == "https" { "http" } else { scheme }
}

/// Writes all up to where the host's parenthesis would close, and tells where it opens.
fn push_authority(to: &mut String, address: &Url) -> Option<u32> {
    if !address.is_special() || address.scheme() == "file" {
        return None;
    }
    to.push_str(address.scheme());
    to.push_str("://");
    let open = to.len() as u32;
    to.push('(');
    match address.host()? {
        Host::Domain(name) => {
            for label in name.rsplit('.') {
                push_label(to, label);
            }
        }
        number => to.push_str(&number.to_string()),
    }
    if let Some(port) = address.port() {
        to.push_str(&format!(":{port}"));
    }
    if !address.username().is_empty() || address.password().is_some() {
        to.push('@');
        to.push_str(address.username());
        if let Some(password) = address.password() {
            to.push(':');
            to.push_str(password);
        }
    }
    Some(open)
}

/// A label and its comma. Commas and parentheses of its own are escaped.
fn push_label(to: &mut String, label: &str) {
    for c in label.chars() {
        match c {
            ',' => to.push_str("%2C"),
            '(' => to.push_str("%28"),
            ')' => to.push_str("%29"),
            c => to.push(c),
        }
    }
    to.push(',');
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

/// Scheme, if there is one, and what is behind the parenthesis; nothing if this is a plain URL.
fn split(text: &str) -> Option<(Option<&str>, &str)> {
    if let Some(reordered) = text.strip_prefix('(') {
        return Some((None, reordered));
    }
    if let Some((scheme, reordered)) = text.split_once("://(") {
        return is_scheme(scheme).then_some((Some(scheme), reordered));
    }
    // As in indexes of archives: no scheme and no opening parenthesis. A comma tells the host from a plain one.
    let host = &text[..text.find(['/', ')']).unwrap_or(text.len())];
    let reads_so = text[host.len()..].starts_with(')') || (host.len() == text.len() && host.ends_with(','));
    (reads_so && host.contains(',') && !host.contains("://")).then_some((None, text))
}

/// A host that is whole, and what is behind it.
fn closed(scheme: Option<&str>, authority: &str, tail: &str) -> Result<Surt, NoSurt> {
    let tail = &tail[..tail.find('#').unwrap_or(tail.len())];
    let mut address =
        plain(scheme.unwrap_or(stand_in(authority)), authority, if tail.is_empty() { "/" } else { tail })?;
    address.push(SENTINEL);
    let address = Url::parse(&address).map_err(|_| NoSurt("its host cannot be read"))?;
    let mut surt = Surt::from_url(&address).ok_or(NoSurt(NO_HOSTS))?;
    surt.text.pop();
    if tail.is_empty() {
        surt.text.pop();
    }
    Ok(if scheme.is_some() { surt } else { surt.of_any_scheme() })
}

/// The scheme that is read where none is given: the one that does not swallow the port.
fn stand_in(authority: &str) -> &'static str {
    let server = authority.split('@').next().unwrap_or_default();
    let port = server.rsplit_once(':').and_then(|(_, port)| port.parse().ok());
    if port == Some(80) { "https" } else { "http" }
}

/// The URL as it is usually written.
fn plain(scheme: &str, authority: &str, tail: &str) -> Result<String, NoSurt> {
    const UNREADABLE: NoSurt = NoSurt("its host cannot be read");
    let (server, user) = authority.split_once('@').map_or((authority, None), |(server, user)| (server, Some(user)));
    let end = if server.starts_with('[') { server.find(']').ok_or(UNREADABLE)? + 1 } else { 0 };
    let end = server[end..].find(':').map_or(server.len(), |at| end + at);
    let (names, port) = server.split_at(end);
    if !port.bytes().skip(1).all(|digit| digit.is_ascii_digit()) {
        return Err(UNREADABLE);
    }
    let names = names.strip_suffix(',').filter(|names| !names.is_empty()).unwrap_or(names);
    if names.is_empty() {
        return Err(UNREADABLE);
    }
    let host = match (names.contains(','), names.contains('.')) {
        (true, false) => names.rsplit(',').collect::<Vec<_>>().join("."),
        (false, true) if !matches!(Host::parse(names), Ok(Host::Ipv4(_))) => return Err(UNREADABLE),
        (true, true) => return Err(UNREADABLE),
        _ => names.to_owned(),
    };
    let user = user.map(|user| format!("{user}@")).unwrap_or_default();
    Ok(format!("{scheme}://{user}{host}{port}{tail}"))
}

/// A host that may go on. What is there of it is kept, in lower case.
fn open_ended(scheme: Option<&str>, head: &str) -> Result<Surt, NoSurt> {
    let written = scheme.unwrap_or("http").to_ascii_lowercase();
    if !matches!(written.as_str(), "http" | "https" | "ftp" | "ws" | "wss") {
        return Err(NoSurt(NO_HOSTS));
    }
    let mut text = format!("{written}://");
    let open = text.len() as u32;
    text.push('(');
    let (server, user) = head.split_at(head.find('@').unwrap_or(head.len()));
    let (labels, last) = server.rsplit_once(',').map_or((None, server), |(labels, last)| (Some(labels), last));
    for label in labels.into_iter().flat_map(|labels| labels.split(',')) {
        push_label(&mut text, &whole_label(label)?);
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '[' | ']');
    if !last.chars().all(is_plain) || !user.is_ascii() {
        return Err(NoSurt("its host cannot be read"));
    }
    text.push_str(&last.to_ascii_lowercase());
    text.push_str(user);
    let surt = Surt { text, open };
    Ok(if scheme.is_some() { surt } else { surt.of_any_scheme() })
}

/// A label as hosts have it, neither escaped nor beyond ASCII.
fn whole_label(label: &str) -> Result<String, NoSurt> {
    if label.is_ascii() && !label.contains(['%', '.', ':', '[', ']', ')']) {
        return Ok(label.to_ascii_lowercase());
    }
    match Host::parse(label) {
        Ok(Host::Domain(name)) if !label.contains(')') && !name.contains('.') => Ok(name),
        _ => Err(NoSurt("its host cannot be read")),
    }
}

#[cfg(test)]
mod tests;
