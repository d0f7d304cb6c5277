//! The shape of a URL: which URLs are "the same kind of page", as far as the URL alone can tell.
//!
//! ```text
//! shape(u) = host(u) + path(u) with every run of digits, and every hexadecimal run of 8 or more with a digit in it, as `#`
//! ```
//!
//! The query does not count: `/calendar?month=5&year=2031` has the shape of its script, `/calendar`. Cost: one pass over the path.
//! Not guaranteed: a site that names its pages by words has a shape per page; that only means that fewer traps are seen early.

use groma_url::Url;

use crate::Fp;

/// The shape of a URL, hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape(pub u64);

/// The shape as people read it: `example.org/archive/#/#.html`.
pub fn shape_text(url: &Url) -> String {
    let mut out = String::with_capacity(url.as_str().len());
    out.push_str(url.host_str().unwrap_or_default());
    if let Some(port) = url.port() {
        out.push(':');
        out.push_str(&port.to_string());
    }
    generalise(url.path(), &mut out);
    out
}

/// The shape as a key.
pub fn shape(url: &Url) -> Shape {
    text_shape(&shape_text(url))
}

/// The key of a shape that is given as text.
pub fn text_shape(text: &str) -> Shape {
    Shape(Fp::hash_bytes(text.as_bytes()).0 as u64)
}

/// The host (and port) of a shape that is given as text.
pub fn host_of_shape(text: &str) -> &str {
    text.split('/').next().unwrap_or_default()
}

/// Where a URL stands, coarsely, as people read it: `example.org/archive/*`, or `example.org/*` for a path of one segment.
///
/// A generator of endless pages with names made of words has a shape per page, but seldom many first segments.
pub fn quarter_text(url: &Url) -> String {
    let mut out = url.host_str().unwrap_or_default().to_string();
    if let Some(port) = url.port() {
        out.push_str(&format!(":{port}"));
    }
    if let Some((first, _)) = url.path().trim_start_matches('/').split_once('/') {
        out.push('/');
        out.push_str(first);
    }
    out + "/*"
}

/// The quarter as a key. Never equal to the shape of a URL that has no star in its path.
pub fn quarter(url: &Url) -> Shape {
    text_shape(&quarter_text(url))
}

fn generalise(path: &str, out: &mut String) {
    let bytes = path.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes[at..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
        if hex >= 8 && bytes[at..at + hex].iter().any(u8::is_ascii_digit) {
            out.push('#');
            at += hex;
            continue;
        }
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 {
            out.push('#');
            at += digits;
            continue;
        }
        // Paths of parsed URLs are ASCII; a word is copied whole so that the hex test is not repeated inside it.
        let word = bytes[at..].iter().take_while(|b| !b.is_ascii_digit() && **b != b'/').count().max(1);
        out.push_str(path.get(at..at + word).unwrap_or_default());
        at += word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaped(text: &str) -> String {
        shape_text(&Url::parse(text).unwrap())
    }

    #[test]
    fn numbers_and_hashes_are_one_shape() {
        assert_eq!(shaped("http://a.example/2024/05/17.html?x=1"), "a.example/#/#/#.html");
        assert_eq!(shaped("http://a.example/doc/0d1f9ab3c4e5"), "a.example/doc/#");
        assert_eq!(shaped("http://a.example/item42-red"), "a.example/item#-red");
        assert_eq!(shaped("http://a.example:8080/"), "a.example:8080/");
    }

    #[test]
    fn quarters_are_hosts_and_first_segments() {
        let quarter = |text| quarter_text(&Url::parse(text).unwrap());
        assert_eq!(quarter("http://a.example:81/x/y/z"), "a.example:81/x/*");
        assert_eq!(quarter("http://a.example/x"), "a.example/*");
        assert_eq!(quarter("http://a.example/"), "a.example/*");
    }

    #[test]
    fn words_stay() {
        assert_eq!(shaped("http://a.example/feedface/deadbeefs"), "a.example/feedface/deadbeefs");
        assert_ne!(shape(&Url::parse("http://a/x").unwrap()), shape(&Url::parse("http://a/y").unwrap()));
    }
}
