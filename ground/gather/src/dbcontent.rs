//! Which tables may be asked for, and who answers? The DBContent document.
//!
//! Lines `Key: value`, keys in any case. An `Attribute` belongs to the last `Table` before it. Keys nobody knows are
//! kept. Charset: the one of the header, a byte order mark, else UTF-8 if it is valid, else windows-1252.
//!
//! Cost: linear, within [`BYTES`] and [`NAMES`].

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// Bytes of a document that are read.
pub const BYTES: usize = 256 << 10;

/// Tables, attributes and other keys that are kept, together.
pub const NAMES: usize = 10_000;

/// What a DBContent document says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DbContent {
    /// The URL of the summarizer.
    pub summarizer: Option<String>,
    /// The URL of the form that people use.
    pub url: Option<String>,
    /// What it is called.
    pub title: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Words that describe the database.
    pub keywords: Vec<String>,
    /// The name of the database.
    pub database: Option<String>,
    /// What of it may be read.
    pub tables: Vec<Table>,
    /// Other keys and their values.
    pub others: Vec<(String, String)>,
    /// What is odd, in sentences that begin with the line.
    pub complaints: Vec<String>,
}

/// A table and its attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    /// Names of its attributes.
    pub attributes: Vec<String>,
}

impl DbContent {
    /// Reads a document; `header` is the charset of the answer it came in.
    pub fn read(bytes: &[u8], header: Option<&str>) -> DbContent {
        let mut document = DbContent::default();
        if bytes.len() > BYTES {
            document.complaints.push(format!("only the first {BYTES} bytes are read"));
        }
        let text = decode(&bytes[..bytes.len().min(BYTES)], header);
        let mut names = 0;
        for (nth, line) in text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()).enumerate() {
            if names == NAMES {
                document.complaints.push(format!("only the first {NAMES} names are read"));
                break;
            }
            let Some((key, value)) = line.split_once(':') else {
                document.complain(nth, "there is no `:` in it");
                continue;
            };
            names += usize::from(document.line(nth, key.trim(), value.trim()));
        }
        document
    }

    fn complain(&mut self, nth: usize, what: &str) {
        // As many as anybody reads.
        if self.complaints.len() < 100 {
            self.complaints.push(format!("line {}: {what}", nth + 1));
        }
    }

    /// One line; true if it is something that is kept in a list.
    fn line(&mut self, nth: usize, key: &str, value: &str) -> bool {
        let lower = key.to_lowercase();
        let once = match lower.as_str() {
            "summarizer" => &mut self.summarizer,
            "url" => &mut self.url,
            "title" => &mut self.title,
            "description" => &mut self.description,
            "database" => &mut self.database,
            "keywords" => {
                self.keywords
                    .extend(value.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned));
                return true;
            }
            "table" => {
                self.tables.push(Table { name: value.to_owned(), attributes: Vec::new() });
                return true;
            }
            "attribute" => {
                match self.tables.last_mut() {
                    Some(table) => table.attributes.push(value.to_owned()),
                    None => self.complain(nth, "an Attribute stands before any Table"),
                }
                return true;
            }
            _ => {
                self.others.push((key.to_owned(), value.to_owned()));
                return true;
            }
        };
        if once.is_none() {
            *once = Some(value.to_owned());
        } else {
            self.complain(nth, &format!("{key} was said before; the first counts"));
        }
        false
    }
}

fn decode<'b>(bytes: &'b [u8], header: Option<&str>) -> Cow<'b, str> {
    let named = header.and_then(|label| Encoding::for_label(label.trim_matches(['"', '\'', ' ']).as_bytes()));
    let encoding = named.or_else(|| Encoding::for_bom(bytes).map(|(encoding, _)| encoding)).unwrap_or_else(|| {
        // A document that was cut may end inside a letter.
        let valid = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
        if valid { UTF_8 } else { WINDOWS_1252 }
    });
    encoding.decode_with_bom_removal(bytes).0
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "Summarizer: http://www.cityworld.de/cgi-bin/Ora-DB.pl\nURL:        http://www.cityworld.de/cgi-bin/auswahl.pl\n\
        Title:      CityWorld - Hotels und Pensionen\nDescription: Hotelf\u{fc}hrer M-V\nKeywords:   Hotel, Zimmer, Unterkunft, Pension, Preis\n\
        Database:   Cityworld\nTable:      hotel\nAttribute:  name\nAttribute:  ort\nTable:      region\nAttribute:  region\n";

    #[test]
    fn the_papers_document_is_read_in_every_charset() {
        let (latin, _, _) = WINDOWS_1252.encode(EXAMPLE);
        let marked = [b"\xef\xbb\xbf", EXAMPLE.as_bytes()].concat();
        let wide: Vec<u8> = [0xfeff].into_iter().chain(EXAMPLE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let forms: [(&[u8], Option<&str>); 6] = [
            (EXAMPLE.as_bytes(), None),
            (&latin, None),
            (&latin, Some("ISO-8859-1")),
            (&marked, None),
            (&marked, Some("utf-8")),
            (&wide, None),
        ];
        for (bytes, header) in forms {
            let document = DbContent::read(bytes, header);
            assert_eq!(document.summarizer.as_deref(), Some("http://www.cityworld.de/cgi-bin/Ora-DB.pl"));
            assert_eq!(document.url.as_deref(), Some("http://www.cityworld.de/cgi-bin/auswahl.pl"));
            assert_eq!(document.title.as_deref(), Some("CityWorld - Hotels und Pensionen"));
            assert_eq!(document.description.as_deref(), Some("Hotelf\u{fc}hrer M-V"));
            assert_eq!(document.keywords, ["Hotel", "Zimmer", "Unterkunft", "Pension", "Preis"]);
            assert_eq!(document.database.as_deref(), Some("Cityworld"));
            let table = |name: &str, attributes: &[&str]| Table {
                name: name.into(),
                attributes: attributes.iter().map(|&name| name.to_owned()).collect(),
            };
            assert_eq!(document.tables, [table("hotel", &["name", "ort"]), table("region", &["region"])]);
            assert!(document.others.is_empty() && document.complaints.is_empty(), "{document:?}");
        }
        assert_eq!(
            DbContent::read(EXAMPLE.as_bytes(), Some("windows-1252")).description.as_deref(),
            Some("Hotelf\u{c3}\u{bc}hrer M-V")
        );
    }

    #[test]
    fn odd_lines_are_told_and_unknown_keys_kept() {
        let document = DbContent::read(
            b"attribute: x\r\nX-Own : a:b\r\nnothing\r\nTITLE: one\r\ntitle: two\r\n\r\ntable:\r\nAttribute: y",
            None,
        );
        assert_eq!(document.others, [("X-Own".to_owned(), "a:b".to_owned())]);
        assert_eq!(document.title.as_deref(), Some("one"));
        assert_eq!(document.tables, [Table { name: String::new(), attributes: vec!["y".into()] }]);
        assert_eq!(document.complaints.len(), 3, "{:?}", document.complaints);
        assert!(document.complaints[0].starts_with("line 1: an Attribute"));
    }

    #[test]
    fn documents_are_bounded() {
        let document = DbContent::read("Table: t\n".repeat(40_000).as_bytes(), None);
        assert_eq!(document.tables.len(), NAMES);
        assert_eq!(document.complaints.len(), 2);
        let document = DbContent::read("x\n".repeat(40_000).as_bytes(), None);
        assert_eq!(document.complaints.len(), 100);
    }
}
