//! XML, step by step: tags, and text with its references resolved.
//!
//! No entity is expanded but the five of XML and numbers, so a DTD can blow nothing up. Ends need not match their
//! starts. Total: what follows a break in the syntax is not read. Cost: linear.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};
use quick_xml::Reader;
use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesStart, Event};

/// What [`walk`] meets in a document.
pub(crate) enum XmlEvent<'a> {
    /// A start tag; without content it has no end tag either.
    Start { tag: &'a BytesStart<'a>, has_content: bool },
    /// An end tag, by its local name.
    End(&'a str),
    /// A piece of text.
    Text(&'a str),
}

/// Walks through a document until its end, its first break, or until `each` says false. True if nothing was broken.
pub(crate) fn walk(text: &str, mut each: impl FnMut(XmlEvent<'_>) -> bool) -> bool {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    while let Ok(event) = reader.read_event() {
        let go_on = match event {
            Event::Start(tag) => each(XmlEvent::Start { tag: &tag, has_content: true }),
            Event::Empty(tag) => each(XmlEvent::Start { tag: &tag, has_content: false }),
            Event::End(tag) => each(XmlEvent::End(tag.local_name().as_ref())),
            Event::Text(text) => each(XmlEvent::Text(&text)),
            Event::CData(text) => each(XmlEvent::Text(&text)),
            Event::GeneralRef(name) => match name.resolve_char_ref() {
                Ok(Some(character)) => each(XmlEvent::Text(character.encode_utf8(&mut [0; 4]))),
                _ => match resolve_xml_entity(&name) {
                    Some(known) => each(XmlEvent::Text(known)),
                    // Nobody's entity: most likely a bare `&` of a query.
                    None => ["&", &name, ";"].into_iter().all(|part| each(XmlEvent::Text(part))),
                },
            },
            Event::Eof => return true,
            _ => true,
        };
        if !go_on {
            return true;
        }
    }
    false
}

/// The value of an attribute by its full name, with entities decoded where that is possible.
pub(crate) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    // Unchecked: looking for attributes given twice would be quadratic.
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).flatten().find(|it| it.key.as_ref() == name)?;
    Some(unescape(&found.value).unwrap_or_else(|_| found.value.clone()).into_owned())
}

/// The value of an attribute by its local name, whatever its namespace is called.
pub(crate) fn local_attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = tag.attributes();
    let found = attributes.with_checks(false).flatten().find(|it| it.key.local_name().as_ref() == name)?;
    Some(unescape(&found.value).unwrap_or_else(|_| found.value.clone()).into_owned())
}

/// The local name of the root element.
pub(crate) fn root(text: &str) -> Option<String> {
    let mut root = None;
    walk(text, |step| match step {
        XmlEvent::Start { tag, .. } => {
            root = Some(tag.local_name().as_ref().to_owned());
            false
        }
        _ => true,
    });
    root
}

/// The text of a document: by its byte order mark, as UTF-8, or as its XML declaration says.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding.decode_with_bom_removal(bytes).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => declared(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// The encoding named in an XML declaration.
fn declared(bytes: &[u8]) -> &'static Encoding {
    let declaration = bytes.trim_ascii_start().split(|&byte| byte == b'>').next().unwrap_or_default();
    let label = declaration.starts_with(b"<?xml").then(|| {
        let at = memchr::memmem::find(declaration, b"encoding")?;
        let mut quoted = declaration[at..].split(|&byte| byte == b'"' || byte == b'\'');
        quoted.nth(1)
    });
    label.flatten().and_then(Encoding::for_label).unwrap_or(UTF_8)
}
