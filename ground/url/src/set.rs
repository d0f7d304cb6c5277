//! How does an address change? URL standard, section 6.1 "URL class", the steps of the setters.
//!
//! Query and fragment are changed at the end of the text; for everything else the address is put together anew from its
//! pieces. Whatever is set, the text still parses to the same address. Not as the standard: a value is taken whole (a `?`
//! at the front of a query is part of it, a port in a host is an error), and what cannot be set is told. Setters panic if
//! the address grows beyond 4 GB.

use crate::error::{ParseError, SetError};
use crate::host::{self, Kind as HostKind};
use crate::parse::without_breaks;
use crate::scheme::{self, Kind, default_port};
use crate::{Url, encode, path};

/// The parts of an address; nothing is checked when they are put together.
struct Pieces<'a> {
    scheme: &'a str,
    username: &'a str,
    password: &'a str,
    host: HostKind,
    name: &'a str,
    port: Option<u16>,
    path: &'a str,
    /// Query and fragment, as they are written.
    tail: &'a str,
}

impl Pieces<'_> {
    /// The address; the query is as long as it was.
    fn joined(self, query_length: u32) -> Url {
        let mut url = Url { host: self.host, port: self.port, ..Url::blank() };
        let length = self.scheme.len() + self.username.len() + self.password.len() + self.name.len() + self.path.len();
        url.text.reserve(length + self.tail.len() + 16);
        url.text.push_str(self.scheme);
        url.scheme_end = url.text_end();
        url.text.push_str(if self.host == HostKind::None { ":" } else { "://" });
        url.text.push_str(self.username);
        url.username_end = url.text_end();
        if !self.password.is_empty() {
            url.text.push(':');
            url.text.push_str(self.password);
        }
        if !self.username.is_empty() || !self.password.is_empty() {
            url.text.push('@');
        }
        url.host_start = url.text_end();
        url.text.push_str(self.name);
        url.host_end = url.text_end();
        if let Some(port) = self.port {
            url.text.push(':');
            url.text.push_str(&port.to_string());
        }
        url.path_start = url.text_end();
        url.text.push_str(self.path);
        url.keep_path_from_being_a_host();
        url.path_end = url.text_end();
        url.text.push_str(self.tail);
        url.text_end();
        url.query_end = url.path_end + query_length;
        url
    }
}

impl Url {
    /// Where the text ends, as positions in it are kept.
    pub(crate) fn text_end(&self) -> u32 {
        u32::try_from(self.text.len()).expect("an address has at most 4 GB")
    }

    fn pieces(&self) -> Pieces<'_> {
        Pieces {
            scheme: self.scheme(),
            username: self.username(),
            password: self.password().unwrap_or_default(),
            host: self.host,
            name: self.written_host(),
            port: self.port,
            path: self.path(),
            tail: &self.text[self.path_end as usize..],
        }
    }

    fn query_length(&self) -> u32 {
        self.query_end - self.path_end
    }

    /// User, password and port belong to a host, and not to that of a file.
    fn wants_host(&self) -> Result<(), SetError> {
        if self.has_host() && self.kind() != Kind::File { Ok(()) } else { Err(SetError::NoHost) }
    }

    /// Sets the fragment, without its hash, or takes it away.
    pub fn set_fragment(&mut self, fragment: Option<&str>) {
        self.text.truncate(self.query_end as usize);
        if let Some(fragment) = fragment {
            self.text.push('#');
            encode::push(&mut self.text, &without_breaks(fragment), encode::FRAGMENT);
            self.text_end();
        }
    }

    /// Sets the query, without its question mark, or takes it away.
    pub fn set_query(&mut self, query: Option<&str>) {
        let fragment = self.text.split_off(self.query_end as usize);
        self.text.truncate(self.path_end as usize);
        if let Some(query) = query {
            let set = if self.is_special() { encode::SPECIAL_QUERY } else { encode::QUERY };
            self.text.push('?');
            encode::push(&mut self.text, &without_breaks(query), set);
        }
        self.query_end = self.text_end();
        self.text.push_str(&fragment);
        self.text_end();
    }

    /// Sets the path; question marks and hashes in it are encoded. An opaque path stays as it is.
    pub fn set_path(&mut self, path: &str) {
        if self.cannot_be_a_base() {
            return;
        }
        let (kind, given) = (self.kind(), without_breaks(path));
        let mut path = String::with_capacity(given.len() + 1);
        let slash = given.as_bytes().first().is_some_and(|&byte| kind.is_slash(byte));
        if !given.is_empty() || kind.is_special() || !self.has_authority() {
            path::push(&mut path, 0, kind, &given[usize::from(slash)..], true);
        }
        *self = Pieces { path: &path, ..self.pieces() }.joined(self.query_length());
    }

    /// Sets the host, or takes it away with user, password and port; the special schemes want one, files an empty one at
    /// least.
    pub fn set_host(&mut self, host: Option<&str>) -> Result<(), SetError> {
        if self.cannot_be_a_base() {
            return Err(SetError::OpaquePath);
        }
        let kind = self.kind();
        let Some(host) = host.map(without_breaks).or_else(|| (kind == Kind::File).then(|| "".into())) else {
            return self.take_host_away();
        };
        if host.is_empty() && (kind == Kind::Web || self.port.is_some() || self.username_end < self.host_start) {
            return Err(ParseError::EmptyHost.into());
        }
        let mut name = String::new();
        let host = match kind {
            Kind::Web => host::push(&mut name, &host)?,
            Kind::File if host.is_empty() => HostKind::Name,
            Kind::File => host::push(&mut name, &host)?,
            Kind::Other => host::push_opaque(&mut name, &host)?,
        };
        if kind == Kind::File && name == "localhost" {
            name.clear();
        }
        *self = Pieces { host, name: &name, ..self.pieces() }.joined(self.query_length());
        Ok(())
    }

    fn take_host_away(&mut self) -> Result<(), SetError> {
        if self.is_special() {
            return Err(ParseError::EmptyHost.into());
        }
        // Without a host, a path that is empty would be opaque.
        let path = if self.path().is_empty() { "/" } else { self.path() };
        let pieces =
            Pieces { host: HostKind::None, name: "", username: "", password: "", port: None, path, ..self.pieces() };
        *self = pieces.joined(self.query_length());
        Ok(())
    }

    /// Sets the port, or takes it away.
    pub fn set_port(&mut self, port: Option<u16>) -> Result<(), SetError> {
        self.wants_host()?;
        let port = port.filter(|&port| default_port(self.scheme()) != Some(port));
        *self = Pieces { port, ..self.pieces() }.joined(self.query_length());
        Ok(())
    }

    /// Sets the scheme, without its colon. The special schemes can be exchanged for each other, and the others.
    pub fn set_scheme(&mut self, scheme: &str) -> Result<(), SetError> {
        let scheme = scheme.to_ascii_lowercase();
        let (old, new) = (self.kind(), Kind::from_scheme(&scheme));
        let lost = new == Kind::File && (self.port.is_some() || self.username_end < self.host_start);
        let bare = old == Kind::File && !self.has_host();
        if !scheme::is_scheme(&scheme) || old.is_special() != new.is_special() || lost || (bare && new != Kind::File) {
            return Err(SetError::Scheme);
        }
        let port = self.port.filter(|&port| default_port(&scheme) != Some(port));
        let url = Pieces { scheme: &scheme, port, ..self.pieces() }.joined(self.query_length());
        // What was a plain segment or host may be a drive or `localhost` now.
        *self = if new == Kind::File { Url::parse(&url.text)? } else { url };
        Ok(())
    }

    /// Sets the user name, or takes it away if it is empty.
    pub fn set_username(&mut self, username: &str) -> Result<(), SetError> {
        self.wants_host()?;
        let mut written = String::new();
        encode::push(&mut written, username, encode::USERINFO);
        *self = Pieces { username: &written, ..self.pieces() }.joined(self.query_length());
        Ok(())
    }

    /// Sets the password, or takes it away.
    pub fn set_password(&mut self, password: Option<&str>) -> Result<(), SetError> {
        self.wants_host()?;
        let mut written = String::new();
        encode::push(&mut written, password.unwrap_or_default(), encode::USERINFO);
        *self = Pieces { password: &written, ..self.pieces() }.joined(self.query_length());
        Ok(())
    }
}
