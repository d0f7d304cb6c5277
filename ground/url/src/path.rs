//! What remains of a path? URL standard, section 4.4 "URL parsing": path state; 3.1: Windows drive letters, shortening a path.
//!
//! A path is written as it is read: each segment with its slash in front, dot segments taking away or adding nothing. Cost:
//! linear; what a `..` takes away is looked at once more. Not guaranteed: that two paths that differ lead to different pages.

use crate::encode::{self, PATH, SLASH};
use crate::scheme::Kind;

/// Reads a path from the front of a text, the first slash gone already, and writes it; gives what is left. A question mark or
/// a hash ends the path, unless it is `whole` (what a setter is given).
pub(crate) fn push<'t>(to: &mut String, start: usize, kind: Kind, text: &'t str, whole: bool) -> &'t str {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        let (end, plain) = segment_end(bytes, from, kind, whole);
        let segment = &text[from..end];
        let slash = bytes.get(end).is_some_and(|&byte| kind.is_slash(byte));
        match dots(segment.as_bytes()) {
            2 => {
                shorten(to, start, kind);
                if !slash {
                    to.push('/');
                }
            }
            1 if !slash => to.push('/'),
            1 => {}
            _ => {
                let first = to.len() == start;
                to.push('/');
                if first && kind == Kind::File && is_drive(segment.as_bytes()) {
                    to.push_str(&segment[..1]);
                    to.push(':');
                } else if plain {
                    to.push_str(segment);
                } else {
                    encode::push(to, segment, PATH);
                }
            }
        }
        if !slash {
            return &text[end..];
        }
        from = end + 1;
    }
}

/// Where the segment ends, and whether nothing in it is to be encoded.
#[inline]
fn segment_end(bytes: &[u8], from: usize, kind: Kind, whole: bool) -> (usize, bool) {
    let mut plain = true;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        if !encode::is_in(byte, PATH | SLASH) {
            continue;
        }
        match byte {
            b'/' | b'\\' if kind.is_slash(byte) => return (at, plain),
            b'\\' => {}
            b'?' | b'#' if !whole => return (at, plain),
            _ => plain = false,
        }
    }
    (bytes.len(), plain)
}

/// Takes away the last segment; the drive of a file stays.
pub(crate) fn shorten(path: &mut String, start: usize, kind: Kind) {
    let drive = || path[start..].strip_prefix('/').is_some_and(|rest| is_normal_drive(rest.as_bytes()));
    if kind == Kind::File && drive() {
        return;
    }
    if let Some(slash) = path[start..].rfind('/') {
        path.truncate(start + slash);
    }
}

/// One for a single-dot segment, two for a double-dot segment, else nothing.
fn dots(segment: &[u8]) -> u8 {
    if !matches!(segment.first(), Some(b'.' | b'%')) {
        return 0;
    }
    match dot(segment) {
        Some([]) => 1,
        Some(rest) if dot(rest) == Some(&[]) => 2,
        _ => 0,
    }
}

/// What follows a dot, plain or encoded.
fn dot(text: &[u8]) -> Option<&[u8]> {
    match text {
        [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => Some(rest),
        _ => None,
    }
}

/// Whether it is a Windows drive letter: `c:` or `c|`.
pub(crate) fn is_drive(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Whether it is a drive letter in its normal form: `c:`.
pub(crate) fn is_normal_drive(text: &[u8]) -> bool {
    is_drive(text) && text.ends_with(b":")
}

/// Does a reference begin with a drive, and with nothing else in that segment?
pub(crate) fn starts_with_drive(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(..2).is_some_and(is_drive) && matches!(bytes.get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, kind: Kind) -> (String, &str) {
        let mut path = String::new();
        let rest = push(&mut path, 0, kind, text, false);
        (path, rest)
    }

    #[test]
    fn dot_segments_go() {
        for (text, expected) in [
            ("", "/"),
            (".", "/"),
            ("..", "/"),
            ("a/..", "/"),
            ("a/../b", "/b"),
            ("a/./b/.", "/a/b/"),
            ("a/%2E%2e/%2e/b", "/b"),
            ("a/.%2e/../../b/", "/b/"),
            ("a//../b", "/a/b"),
            ("...", "/..."),
            ("%2e%2e%2e", "/%2e%2e%2e"),
            (".a/..b/c..", "/.a/..b/c.."),
        ] {
            assert_eq!(read(text, Kind::Web), (expected.to_owned(), ""), "{text}");
        }
    }

    #[test]
    fn a_path_ends_at_its_query_and_is_encoded() {
        assert_eq!(read("a b\\é?c", Kind::Web), ("/a%20b/%C3%A9".to_owned(), "?c"));
        assert_eq!(read("a\\b#c", Kind::Other), ("/a\\b".to_owned(), "#c"));
        let mut path = String::from("x:");
        assert_eq!(push(&mut path, 2, Kind::Web, "a?b#c/^", true), "");
        assert_eq!(path, "x:/a%3Fb%23c/%5E");
    }

    #[test]
    fn a_drive_is_not_left() {
        assert_eq!(read("c|/a/../../..", Kind::File).0, "/c:/");
        assert_eq!(read("c:/a/../../../b", Kind::Web).0, "/b");
        assert_eq!(read("a/c|", Kind::File).0, "/a/c|");
        assert!(
            starts_with_drive("C|")
                && starts_with_drive("c:/a")
                && !starts_with_drive("c:a")
                && !starts_with_drive("é:")
        );
    }
}
