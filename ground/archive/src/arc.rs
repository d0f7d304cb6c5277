//! ARC, the format before WARC: a line that says what follows, and so many bytes of it. Versions 1.0, 1.1 and 2.0 (Internet Archive, 1996).
//!
//! ```text
//! filedesc://NAME 0.0.0.0 19970417175710 text/plain 76      the first record: which version, and which fields a line has
//! http://a.example/ 192.0.2.1 19970417175710 text/html 413  version 1: address, IP address, moment, type, bytes
//! http://a.example/ 192.0.2.1 19970417175710 text/html 200 CHECKSUM - 1000 NAME 413   version 2: more between type and bytes
//! ```
//!
//! What follows is the answer as it came, its head included. A line is taken for one only if its moment stands behind an IP address and
//! its last word is a number, since there is no other sign. An address with spaces in it is read as it was written. The record comes
//! out with the fields a WARC record would have, so that nobody else need know.

use crate::reader::Record;
use crate::record::Fields;

/// No line is longer: addresses of browsers were not.
pub(crate) const HEAD: usize = 8192;

/// What the line before a record says.
pub(crate) struct Head {
    pub(crate) fields: Fields,
    pub(crate) length: u64,
}

/// Could a record begin so? The first five bytes of its line.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    [&b"http:"[..], b"https", b"filed", b"dns:", b"ftp:/"].iter().any(|scheme| bytes.starts_with(scheme))
}

/// Does a record begin here?
pub(crate) fn is_head(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|&byte| byte == b'\n');
    begins(bytes) && end.is_some_and(|end| head(&bytes[..=end]).is_some())
}

/// Reads the line before a record.
pub(crate) fn head(line: &[u8]) -> Option<Head> {
    if !begins(line) || line.len() > HEAD {
        return None;
    }
    let text: String = match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => line.iter().copied().map(char::from).collect(),
    };
    let words: Vec<&str> = text.trim_end_matches(['\r', '\n']).split(' ').collect();
    let length: u64 = words.last()?.parse().ok()?;
    // Address, IP address and moment; then type and length at least.
    let date = (2..words.len().saturating_sub(1)).find(|&at| is_moment(words[at]) && is_address(words[at - 1]))?;
    let url = words[..date - 1].join(" ");
    let kind = if url.starts_with("filedesc:") { INFO } else { "response" };
    let media_type = words.get(date + 1).filter(|_| date + 2 < words.len()).copied().unwrap_or_default();
    let fields = [
        ("WARC-Type", kind.to_owned()),
        ("WARC-Target-URI", url),
        ("WARC-Date", words[date].to_owned()),
        ("WARC-IP-Address", words[date - 1].to_owned()),
        ("Content-Type", media_type.to_owned()),
        ("Content-Length", length.to_string()),
    ];
    let fields = Fields(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect());
    Some(Head { fields, length })
}

/// The type of the record that opens a file.
const INFO: &str = "arcinfo";

/// The version of a file that the record which opens it names, if it is none of those that are read.
pub(crate) fn other_version(record: &Record) -> Option<String> {
    if record.kind() != INFO {
        return None;
    }
    let line = record.block.split(|&byte| byte == b'\n').next()?;
    let version = line.split(|&byte| byte == b' ').next()?;
    let plain = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { '?' };
    let text = || format!("ARC {}", version.iter().take(20).map(plain).collect::<String>());
    (!matches!(version, b"1" | b"2")).then(text)
}

/// Years to seconds, or at least to minutes; some writers add thousandths.
fn is_moment(word: &str) -> bool {
    (14..=17).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_address(word: &str) -> bool {
    word == "-" || word.parse::<std::net::IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Finding, Reader};
    use flate2::write::GzEncoder;
    use std::io::{Cursor, Write};
    use std::ops::ControlFlow;

    const BOUNDS: Bounds = Bounds { head: 4096, block: 1 << 20, keep: 1 << 16 };

    fn read(bytes: &[u8]) -> (Vec<Record>, Vec<Finding>) {
        let (mut records, mut findings) = (Vec::new(), Vec::new());
        let mut reader = Reader::new(Cursor::new(bytes), BOUNDS);
        reader
            .each(&mut |found| {
                match found {
                    Ok(record) => records.push(record),
                    Err(finding) => findings.push(finding),
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        for record in &records {
            let again = Reader::new(Cursor::new(bytes), BOUNDS).at(record.offset, record.inner).unwrap().unwrap();
            assert_eq!((again.block, again.fields.0), (record.block.clone(), record.fields.0.clone()));
        }
        (records, findings)
    }

    fn info(says: &str) -> Vec<u8> {
        format!("filedesc://x.arc 0.0.0.0 20050102030405 text/plain {}\n{says}\n", says.len()).into_bytes()
    }

    fn page(url: &str, more: &str, body: &str) -> Vec<u8> {
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        format!("{url} 192.0.2.7 20050102030405 text/html {more}{}\n{answer}\n", answer.len()).into_bytes()
    }

    fn member(bytes: &[u8]) -> Vec<u8> {
        let mut out = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(bytes).unwrap();
        out.finish().unwrap()
    }

    #[test]
    fn all_versions_are_read_plain_and_packed() {
        let one = "1 1 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n<arcmetadata/>";
        let two = "2 0 Alexa\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n";
        for (says, more) in [(one, ""), (two, "200 abc - 120 x.arc ")] {
            let parts =
                [info(says), page("http://a.test/", more, "<p>one"), page("http://a.test/a b?c=d", more, "two\n\n")];
            let plain = parts.concat();
            let packed: Vec<u8> = parts.iter().flat_map(|part| member(part)).collect();
            for bytes in [plain, packed] {
                let (records, findings) = read(&bytes);
                assert_eq!(findings, []);
                let told: Vec<_> = records.iter().map(|record| (record.kind(), record.url().unwrap())).collect();
                let pages = [("response", "http://a.test/"), ("response", "http://a.test/a b?c=d")];
                assert_eq!(told, [&[("arcinfo", "filedesc://x.arc")][..], &pages].concat());
                assert_eq!(records[1].at(), Some(1_104_635_045));
                assert_eq!(crate::http::answer(&records[2].block).body, b"two\n\n");
                assert!(records.iter().all(|record| record.other_version.is_none() && !record.short));
            }
        }
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_is_read() {
        let says = info("1 1 x\n");
        let good = |n: u32| page(&format!("http://a.test/{n}"), "", "x");
        let torn = String::from_utf8(good(2)).unwrap().replace(" 45\n", " 99999\n").into_bytes();
        assert_ne!(torn, good(2));
        let (records, findings) = read(&[says.clone(), good(1), torn, good(3)].concat());
        assert_eq!((records.len(), findings.len()), (3, 1), "{findings:?}");
        let mut half = member(&good(2));
        half.truncate(half.len() / 2);
        let (records, findings) = read(&[member(&says), half, member(&good(3))].concat());
        assert_eq!((records.len(), findings.len()), (2, 1), "{findings:?}");
        let (records, _) = read(&info("7 0 x\n"));
        assert_eq!(records[0].other_version.as_deref(), Some("ARC 7"));
        for none in
            ["http://a.test/ is no line of an archive 5\n", "http://a.test/ 1.2.3.4 2005 text/html 5\n", "http\n", ""]
        {
            assert!(!is_head(none.as_bytes()), "{none}");
        }
    }
}
