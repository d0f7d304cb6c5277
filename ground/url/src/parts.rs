//! What are the parts of an address? URL standard, section 3.1 "URL representation".

use std::str::Split;

use crate::host::{Host, Kind as HostKind};
use crate::scheme::{Kind, default_port};
use crate::{Url, form_urlencoded};

impl Url {
    /// The whole URL as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The whole, as a string.
    pub fn into_string(self) -> String {
        self.text
    }

    /// In lower case, without the colon.
    pub fn scheme(&self) -> &str {
        &self.text[..self.scheme_end as usize]
    }

    /// Is the scheme one of those the standard treats in a special way: http, https, ws, wss, ftp, file?
    pub fn is_special(&self) -> bool {
        self.kind().is_special()
    }

    pub(crate) fn kind(&self) -> Kind {
        Kind::from_scheme(self.scheme())
    }

    /// Are there two slashes behind the scheme, and thus a host, though it may be empty?
    pub fn has_authority(&self) -> bool {
        self.host != HostKind::None
    }

    /// User, password, host and port as they are written; empty if there are none.
    pub fn authority(&self) -> &str {
        if self.has_authority() { &self.text[self.scheme_end as usize + 3..self.authority_end()] } else { "" }
    }

    /// Where host and port end, before a `/.` that keeps a path from being a host.
    pub(crate) fn authority_end(&self) -> usize {
        (if self.port.is_some() { self.path_start } else { self.host_end }) as usize
    }

    /// Is the path opaque, as of `mailto:` and `data:`, so that nothing but fragments can be joined?
    pub fn cannot_be_a_base(&self) -> bool {
        self.text.as_bytes().get(self.scheme_end as usize + 1) != Some(&b'/')
    }

    /// Percent-encoded; empty if there is none.
    pub fn username(&self) -> &str {
        let start = if self.has_authority() { self.scheme_end as usize + 3 } else { self.username_end as usize };
        &self.text[start..self.username_end as usize]
    }

    /// Percent-encoded; `None` if there is none.
    pub fn password(&self) -> Option<&str> {
        let given = &self.text[self.username_end as usize..self.host_start as usize];
        given.strip_prefix(':')?.strip_suffix('@')
    }

    /// Is there a host that is not empty?
    pub fn has_host(&self) -> bool {
        self.host_start < self.host_end
    }

    /// The host as it is written, IPv6 in brackets; nothing if it is empty.
    pub fn host_str(&self) -> Option<&str> {
        self.has_host().then(|| self.written_host())
    }

    pub(crate) fn written_host(&self) -> &str {
        &self.text[self.host_start as usize..self.host_end as usize]
    }

    /// The host; nothing if it is empty.
    pub fn host(&self) -> Option<Host<&str>> {
        self.host.host(self.written_host())
    }

    /// The host if it is a name.
    pub fn domain(&self) -> Option<&str> {
        if self.host == HostKind::Name { self.host_str() } else { None }
    }

    /// The port; nothing if it is the scheme's own.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The port, be it the scheme's own.
    pub fn port_or_known_default(&self) -> Option<u16> {
        self.port.or_else(|| default_port(self.scheme()))
    }

    /// Percent-encoded, with its slash in front if it has one.
    pub fn path(&self) -> &str {
        &self.text[self.path_start as usize..self.path_end as usize]
    }

    /// What stands between the slashes of the path; nothing if the path is opaque or empty.
    pub fn path_segments(&self) -> Option<Split<'_, char>> {
        self.path().strip_prefix('/').filter(|_| !self.cannot_be_a_base()).map(|path| path.split('/'))
    }

    /// Percent-encoded, without the question mark; an empty query is not the same as none.
    pub fn query(&self) -> Option<&str> {
        self.text[self.path_end as usize..self.query_end as usize].strip_prefix('?')
    }

    /// Names and values of the query, decoded.
    pub fn query_pairs(&self) -> form_urlencoded::Parse<'_> {
        form_urlencoded::parse(self.query().unwrap_or_default().as_bytes())
    }

    /// Percent-encoded, without the hash; an empty fragment is not the same as none.
    pub fn fragment(&self) -> Option<&str> {
        self.text[self.query_end as usize..].strip_prefix('#')
    }
}
