//! Which bytes are written as `%XX`, and how is that read back? URL standard, section 1.3 "Percent-encoded bytes".
//!
//! The sets of the standard are bits of one table of 256 bytes. Everything above ASCII is in every set, so what is not encoded is
//! ASCII and may be cut anywhere. Cost: one look at each byte. Not guaranteed: that what is decoded is text; that is for the
//! caller to see.

use std::borrow::Cow;

/// A percent-encode set, or another class of bytes; sets are put together with `|`.
pub(crate) type Set = u8;

/// C0 control percent-encode set: opaque paths and opaque hosts.
pub(crate) const CONTROL: Set = 1;
/// Fragment percent-encode set.
pub(crate) const FRAGMENT: Set = 1 << 1;
/// Query percent-encode set.
pub(crate) const QUERY: Set = 1 << 2;
/// Special-query percent-encode set.
pub(crate) const SPECIAL_QUERY: Set = 1 << 3;
/// Path percent-encode set.
pub(crate) const PATH: Set = 1 << 4;
/// Userinfo percent-encode set.
pub(crate) const USERINFO: Set = 1 << 5;
/// No set of the standard: both slashes, at which the reading of a path stops.
pub(crate) const SLASH: Set = 1 << 6;
/// No set of the standard: whatever a host cannot take over as it is, be it forbidden, upper case, encoded or not ASCII.
pub(crate) const HOST: Set = 1 << 7;

/// Of every byte: the sets it is in.
static TABLE: [Set; 256] = table();

const fn table() -> [Set; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let c = byte as u8;
        let control = c < b' ' || c > b'~';
        let query = control || matches!(c, b' ' | b'"' | b'#' | b'<' | b'>');
        let path = query || matches!(c, b'?' | b'^' | b'`' | b'{' | b'}');
        let userinfo = path || matches!(c, b'/' | b':' | b';' | b'=' | b'@' | b'[' | b'\\' | b']' | b'|');
        let mut sets = 0;
        if control {
            sets |= CONTROL;
        }
        if control || matches!(c, b' ' | b'"' | b'<' | b'>' | b'`') {
            sets |= FRAGMENT;
        }
        if query {
            sets |= QUERY;
        }
        if query || c == b'\'' {
            sets |= SPECIAL_QUERY;
        }
        if path {
            sets |= PATH;
        }
        if userinfo {
            sets |= USERINFO;
        }
        if matches!(c, b'/' | b'\\') {
            sets |= SLASH;
        }
        if is_forbidden_in_domain(c) || c.is_ascii_uppercase() || c >= 0x80 {
            sets |= HOST;
        }
        table[byte] = sets;
        byte += 1;
    }
    table
}

/// Forbidden host code points.
pub(crate) const fn is_forbidden_in_host(c: u8) -> bool {
    matches!(c, 0 | b'\t' | b'\n' | b'\r' | b' ' | b'#' | b'/' | b':' | b'<' | b'>' | b'?' | b'@' | b'[' | b'\\' | b']')
        || matches!(c, b'^' | b'|')
}

/// Forbidden domain code points.
pub(crate) const fn is_forbidden_in_domain(c: u8) -> bool {
    is_forbidden_in_host(c) || c.is_ascii_control() || c == b'%'
}

/// Is the byte in one of the sets?
#[inline]
pub(crate) fn is_in(byte: u8, set: Set) -> bool {
    TABLE[usize::from(byte)] & set != 0
}

/// Is none of these bytes in the set?
#[inline]
pub(crate) fn has_none_of(bytes: &[u8], set: Set) -> bool {
    bytes.iter().all(|&byte| !is_in(byte, set))
}

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Writes one byte as `%XX`.
pub(crate) fn push_escaped(to: &mut String, byte: u8) {
    to.push('%');
    to.push(char::from(HEX[usize::from(byte >> 4)]));
    to.push(char::from(HEX[usize::from(byte & 15)]));
}

/// Writes text, encoding what is in the set.
pub(crate) fn push(to: &mut String, text: &str, set: Set) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if is_in(byte, set) {
            // What is not in the set is ASCII, hence both ends are boundaries wherever something lies between them.
            if from < at {
                to.push_str(&text[from..at]);
            }
            push_escaped(to, byte);
            from = at + 1;
        }
    }
    if from < text.len() {
        to.push_str(&text[from..]);
    }
}

/// Writes bytes of whatever encoding, encoding what is in the set.
pub(crate) fn push_bytes(to: &mut String, bytes: &[u8], set: Set) {
    for &byte in bytes {
        if is_in(byte, set) {
            push_escaped(to, byte);
        } else {
            to.push(char::from(byte));
        }
    }
}

/// Reads `%XX` back; a percent sign that begins none stays as it is.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = bytes.iter().position(|&byte| byte == b'%') else { return Cow::Borrowed(bytes) };
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(&bytes[..first]);
    let mut at = first;
    while let Some(&byte) = bytes.get(at) {
        let escaped = if byte == b'%' { hex(bytes, at + 1).zip(hex(bytes, at + 2)) } else { None };
        out.push(escaped.map_or(byte, |(high, low)| high << 4 | low));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    Cow::Owned(out)
}

fn hex(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = char::from(*bytes.get(at)?).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(set: Set) -> String {
        (b' '..=b'~').filter(|&byte| is_in(byte, set)).map(char::from).collect()
    }

    #[test]
    fn the_sets_are_those_of_the_standard() {
        assert_eq!(members(CONTROL), "");
        assert_eq!(members(FRAGMENT), " \"<>`");
        assert_eq!(members(QUERY), " \"#<>");
        assert_eq!(members(SPECIAL_QUERY), " \"#'<>");
        assert_eq!(members(PATH), " \"#<>?^`{}");
        assert_eq!(members(USERINFO), " \"#/:;<=>?@[\\]^`{|}");
        for byte in (0..b' ').chain(0x7f..=0xff) {
            let all = CONTROL | FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO | HOST;
            assert_eq!(TABLE[usize::from(byte)], all, "{byte}");
        }
    }

    #[test]
    fn text_is_encoded_and_read_back() {
        let written = |text: &str, set| {
            let mut to = String::new();
            push(&mut to, text, set);
            let mut bytewise = String::new();
            push_bytes(&mut bytewise, text.as_bytes(), set);
            assert_eq!(to, bytewise);
            to
        };
        assert_eq!(written("a é\u{10ffff}b", PATH), "a%20%C3%A9%F4%8F%BF%BFb");
        assert_eq!(written("éé'", QUERY), "%C3%A9%C3%A9'");
        assert_eq!(decode(b"a%20%c3%A9%"), &b"a \xc3\xa9%"[..]);
        assert_eq!(decode(b"%2%zz%%41"), &b"%2%zz%A"[..]);
        assert!(matches!(decode(b"plain"), Cow::Borrowed(_)));
    }
}
