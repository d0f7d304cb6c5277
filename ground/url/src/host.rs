//! Which host is meant? URL standard, section 3.5 "Host parsing".
//!
//! A host in ASCII is taken as it is, in lower case, whatever its `xn--` labels decode to (whatwg/url pull request 914); what
//! is not ASCII goes through UTS 46 with the standard's flags (crate idna). Cost: linear, one pass for plain lower-case
//! names. Not guaranteed: that the name can be looked up; length of names and labels is not checked, as the standard wants it.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::error::ParseError;
use crate::{encode, ipv4, ipv6};

/// The host of an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Host<S = String> {
    /// A name in ASCII and lower case; of schemes that are not special: whatever stands there, percent-encoded.
    Domain(S),
    Ipv4(Ipv4Addr),
    Ipv6(Ipv6Addr),
}

impl Host<String> {
    /// Reads a host as of a web address: a name, a number, or an IPv6 address in brackets.
    pub fn parse(text: &str) -> Result<Host<String>, ParseError> {
        Host::parsed(text, push)
    }

    /// Reads a host as of a scheme that is not special.
    pub fn parse_opaque(text: &str) -> Result<Host<String>, ParseError> {
        Host::parsed(text, push_opaque)
    }

    fn parsed(text: &str, push: fn(&mut String, &str) -> Result<Kind, ParseError>) -> Result<Host<String>, ParseError> {
        let mut written = String::new();
        let kind = push(&mut written, text)?;
        match kind.host(&written) {
            Some(host) => Ok(host.to_owned()),
            None => Err(ParseError::EmptyHost),
        }
    }
}

impl Host<&str> {
    /// A copy that borrows nothing.
    pub fn to_owned(&self) -> Host<String> {
        match *self {
            Host::Domain(name) => Host::Domain(name.to_owned()),
            Host::Ipv4(address) => Host::Ipv4(address),
            Host::Ipv6(address) => Host::Ipv6(address),
        }
    }
}

impl<S: AsRef<str>> fmt::Display for Host<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Domain(name) => f.write_str(name.as_ref()),
            Host::Ipv4(address) => address.fmt(f),
            Host::Ipv6(address) => {
                f.write_str("[")?;
                ipv6::write(f, *address)?;
                f.write_str("]")
            }
        }
    }
}

/// What the text of a host is; the numbers are read from it again when somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is none, not even an empty one.
    None,
    /// A name, maybe empty.
    Name,
    /// Four decimal numbers.
    Ipv4,
    /// An IPv6 address in brackets.
    Ipv6,
}

impl Kind {
    /// The host this text is; nothing if it is empty.
    pub(crate) fn host(self, text: &str) -> Option<Host<&str>> {
        match self {
            Kind::None => None,
            Kind::Name => (!text.is_empty()).then_some(Host::Domain(text)),
            Kind::Ipv4 => text.parse().ok().map(Host::Ipv4),
            Kind::Ipv6 => inside_brackets(text).and_then(ipv6::parse).map(Host::Ipv6),
        }
    }
}

fn inside_brackets(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// Reads a host of a special scheme and writes it.
pub(crate) fn push(to: &mut String, text: &str) -> Result<Kind, ParseError> {
    if text.starts_with('[') {
        return push_ipv6(to, text);
    }
    let start = to.len();
    if encode::has_none_of(text.as_bytes(), encode::HOST) {
        to.push_str(text);
    } else {
        push_domain(to, text)?;
    }
    let name = &to[start..];
    if name.is_empty() {
        return Err(ParseError::EmptyHost);
    }
    if !ipv4::ends_in_a_number(name) {
        return Ok(Kind::Name);
    }
    let address = ipv4::parse(name).ok_or(ParseError::InvalidIpv4Address)?;
    to.truncate(start);
    to.push_str(&address.to_string());
    Ok(Kind::Ipv4)
}

/// A name that is not as it will be written.
fn push_domain(to: &mut String, text: &str) -> Result<(), ParseError> {
    let decoded = encode::decode(text.as_bytes());
    if !decoded.is_ascii() {
        let name =
            idna::domain_to_ascii_from_cow(decoded, idna::AsciiDenyList::URL).map_err(|_| ParseError::IdnaError)?;
        to.push_str(&name);
        return Ok(());
    }
    if decoded.iter().any(|&byte| encode::is_forbidden_in_domain(byte)) {
        return Err(ParseError::InvalidDomainCharacter);
    }
    to.extend(decoded.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
    Ok(())
}

/// Reads a host of a scheme that is not special and writes it; it may be empty.
pub(crate) fn push_opaque(to: &mut String, text: &str) -> Result<Kind, ParseError> {
    if text.starts_with('[') {
        return push_ipv6(to, text);
    }
    if text.bytes().any(encode::is_forbidden_in_host) {
        return Err(ParseError::InvalidDomainCharacter);
    }
    encode::push(to, text, encode::CONTROL);
    Ok(Kind::Name)
}

fn push_ipv6(to: &mut String, text: &str) -> Result<Kind, ParseError> {
    let address = inside_brackets(text).and_then(ipv6::parse).ok_or(ParseError::InvalidIpv6Address)?;
    ipv6::push_host(to, address);
    Ok(Kind::Ipv6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, ParseError> {
        Host::parse(text).map(|host| host.to_string())
    }

    #[test]
    fn ascii_is_taken_as_it_is_in_lower_case() {
        assert_eq!(read("WWW.Example.ORG").as_deref(), Ok("www.example.org"));
        assert_eq!(read("a.XN--pokxncvks").as_deref(), Ok("a.xn--pokxncvks"));
        assert_eq!(read("xn--8i7caa.famitei.net").as_deref(), Ok("xn--8i7caa.famitei.net"));
        assert_eq!(read("%41.b_c~!$&'()*+,;=").as_deref(), Ok("a.b_c~!$&'()*+,;="));
    }

    #[test]
    fn other_names_go_through_uts_46() {
        assert_eq!(read("bücher.example").as_deref(), Ok("xn--bcher-kva.example"));
        assert_eq!(read("b%C3%BCcher.example").as_deref(), Ok("xn--bcher-kva.example"));
        assert_eq!(read("０Ｘｃ０．０２５０．０１").as_deref(), Ok("192.168.0.1"));
        assert_eq!(read("é.xn--pokxncvks"), Err(ParseError::IdnaError));
        assert_eq!(read("%ff"), Err(ParseError::IdnaError));
        assert_eq!(read("\u{ad}"), Err(ParseError::EmptyHost));
    }

    #[test]
    fn what_is_no_host() {
        for bad in ["a b", "a%", "a%25b", "a:1", "a@b", "a\0", "a\u{7f}", "a|b", "a^b", "<"] {
            assert_eq!(read(bad), Err(ParseError::InvalidDomainCharacter), "{bad}");
        }
        assert_eq!(read(""), Err(ParseError::EmptyHost));
        assert_eq!(read("1.2.3.999"), Err(ParseError::InvalidIpv4Address));
        for bad in ["[", "[]", "[::1", "[::1]x", "[1.2.3.4]"] {
            assert_eq!(read(bad), Err(ParseError::InvalidIpv6Address), "{bad}");
        }
    }

    #[test]
    fn an_opaque_host_keeps_its_case_and_its_percent_signs() {
        assert_eq!(Host::parse_opaque("A%é"), Ok(Host::Domain("A%%C3%A9".to_owned())));
        assert_eq!(Host::parse_opaque("1.2"), Ok(Host::Domain("1.2".to_owned())));
        assert_eq!(Host::parse_opaque("[::1]"), Ok(Host::Ipv6(Ipv6Addr::LOCALHOST)));
        assert_eq!(Host::parse_opaque("a<"), Err(ParseError::InvalidDomainCharacter));
    }
}
