//! Which character encoding are these bytes in, and what do they say?
//!
//! The order of the HTML standard ("determining the character encoding"): byte order mark; the charset of the
//! Content-Type header; what the first 1024 bytes declare (`meta charset`, `meta http-equiv=content-type`, an XML
//! declaration). Where the standard leaves the rest to the browser: UTF-8 if the bytes are valid UTF-8, else the guess of
//! chardetng (Firefox's detector) on the first 64 KB. Labels are those of the encoding standard. A `meta` that says
//! UTF-16 means UTF-8, one that says x-user-defined means windows-1252.
//!
//! Cost: linear. UTF-8 that is valid is not copied. What cannot be decoded becomes U+FFFD.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// How far declarations are looked for.
const PRESCAN: usize = 1024;
/// How far the detector reads.
const SAMPLE: usize = 65536;

/// The charset that a Content-Type header names.
pub fn of_content_type(value: &str) -> Option<String> {
    let mut parameters = value.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, charset) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(charset.trim().trim_matches(['"', '\'']).to_owned())
}

/// The bytes as text, without a byte order mark, and the encoding that was used (`name()` is what a page keeps).
pub fn decode<'a>(bytes: &'a [u8], header: Option<&str>) -> (Cow<'a, str>, &'static Encoding) {
    let (encoding, mark) = match Encoding::for_bom(bytes) {
        Some((encoding, length)) => (encoding, length),
        None => (choose(bytes, header), 0),
    };
    let bytes = &bytes[mark..];
    if encoding == UTF_8
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return (Cow::Borrowed(text), encoding);
    }
    (encoding.decode_without_bom_handling(bytes).0, encoding)
}

fn choose(bytes: &[u8], header: Option<&str>) -> &'static Encoding {
    if let Some(encoding) = header.and_then(|label| Encoding::for_label(label.trim_matches(['"', '\'']).as_bytes())) {
        return encoding;
    }
    if let Some(encoding) = prescan(&bytes[..bytes.len().min(PRESCAN)]) {
        return encoding;
    }
    // A page that was cut may end inside a character: that is no error.
    let valid = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
    let shifts = memchr::memchr(0x1b, bytes).is_some();
    if valid && !shifts {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    let end = bytes.len().min(SAMPLE);
    detector.feed(&bytes[..end], end == bytes.len());
    let guess = detector.guess(None, if valid { Utf8Detection::Allow } else { Utf8Detection::Deny });
    if valid && guess.is_ascii_compatible() { UTF_8 } else { guess }
}

/// "Prescan a byte stream to determine its encoding".
fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    if head.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if head.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let mut scan = Scan { bytes: head, at: 0 };
    while let Some(offset) = memchr::memchr(b'<', &head[scan.at..]) {
        scan.at += offset + 1;
        let rest = &head[scan.at..];
        if rest.starts_with(b"!--") {
            // The two dashes that open may also close: `<!-->`.
            scan.at += 1;
            scan.skip_past(b"-->");
        } else if rest.len() > 4 && rest[..4].eq_ignore_ascii_case(b"meta") && (is_space(rest[4]) || rest[4] == b'/') {
            scan.at += 4;
            if let Some(encoding) = scan.meta() {
                return Some(encoding);
            }
        } else if rest.first().is_some_and(u8::is_ascii_alphabetic)
            || (rest.first() == Some(&b'/') && rest.get(1).is_some_and(u8::is_ascii_alphabetic))
        {
            let name = rest.iter().position(|&b| is_space(b) || b == b'>').unwrap_or(rest.len());
            scan.at += name;
            while scan.attribute().is_some() {}
        } else if matches!(rest.first(), Some(b'!' | b'/' | b'?')) {
            scan.skip_past(b">");
        }
    }
    xml_declaration(head).map(as_declared)
}

/// What a declaration inside the page means: it cannot be UTF-16, or it could not have been read.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    match encoding {
        e if e == UTF_16LE || e == UTF_16BE => UTF_8,
        e if e == X_USER_DEFINED => WINDOWS_1252,
        e => e,
    }
}

/// "Get an XML encoding".
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration[at + 8..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first().filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let label = &value[..memchr::memchr(*quote, value)?];
    Encoding::for_label(label)
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn skip_past(&mut self, end: &[u8]) {
        let found = memchr::memmem::find(&self.bytes[self.at..], end);
        self.at = found.map_or(self.bytes.len(), |offset| self.at + offset + end.len());
    }

    /// The attributes of a `meta`, and what they say of the encoding.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let (mut pragma, mut needs_pragma, mut found) = (false, None, None);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => pragma |= value == b"content-type",
                b"content" if found.is_none() => {
                    if let Some(encoding) = charset_in(&value) {
                        found = Some(encoding);
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    found = Encoding::for_label(&value);
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        if needs_pragma? && !pragma {
            return None;
        }
        found.map(as_declared)
    }

    /// "Get an attribute": name and value in lower case.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        while self.peek().is_some_and(|b| is_space(b) || b == b'/') {
            self.at += 1;
        }
        if matches!(self.peek(), None | Some(b'>')) {
            return None;
        }
        let mut name = Vec::new();
        while let Some(b) = self.peek() {
            if is_space(b) || matches!(b, b'/' | b'>') || (b == b'=' && !name.is_empty()) {
                break;
            }
            name.push(b.to_ascii_lowercase());
            self.at += 1;
        }
        self.skip_space();
        if self.peek() != Some(b'=') {
            return Some((name, Vec::new()));
        }
        self.at += 1;
        self.skip_space();
        let mut value = Vec::new();
        let quote = self.peek().filter(|b| matches!(b, b'"' | b'\''));
        if quote.is_some() {
            self.at += 1;
        }
        while let Some(b) = self.peek() {
            let ends = if quote.is_some() { Some(b) == quote } else { is_space(b) || b == b'>' };
            if ends {
                self.at += usize::from(quote.is_some());
                return Some((name, value));
            }
            value.push(b.to_ascii_lowercase());
            self.at += 1;
        }
        // The bytes end inside the value: nothing can be said.
        (quote.is_none()).then_some((name, value))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }
}

fn is_space(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// "Extracting a character encoding from a meta element": the value is in lower case already.
fn charset_in(value: &[u8]) -> Option<&'static Encoding> {
    let mut rest = value;
    loop {
        let at = memchr::memmem::find(rest, b"charset")?;
        rest = rest[at + 7..].trim_ascii_start();
        let Some(label) = rest.strip_prefix(b"=") else { continue };
        let label = label.trim_ascii_start();
        return match label.first()? {
            quote @ (b'"' | b'\'') => Encoding::for_label(&label[1..1 + memchr::memchr(*quote, &label[1..])?]),
            _ => {
                let end = label.iter().position(|&b| is_space(b) || b == b';').unwrap_or(label.len());
                Encoding::for_label(&label[..end])
            }
        };
    }
}

#[cfg(test)]
#[path = "charset_tests.rs"]
mod tests;
