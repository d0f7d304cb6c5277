//! One record as bytes, and the fields of its head read back.
//!
//! ```text
//! WARC/1.1 CRLF  ( name ": " value CRLF )*  CRLF  block  CRLF CRLF
//! ```
//!
//! The number of a record is a UUID by name (RFC 9562, version 5) of its type, address, moment and block, and of whatever else its
//! writer adds: the same page kept twice gives the same bytes. Digests are SHA-1 in base 32, as archives write them. An answer whose body
//! has a digest of its own (`WARC-Payload-Digest`) has none of its block besides: both are optional, and to go over every body twice
//! would be a good part of what an archive costs.

use std::borrow::Cow;
use std::fmt::Write;

use data_encoding::{BASE32, HEXLOWER};
use groma_model::moment::rfc3339;
use sha1::{Digest, Sha1};

/// A thing as it was found at an address, without the words of the protocol that brought it.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'a> {
    /// Its address.
    pub url: &'a str,
    /// When it was found, in seconds since 1970.
    pub at: i64,
    /// Its media type.
    pub media_type: &'a str,
    /// It itself.
    pub bytes: &'a [u8],
}

/// Most heads of records are shorter.
const ROOM: usize = 768;

/// A record that is being put together: its head so far, and the pieces of its block.
pub struct Record<'a> {
    head: String,
    block: [&'a [u8]; 2],
    /// Its number, in angle brackets.
    pub id: String,
}

impl<'a> Record<'a> {
    /// Of this type, at this moment, about this address if it is about one; `salt` tells records apart that are otherwise the same.
    pub fn new(kind: &str, url: Option<&str>, at: i64, salt: &[u8], block: [&'a [u8]; 2]) -> Record<'a> {
        let mut hash = Sha1::new();
        block.iter().for_each(|piece| hash.update(piece));
        let digest = hash.finalize();
        Record::digested(kind, url, at, salt, &digest, block).with("WARC-Block-Digest", &digest_text(&digest))
    }

    /// One of an answer whose body comes to `payload`.
    pub fn of_payload(kind: &str, url: &str, at: i64, salt: &[u8], payload: &[u8], block: [&'a [u8]; 2]) -> Record<'a> {
        let record = Record::digested(kind, Some(url), at, salt, payload, block);
        record.with("WARC-Payload-Digest", &digest_text(payload))
    }

    fn digested(
        kind: &str,
        url: Option<&str>,
        at: i64,
        salt: &[u8],
        digest: &[u8],
        block: [&'a [u8]; 2],
    ) -> Record<'a> {
        let id = format!("<urn:uuid:{}>", name(kind, url, at, digest, salt));
        let mut head = String::with_capacity(ROOM);
        let _ = write!(head, "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {id}\r\nWARC-Date: {}\r\n", rfc3339(at));
        let record = Record { head, block, id };
        match url {
            Some(url) => record.with("WARC-Target-URI", url),
            None => record,
        }
    }

    /// The same with one more field.
    pub fn with(mut self, name: &str, value: &str) -> Record<'a> {
        for piece in [name, ": ", &one_line(value), "\r\n"] {
            self.head.push_str(piece);
        }
        self
    }

    /// The length of its block.
    pub fn length(&self) -> usize {
        self.block[0].len() + self.block[1].len()
    }

    /// Hands the record over piece by piece.
    pub fn pieces<E>(mut self, media_type: &str, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let length = self.length();
        let _ = write!(self.head, "Content-Type: {}\r\nContent-Length: {length}\r\n\r\n", one_line(media_type));
        put(self.head.as_bytes())?;
        put(self.block[0])?;
        put(self.block[1])?;
        put(b"\r\n\r\n")
    }
}

/// A digest as archives write it.
pub fn digest_text(digest: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(digest))
}

/// The block of a record that says things by name.
pub fn fields_block(fields: &[(&str, &str)]) -> String {
    fields.iter().map(|(name, value)| format!("{name}: {}\r\n", one_line(value))).collect()
}

/// A record whole: its type, the address it is about if it is about one, its moment, the type of its block, and that block.
pub(crate) fn bytes(kind: &str, url: Option<&str>, at: i64, media_type: &str, block: &[u8]) -> Vec<u8> {
    let mut record = Record::new(kind, url, at, &[], [block, &[]]);
    if kind == "resource" {
        record = record.with("WARC-Payload-Digest", &digest_text(&Sha1::digest(block)));
    }
    let mut bytes = Vec::with_capacity(block.len() + 512);
    let done: Result<(), std::convert::Infallible> = record.pieces(media_type, |piece| {
        bytes.extend_from_slice(piece);
        Ok(())
    });
    done.unwrap_or_else(|never| match never {});
    bytes
}

/// Servers choose what stands here: no line of theirs may become a line of ours.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A UUID by name.
fn name(kind: &str, url: Option<&str>, at: i64, digest: &[u8], salt: &[u8]) -> String {
    let mut hash = Sha1::new();
    hash.update(kind);
    hash.update([0]);
    hash.update(url.unwrap_or_default());
    hash.update(at.to_be_bytes());
    hash.update(digest);
    hash.update(salt);
    let mut id = [0u8; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    id[6] = id[6] & 0x0f | 0x50;
    id[8] = id[8] & 0x3f | 0x80;
    let mut hex = HEXLOWER.encode(&id);
    [20, 16, 12, 8].into_iter().for_each(|at| hex.insert(at, '-'));
    hex
}

/// The fields of a head, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// Reads `name: value` lines up to an empty one. Lines that begin with a space go on with the one before (both WARC 1.0 and old HTTP
    /// have them); a line without a colon is left out. Bytes outside UTF-8 are read as Latin-1.
    pub fn read(bytes: &[u8]) -> Fields {
        Fields::of(bytes, |line| match std::str::from_utf8(line) {
            Ok(text) => text.to_owned(),
            Err(_) => latin1(line),
        })
    }

    /// The same, with all bytes outside ASCII read as Latin-1: so header fields of HTTP are read.
    pub fn read_latin1(bytes: &[u8]) -> Fields {
        Fields::of(bytes, latin1)
    }

    fn of(bytes: &[u8], text_of: impl Fn(&[u8]) -> String) -> Fields {
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in bytes.split(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = text_of(line);
            match (text.starts_with([' ', '\t']), fields.last_mut()) {
                (true, Some((_, value))) => {
                    value.push(' ');
                    value.push_str(text.trim());
                }
                _ => {
                    if let Some((name, value)) = text.split_once(':') {
                        fields.push((name.trim().to_owned(), value.trim().to_owned()));
                    }
                }
            }
        }
        Fields(fields)
    }

    /// The first value of a field, whatever the case of its name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

fn latin1(line: &[u8]) -> String {
    line.iter().copied().map(char::from).collect()
}

/// A moment as archives write it (RFC 3339, with fractions of seconds or without; also the 14 digits of an index), in seconds since
/// 1970.
pub fn moment_of(text: &str) -> Option<i64> {
    let digits: Vec<i64> =
        text.bytes().filter(u8::is_ascii_digit).map(|digit| i64::from(digit - b'0')).take(14).collect();
    if digits.len() < 14 {
        return None;
    }
    let number = |range: std::ops::Range<usize>| digits[range].iter().fold(0, |sum, digit| sum * 10 + digit);
    let (year, month, day) = (number(0..4), number(4..6), number(6..8));
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Days since 1970, counted in years that begin in March.
    let (years, months) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = years * 365 + years.div_euclid(4) - years.div_euclid(100)
        + years.div_euclid(400)
        + (153 * months + 2) / 5
        + day
        - 1
        - 719_468;
    Some(days * 86_400 + number(8..10) * 3600 + number(10..12) * 60 + number(12..14))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_its_head_its_block_and_two_empty_lines() {
        let record = bytes("resource", Some("http://a.test/\r\nX: y"), 0, "text/html", b"<p>\r\n");
        let text = String::from_utf8(record).unwrap();
        let (head, block) = text.split_once("\r\n\r\n").unwrap();
        let lines: Vec<&str> = head.split("\r\n").collect();
        assert_eq!(lines[0], "WARC/1.1");
        assert!(lines.contains(&"WARC-Date: 1970-01-01T00:00:00Z"), "{lines:?}");
        assert!(lines.contains(&"WARC-Target-URI: http://a.test/X: y"), "{lines:?}");
        assert!(lines.contains(&"Content-Length: 5"), "{lines:?}");
        assert_eq!(block, "<p>\r\n\r\n\r\n");
    }

    #[test]
    fn the_same_thing_has_the_same_number_and_another_has_another() {
        let number = |at: i64, block: &[u8]| {
            let text = String::from_utf8(bytes("resource", Some("http://a.test/"), at, "text/html", block)).unwrap();
            text.lines().find(|line| line.starts_with("WARC-Record-ID")).unwrap().to_owned()
        };
        assert_eq!(number(1, b"a"), number(1, b"a"));
        assert_ne!(number(1, b"a"), number(2, b"a"));
        assert_ne!(number(1, b"a"), number(1, b"b"));
        // Version 5, variant of the RFC.
        let id = number(1, b"a").split("uuid:").nth(1).unwrap().to_owned();
        assert_eq!(id.as_bytes()[14], b'5');
        assert!(b"89ab".contains(&id.as_bytes()[19]), "{id}");
    }

    #[test]
    fn fields_are_read_whatever_their_case_and_folding() {
        let fields = Fields::read(b"WARC-Type: response\r\nX: a\r\n  b\r\nnonsense\r\nN: \xe9\r\n");
        assert_eq!(fields.get("warc-type"), Some("response"));
        assert_eq!(fields.get("x"), Some("a b"));
        assert_eq!(fields.get("n"), Some("é"));
        assert_eq!(fields.0.len(), 3);
    }

    #[test]
    fn moments_come_back() {
        for at in [0, 951_782_400, 1_700_000_001, 4_102_444_799] {
            assert_eq!(moment_of(&rfc3339(at)), Some(at));
        }
        assert_eq!(moment_of("2024-02-29T12:00:00.123456Z"), moment_of("20240229120000"));
        assert_eq!(moment_of("2024-13-01T00:00:00Z"), None);
        assert_eq!(moment_of("soon"), None);
    }
}
