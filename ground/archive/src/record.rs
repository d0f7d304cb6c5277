//! One record as bytes, and the fields of its head read back.
//!
//! ```text
//! WARC/1.1 CRLF  ( name ": " value CRLF )*  CRLF  block  CRLF CRLF
//! ```
//!
//! The number of a record is a UUID by name (RFC 9562, version 5) of its type, URL, moment and block, and of whatever else its
//! writer adds: the same page kept twice gives the same bytes. Digests are SHA-1 in base 32, as archives write them. An answer whose body
//! has a digest of its own (`WARC-Payload-Digest`) has none of its block besides: both are optional, and to go over every body twice
//! would be a good part of what an archive costs.

use std::borrow::Cow;

use data_encoding::{BASE32, HEXLOWER};
use groma_model::moment::rfc3339;
use sha1::{Digest, Sha1};

/// A thing as it was found at a URL, without the words of the protocol that brought it.
#[derive(Clone, Copy, Debug)]
pub struct Resource<'a> {
    /// URL at which it was found.
    pub url: &'a str,
    /// When it was found, in seconds since 1970.
    pub at: i64,
    pub media_type: &'a str,
    /// The content itself.
    pub bytes: &'a [u8],
}

/// Most heads of records are shorter.
const ROOM: usize = 768;

/// What records are about: all that come of one fetch are about the same.
pub(crate) struct About<'a> {
    url: Option<&'a str>,
    at: i64,
    /// The fields that say so.
    lines: String,
    salt: &'a [u8],
}

impl<'a> About<'a> {
    /// About this URL, if it is about one, at this moment; `salt` tells records apart that are otherwise the same.
    pub(crate) fn new(url: Option<&'a str>, at: i64, salt: &'a [u8]) -> About<'a> {
        let mut lines = String::with_capacity(256);
        push_field(&mut lines, "WARC-Date", &rfc3339(at));
        url.iter().for_each(|url| push_field(&mut lines, "WARC-Target-URI", url));
        About { url, at, lines, salt }
    }
}

/// A record that is being put together: its head so far, and the pieces of its block.
pub(crate) struct Record<'a> {
    head: String,
    block: [&'a [u8]; 2],
    /// Its number, in angle brackets.
    pub(crate) id: String,
}

/// What is at the end of every record.
const END: &[u8] = b"\r\n\r\n";

impl<'a> Record<'a> {
    pub(crate) fn new(kind: &str, about: &About<'_>, block: [&'a [u8]; 2]) -> Record<'a> {
        let mut hash = Sha1::new();
        block.iter().for_each(|piece| hash.update(piece));
        let digest = hash.finalize();
        Record::digested(kind, about, &digest, block).with_digest("WARC-Block-Digest", &digest)
    }

    /// One of an answer whose body comes to `payload`.
    pub(crate) fn of_payload(kind: &str, about: &About<'_>, payload: &[u8], block: [&'a [u8]; 2]) -> Record<'a> {
        Record::digested(kind, about, payload, block).with_digest("WARC-Payload-Digest", payload)
    }

    fn digested(kind: &str, about: &About<'_>, digest: &[u8], block: [&'a [u8]; 2]) -> Record<'a> {
        let id = number(kind, about, digest);
        let mut head = String::with_capacity(ROOM);
        let lines = ["WARC/1.1\r\nWARC-Type: ", kind, "\r\nWARC-Record-ID: ", &id, "\r\n", &about.lines];
        lines.into_iter().for_each(|piece| head.push_str(piece));
        Record { head, block, id }
    }

    /// The same with one more field.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Record<'a> {
        push_field(&mut self.head, name, value);
        self
    }

    fn with_digest(mut self, name: &str, digest: &[u8]) -> Record<'a> {
        [name, ": "].into_iter().for_each(|piece| self.head.push_str(piece));
        push_digest(&mut self.head, digest);
        self.head.push_str("\r\n");
        self
    }

    /// The same with more fields, each a line.
    pub(crate) fn with_fields(mut self, lines: &str) -> Record<'a> {
        self.head.push_str(lines);
        self
    }

    /// The length of its block.
    pub(crate) fn length(&self) -> usize {
        self.block[0].len() + self.block[1].len()
    }

    /// The record with the type of its block, as pieces that follow each other: its head with the first piece of its block, which are put
    /// into `opening`, the second, and its end. Where there is no second, the first has it all: what is short is best in one piece.
    pub(crate) fn pieces<'o>(mut self, media_type: &str, opening: &'o mut Vec<u8>) -> [&'o [u8]; 3]
    where
        'a: 'o,
    {
        let length = self.length().to_string();
        push_field(&mut self.head, "Content-Type", media_type);
        push_field(&mut self.head, "Content-Length", &length);
        let [first, second] = self.block;
        let (here, after) = if second.is_empty() { (END, &[][..]) } else { (&[][..], END) };
        opening.clear();
        [self.head.as_bytes(), b"\r\n", first, here].into_iter().for_each(|piece| opening.extend_from_slice(piece));
        [opening, second, after]
    }
}

/// The version in the first line of a record, if it is none of those that are read: 1.0 and 1.1, and the drafts before them.
pub(crate) fn other_version(line: &[u8]) -> Option<String> {
    let version = line.strip_prefix(b"WARC/")?.trim_ascii();
    let known: [&[u8]; 6] = [b"1.0", b"1.1", b"0.16", b"0.17", b"0.18", b"0.9"];
    let plain = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { '?' };
    (!known.contains(&version)).then(|| version.iter().take(20).map(plain).collect())
}

/// A digest as archives write it.
pub fn digest_text(digest: &[u8]) -> String {
    let mut text = String::with_capacity(40);
    push_digest(&mut text, digest);
    text
}

fn push_digest(text: &mut String, digest: &[u8]) {
    text.push_str("sha1:");
    BASE32.encode_append(digest, text);
}

/// Adds a field to lines of them: to a part of a head, or to the block of a record that says things by name.
pub fn push_field(lines: &mut String, name: &str, value: &str) {
    [name, ": ", &one_line(value), "\r\n"].into_iter().for_each(|piece| lines.push_str(piece));
}

/// A record whole: its type, the URL it is about if it is about one, its moment, the type of its block, and that block.
pub(crate) fn bytes(kind: &str, url: Option<&str>, at: i64, media_type: &str, block: &[u8]) -> Vec<u8> {
    let mut record = Record::new(kind, &About::new(url, at, &[]), [&[], block]);
    if kind == "resource" {
        record = record.with_digest("WARC-Payload-Digest", &Sha1::digest(block));
    }
    record.pieces(media_type, &mut Vec::new()).concat()
}

/// Servers choose what stands here: no line of theirs may become a line of ours.
fn one_line(text: &str) -> Cow<'_, str> {
    // Looked at to its end: so the processor takes many bytes at a time.
    if text.bytes().fold(true, |plain, byte| plain & (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A UUID by name, as archives write it.
fn number(kind: &str, about: &About<'_>, digest: &[u8]) -> String {
    let mut hash = Sha1::new();
    hash.update(kind);
    hash.update([0]);
    hash.update(about.url.unwrap_or_default());
    hash.update(about.at.to_be_bytes());
    hash.update(digest);
    hash.update(about.salt);
    let mut id = [0u8; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    id[6] = id[6] & 0x0f | 0x50;
    id[8] = id[8] & 0x3f | 0x80;
    let mut digits = [0; 32];
    HEXLOWER.encode_mut(&id, &mut digits);
    let digits = str::from_utf8(&digits).unwrap_or_default();
    let mut text = String::with_capacity(48);
    for (before, part) in [("<urn:uuid:", 0..8), ("-", 8..12), ("-", 12..16), ("-", 16..20), ("-", 20..32)] {
        text.push_str(before);
        text.push_str(&digits[part]);
    }
    text.push('>');
    text
}

/// The fields of a head, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(pub Vec<(String, String)>);

impl Fields {
    /// Reads `name: value` lines up to an empty one. Lines that begin with a space go on with the one before (both WARC 1.0 and old HTTP
    /// have them); a line without a colon is left out. Bytes outside UTF-8 are read as Latin-1.
    pub fn read(bytes: &[u8]) -> Fields {
        Fields::parse_with(bytes, |line| match std::str::from_utf8(line) {
            Ok(text) => text.to_owned(),
            Err(_) => latin1(line),
        })
    }

    /// The same, with all bytes outside ASCII read as Latin-1: so header fields of HTTP are read.
    pub fn read_latin1(bytes: &[u8]) -> Fields {
        Fields::parse_with(bytes, latin1)
    }

    fn parse_with(bytes: &[u8], text_of: impl Fn(&[u8]) -> String) -> Fields {
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
