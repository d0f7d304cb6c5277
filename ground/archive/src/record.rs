//! One record as bytes.
//!
//! ```text
//! WARC/1.1 CRLF  ( name ": " value CRLF )*  CRLF  block  CRLF CRLF
//! ```
//!
//! The number of a record is a UUID by name (RFC 9562, version 5) of its type, address, moment and block: the same page kept twice
//! gives the same bytes. Digests are SHA-1 in base 32, as archives write them.

use data_encoding::BASE32;
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

/// A record: its type, the address it is about if it is about one, its moment, the type of its block, and that block.
pub(crate) fn bytes(kind: &str, url: Option<&str>, at: i64, media_type: &str, block: &[u8]) -> Vec<u8> {
    let digest = Sha1::digest(block);
    let mut text = format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:");
    text.push_str(&name(kind, url, at, &digest));
    text.push_str(&format!(">\r\nWARC-Date: {}\r\n", rfc3339(at)));
    if let Some(url) = url {
        text.push_str(&format!("WARC-Target-URI: {}\r\n", one_line(url)));
    }
    let digest = BASE32.encode(&digest);
    text.push_str(&format!("WARC-Block-Digest: sha1:{digest}\r\n"));
    if kind == "resource" {
        text.push_str(&format!("WARC-Payload-Digest: sha1:{digest}\r\n"));
    }
    text.push_str(&format!("Content-Type: {}\r\nContent-Length: {}\r\n\r\n", one_line(media_type), block.len()));
    let mut record = text.into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

/// Servers choose what stands here: no line of theirs may become a line of ours.
fn one_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

/// A UUID by name.
fn name(kind: &str, url: Option<&str>, at: i64, digest: &[u8]) -> String {
    let mut hash = Sha1::new();
    hash.update(kind);
    hash.update([0]);
    hash.update(url.unwrap_or_default());
    hash.update(at.to_be_bytes());
    hash.update(digest);
    let mut id = [0u8; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    id[6] = id[6] & 0x0f | 0x50;
    id[8] = id[8] & 0x3f | 0x80;
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
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
}
