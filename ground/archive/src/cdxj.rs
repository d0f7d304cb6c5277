//! An index of records, as replay tools read it: CDXJ, a line a record, sorted.
//!
//! ```text
//! KEY SP YYYYMMDDhhmmss SP {"url": ..., "mime": ..., "status": ..., "digest": ..., "length": ..., "offset": ..., "filename": ...} LF
//! ```
//!
//! The key is that of [`crate::key`]; numbers are texts, as the tools that read it have them.

use serde_json::Value;

use crate::key::{key, stamp};

/// One record of an answer, as the index knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub url: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The media type; `warc/revisit` where the body is elsewhere.
    pub mime: String,
    /// HTTP status.
    pub status: u16,
    /// The digest of the body, with its method.
    pub digest: String,
    /// The bytes of the record, compressed.
    pub length: u64,
    /// Where the record begins, in bytes.
    pub offset: u64,
    /// Name of the WARC file.
    pub file: String,
}

/// What stands as media type of a record whose body is elsewhere.
pub const REVISIT: &str = "warc/revisit";

impl Entry {
    /// Its line, without the end of the line.
    pub fn line(&self) -> String {
        let numbers = [u64::from(self.status), self.length, self.offset].map(|number| number.to_string());
        let [status, length, offset] = &numbers;
        let mut line = key(&self.url);
        line.reserve(2 * self.url.len() + self.file.len() + 200);
        line.push(' ');
        line.push_str(&stamp(self.at));
        let fields = [
            (" {\"url\": ", &self.url),
            (", \"mime\": ", &self.mime),
            (", \"status\": ", status),
            (", \"digest\": ", &self.digest),
            (", \"length\": ", length),
            (", \"offset\": ", offset),
            (", \"filename\": ", &self.file),
        ];
        for (name, value) in fields {
            line.push_str(name);
            push_quoted(&mut line, value);
        }
        line.push('}');
        line
    }

    /// Reads a line of an index; `None` if it is none.
    pub fn read(line: &str) -> Option<Entry> {
        let (_, rest) = line.split_once(' ')?;
        let (at, json) = rest.split_once(' ')?;
        let fields: Value = serde_json::from_str(json.trim()).ok()?;
        // Some tools write numbers as numbers.
        let text = |name: &str| match &fields[name] {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => String::new(),
        };
        Some(Entry {
            url: text("url"),
            at: crate::record::moment_of(at)?,
            mime: text("mime"),
            status: text("status").parse().unwrap_or(0),
            digest: text("digest"),
            length: text("length").parse().ok()?,
            offset: text("offset").parse().ok()?,
            file: text("filename"),
        })
    }
}

/// A text as JSON says it. Most need nothing but the quotes.
fn push_quoted(line: &mut String, text: &str) {
    if text.bytes().all(|byte| matches!(byte, 0x20..0x7f) && byte != b'"' && byte != b'\\') {
        line.push('"');
        line.push_str(text);
        line.push('"');
    } else {
        line.push_str(&Value::from(text).to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let entry = Entry {
            url: "http://www.Example.org/A?b=\"c\"".into(),
            at: 1_700_000_000,
            mime: "text/html".into(),
            status: 200,
            digest: "sha1:X".into(),
            length: 7,
            offset: 9,
            file: "a.warc.gz".into(),
        };
        let line = entry.line();
        assert!(line.starts_with("org,example)/a?b=\"c\" 20231114221320 {"), "{line}");
        assert_eq!(Entry::read(&line), Some(entry.clone()));
        for odd in ["a\\b", "tab\there", "über", "\u{7f}", "\"", ""] {
            let entry = Entry { mime: odd.into(), ..entry.clone() };
            assert_eq!(Entry::read(&entry.line()), Some(entry));
        }
        assert_eq!(Entry::read("nonsense"), None);
    }
}
