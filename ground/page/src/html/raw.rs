//! Where does text end that holds no markup: the content of `title`, `style`, `script`, ...?
//!
//! At the first end tag of its element (`</name` and white space, `/` or `>`; HTML standard 13.2.5.9 ff.). In a script,
//! `<!--` opens a part in which `<script` opens another, whose `</script` ends only that one; `-->` ends both.
//!
//! Cost: one pass; every `<` is looked at once.

use memchr::{memchr, memchr2};

/// Where the end tag of an element begins, whose content is text from here on.
pub(crate) fn end(bytes: &[u8], mut from: usize, name: &[u8]) -> Option<usize> {
    loop {
        let at = from + memchr(b'<', bytes.get(from..)?)?;
        if ends(bytes, at, name) {
            return Some(at);
        }
        from = at + 1;
    }
}

/// Where the end tag of a script begins, whose content starts here.
pub(crate) fn script_end(bytes: &[u8], mut from: usize) -> Option<usize> {
    let name = b"script";
    loop {
        let at = from + memchr(b'<', bytes.get(from..)?)?;
        if ends(bytes, at, name) {
            return Some(at);
        }
        from = at + 1;
        if bytes[from..].starts_with(b"!--") {
            match escaped_end(bytes, from + 1) {
                Escaped::EndTag(at) => return Some(at),
                Escaped::Over(at) => from = at,
                Escaped::Never => return None,
            }
        }
    }
}

/// How the part of a script after `<!--` ends.
enum Escaped {
    /// At the end tag of the script.
    EndTag(usize),
    /// With `-->`; the script goes on from here.
    Over(usize),
    /// It does not end.
    Never,
}

/// `dashes` is where the two dashes of `<!--` stand: they may also close it, as in `<!-->`.
fn escaped_end(bytes: &[u8], dashes: usize) -> Escaped {
    let name = b"script";
    let mut from = dashes + 2;
    let mut nested = false;
    while let Some(offset) = bytes.get(from..).and_then(|rest| memchr2(b'<', b'>', rest)) {
        let at = from + offset;
        from = at + 1;
        if bytes[at] == b'>' {
            if bytes[dashes..at].ends_with(b"--") {
                return Escaped::Over(from);
            }
        } else if ends(bytes, at, name) {
            if !nested {
                return Escaped::EndTag(at);
            }
            nested = false;
        } else if is_named(bytes, from, name) {
            nested = true;
        }
    }
    Escaped::Never
}

/// Does `</name` stand here, and nothing that makes the name longer?
fn ends(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    bytes.get(at + 1) == Some(&b'/') && is_named(bytes, at + 2, name)
}

fn is_named(bytes: &[u8], at: usize, name: &[u8]) -> bool {
    let found = bytes.get(at..at + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name));
    found && matches!(bytes.get(at + name.len()), Some(b'\t' | b'\n' | 0x0c | b' ' | b'/' | b'>'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_elements_own_end_tag_ends_its_text() {
        for (text, at) in [
            ("a</title>", Some(1)),
            ("a</TITLE\n>", Some(1)),
            ("a</title/", Some(1)),
            ("a</titles></title >", Some(10)),
            ("a</title", None),
            ("a<<//title></ title>", None),
            ("", None),
        ] {
            assert_eq!(end(text.as_bytes(), 0, b"title"), at, "{text}");
        }
    }

    #[test]
    fn a_script_in_a_comment_in_a_script_ends_only_itself() {
        for (text, at) in [
            ("a</script>", Some(1)),
            ("<!--</script>", Some(4)),
            ("<!--<script></script></script>", Some(21)),
            ("<!--<script>--></script>", Some(15)),
            ("<!--><script></script>", Some(13)),
            ("<!---><script></script>", Some(14)),
            ("<!--<script-></script>", Some(13)),
            ("<!--<script></script><script/></script>", None),
            ("<!-<script></script>", Some(11)),
            ("<!--<script>", None),
        ] {
            assert_eq!(script_end(text.as_bytes(), 0), at, "{text}");
        }
    }
}
