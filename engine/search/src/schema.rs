//! What a document of the index is made of. No text is kept in it: snippets come from the store.

use tantivy::schema::{FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions};

/// The form of everything that is written. Another number means: make it anew.
pub(crate) const FORMAT: u32 = 4;
/// The name the engine knows our words by.
pub(crate) const WORDS: &str = "groma";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(crate) title: Field,
    pub(crate) heading: Field,
    pub(crate) anchor: Field,
    pub(crate) summary: Field,
    pub(crate) body: Field,
    pub(crate) address: Field,
    /// The folders above the page, as whole URLs.
    pub(crate) under: Field,
    /// The number of the page, or the key of a record: see [`Key`](crate::key::Key).
    pub(crate) page: Field,
    /// A digest of everything the document is made of.
    pub(crate) digest: Field,
    /// Days since 1970, 0 if unknown.
    pub(crate) day: Field,
    pub(crate) class: Field,
    pub(crate) language: Field,
    pub(crate) host: Field,
}

/// The schema, always the same.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(WORDS)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions)
        .set_fieldnorms(true);
    let text = TextOptions::default().set_indexing_options(indexing);
    let mut words = |name: &str| builder.add_text_field(name, text.clone());
    let (title, heading, anchor) = (words("title"), words("heading"), words("anchor"));
    let (summary, body, address) = (words("summary"), words("body"), words("address"));
    let fields = Fields {
        title,
        heading,
        anchor,
        summary,
        body,
        address,
        under: builder.add_text_field("under", STRING),
        page: builder.add_u64_field("page", FAST | INDEXED),
        digest: builder.add_u64_field("digest", FAST),
        day: builder.add_u64_field("day", FAST),
        class: builder.add_u64_field("class", FAST),
        language: builder.add_u64_field("language", FAST),
        host: builder.add_u64_field("host", FAST),
    };
    (builder.build(), fields)
}

/// What a page is, by its media type, or that it is a record. The places are written into the index: append only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(pub(crate) u8);

/// The words of `type:`, and what people see.
const CLASSES: [(&str, &str); 8] = [
    ("other", "Other"),
    ("html", "Web pages"),
    ("text", "Plain text"),
    ("pdf", "PDF"),
    ("xml", "XML and feeds"),
    ("document", "Office documents"),
    ("image", "Images"),
    ("record", "Database records"),
];

impl Class {
    /// A record of a database behind a form.
    pub(crate) const RECORD: Class = Class(7);

    /// Nothing for what nobody searches by words: styles, scripts, pictures, sound.
    pub(crate) fn from_media_type(media_type: &str) -> Option<Class> {
        if media_type == "text/html" {
            return Some(Class(1));
        }
        let plain = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let office =
            ["officedocument", "opendocument", "msword", "ms-word", "ms-excel", "ms-powerpoint", "epub", "rtf"];
        let class = match plain.as_str() {
            "text/html" | "application/xhtml+xml" => 1,
            "text/css" | "text/javascript" => return None,
            "application/pdf" | "application/x-pdf" => 3,
            "application/feed+json" => 4,
            other if other.ends_with("/xml") || other.ends_with("+xml") && !other.starts_with("image/") => 4,
            other if office.iter().any(|word| other.contains(word)) => 5,
            other if other.starts_with("text/") => 2,
            "application/json" => 2,
            _ => return None,
        };
        Some(Class(class))
    }

    /// By the word behind `type:`, or by a media type.
    pub(crate) fn named(word: &str) -> Option<Class> {
        let word = word.to_ascii_lowercase();
        let other = match word.as_str() {
            "htm" | "page" | "web" => "html",
            "txt" | "plain" => "text",
            "feed" | "rss" | "atom" => "xml",
            "records" | "row" | "database" | "db" => "record",
            "doc" | "docx" | "odt" | "odp" | "ods" | "pptx" | "xlsx" | "office" => "document",
            _ => word.as_str(),
        };
        let place = CLASSES.iter().position(|(name, _)| *name == other);
        place.map(|place| Class(place as u8)).or_else(|| Class::from_media_type(&word))
    }

    pub(crate) fn name(self) -> &'static str {
        CLASSES.get(usize::from(self.0)).map_or("other", |(name, _)| name)
    }

    pub(crate) fn label(self) -> &'static str {
        CLASSES.get(usize::from(self.0)).map_or("Other", |(_, label)| label)
    }
}

/// A language code as a number: up to four letters.
pub(crate) fn language_code(code: &str) -> u64 {
    let code = code.split(['-', '_']).next().unwrap_or_default();
    code.bytes().take(4).fold(0, |number, byte| number << 8 | u64::from(byte.to_ascii_lowercase()))
}

/// The letters of a number that [`language_code`] made.
pub(crate) fn language_name(number: u64) -> String {
    let letters = (number as u32).to_be_bytes();
    letters.iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_classes() {
        let name = |media| Class::from_media_type(media).map(Class::name);
        assert_eq!(name("text/html; charset=utf-8"), Some("html"));
        assert_eq!(name("application/pdf"), Some("pdf"));
        assert_eq!(name("application/rss+xml"), Some("xml"));
        assert_eq!((name("text/css"), name("image/svg+xml"), name("")), (None, None, None));
        assert_eq!(Class::named("PDF"), Class::from_media_type("application/pdf"));
        assert_eq!(Class::named("nonsense"), None);
        assert_eq!((Class::named("record"), Class::RECORD.name()), (Some(Class::RECORD), "record"));
    }

    #[test]
    fn languages_are_numbers() {
        assert_eq!(language_name(language_code("de-AT")), "de");
        assert_eq!(language_name(language_code("")), "");
    }
}
