//! What a form sent: the names and values of a query or a body, in the charset of the form's page.

use encoding_rs::Encoding;
use groma_testweb::Ask;

/// Names and values in the order they came.
pub(crate) type Pairs = Vec<(String, String)>;

/// The data of a request: those of the URL, then those of the body if it is that of a form.
pub(crate) fn read(ask: &Ask, charset: &'static Encoding) -> Pairs {
    let query = ask.path.split_once('?').map_or("", |(_, query)| query);
    let mut pairs = pairs(query.as_bytes(), charset);
    let media = ask.header("content-type").unwrap_or_default();
    if ask.method == "POST" && media.to_ascii_lowercase().starts_with("application/x-www-form-urlencoded") {
        pairs.extend(self::pairs(&ask.body, charset));
    }
    pairs
}

fn pairs(bytes: &[u8], charset: &'static Encoding) -> Pairs {
    let parts = bytes.split(|byte| *byte == b'&').filter(|part| !part.is_empty());
    let pair = |part: &[u8]| {
        let at = part.iter().position(|byte| *byte == b'=').unwrap_or(part.len());
        (decoded(&part[..at], charset), decoded(part.get(at + 1..).unwrap_or_default(), charset))
    };
    parts.map(pair).collect()
}

fn decoded(bytes: &[u8], charset: &'static Encoding) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, more)) = rest.split_first() {
        let hex = more.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let byte = hex.filter(|two| !two.starts_with('+')).and_then(|two| u8::from_str_radix(two, 16).ok());
        match byte {
            Some(byte) => {
                out.push(byte);
                rest = &more[2..];
            }
            None => {
                out.push(if *first == b'+' { b' ' } else { *first });
                rest = more;
            }
        }
    }
    charset.decode_without_bom_handling(&out).0.into_owned()
}

/// A text for a URL, in a charset; what the charset does not have becomes a question mark.
pub(crate) fn encoded(text: &str, charset: &'static Encoding) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        let mut buffer = [0; 4];
        let letter = &*letter.encode_utf8(&mut buffer);
        let (bytes, _, lost) = charset.encode(letter);
        for byte in if lost { b"?" } else { &*bytes } {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'*' => out.push(char::from(*byte)),
                b' ' => out.push('+'),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    out
}

/// Names and values as a query.
pub(crate) fn query(pairs: &[(String, String)], charset: &'static Encoding) -> String {
    let part = |(name, value): &(String, String)| format!("{}={}", encoded(name, charset), encoded(value, charset));
    pairs.iter().map(part).collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{UTF_8, WINDOWS_1252};

    #[test]
    fn what_is_written_is_read_in_both_charsets() {
        let pairs: Pairs = [("a b", "ü&=%+"), ("", "x"), ("c", "")].map(|(n, v)| (n.into(), v.into())).to_vec();
        for charset in [UTF_8, WINDOWS_1252] {
            let ask = Ask::get(&format!("/s?{}", query(&pairs, charset)));
            assert_eq!(read(&ask, charset), pairs);
            assert_eq!(read(&Ask::post("/s", &query(&pairs, charset)), charset), pairs);
        }
        assert_eq!(encoded("ü", WINDOWS_1252), "%FC");
        assert_eq!(read(&Ask::get("/s?a=%zz%4&b=%+1&&c"), UTF_8).len(), 3);
    }
}
