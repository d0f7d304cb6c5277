//! Are any bytes read as text, by the order of the HTML standard?
//!
//! Input: a line with the charset of the header (empty: none), then the bytes.

use std::borrow::Cow;

use groma_page::charset::decode;

pub fn charset(data: &[u8]) {
    let (label, bytes) = crate::first_line(data);
    let label = std::str::from_utf8(label).ok().filter(|label| !label.is_empty());
    let (text, encoding) = decode(bytes, label);
    assert_eq!(decode(bytes, label), (text.clone(), encoding), "read twice");
    // The widest that one byte can become is a replacement character.
    assert!(text.len() <= 3 * bytes.len() + 3, "{} bytes became {}", bytes.len(), text.len());
    if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        assert_eq!(encoding.name(), "UTF-8", "the byte order mark is believed first");
        assert_eq!(text, String::from_utf8_lossy(rest), "and is no part of the text");
    } else if encoding.name() == "UTF-8" {
        assert_eq!(text, String::from_utf8_lossy(bytes));
        assert!(std::str::from_utf8(bytes).is_err() || matches!(text, Cow::Borrowed(_)), "valid UTF-8 is not copied");
    }
    let declared = bytes.contains(&b'<') || bytes.contains(&0x1b) || bytes.starts_with(b"\xfe\xff");
    if label.is_none() && !declared && std::str::from_utf8(bytes).is_ok() {
        assert_eq!(encoding.name(), "UTF-8", "valid UTF-8 that says nothing of itself is UTF-8");
    }
}
