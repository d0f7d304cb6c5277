//! Reading an address by the URL standard, where the crate that does it departs from the standard for web addresses.
//!
//! Two departures of url 2.5 are mended here: a reference with more than two slashes at its front (`///host/path`) has no
//! host for the crate, and for the standard and every browser it has; and `^` in a path is `%5E` for the standard. A third
//! cannot be mended from outside: host names in ASCII with an `xn--` label that is no valid punycode do not parse (why, and
//! what it would take, stands in the test module `standard`); a link to one is reported as malformed.
//! Cost: that of the crate, plus a look at the front and one at the path.

use std::borrow::Cow;

use ::url::{ParseError, Url};

/// Reads an address, or a reference relative to a base.
pub fn parse(text: &str, base: Option<&Url>) -> Result<Url, ParseError> {
    let text = if base.is_some_and(|base| matches!(base.scheme(), "http" | "https")) {
        fewer_slashes(text)
    } else {
        text.into()
    };
    let mut url = Url::options().base_url(base).parse(&text)?;
    mend_path(&mut url);
    Ok(url)
}

/// Writes a path as the standard does; does nothing to nearly all.
pub(crate) fn mend_path(url: &mut Url) {
    if !url.cannot_be_a_base() && url.path().contains('^') {
        let path = url.path().replace('^', "%5E");
        url.set_path(&path);
    }
}

/// Before an authority a web address has two slashes; the standard skips all that follow, of either kind. What the standard
/// does not see at all (spaces in front, tabs and line ends anywhere) does not interrupt them.
fn fewer_slashes(text: &str) -> Cow<'_, str> {
    let rest = text.trim_start_matches(|c: char| c <= ' ');
    let tail = rest.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
    let slashes = rest[..rest.len() - tail.len()].bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    if slashes > 2 { format!("//{tail}").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surplus_slashes_before_a_host_are_skipped_as_browsers_do() {
        let base = Url::parse("https://example.org/a/b").unwrap();
        let read = |text: &str| parse(text, Some(&base)).map(String::from);
        for text in ["//h/x", "///h/x", "\\\\\\h\\x", " /\t/\n//h/x", "https:///h/x", "////////h/x"] {
            assert_eq!(read(text).as_deref(), Ok("https://h/x"), "{text:?}");
        }
        assert_eq!(read("/x").as_deref(), Ok("https://example.org/x"));
        assert_eq!(read("x///y").as_deref(), Ok("https://example.org/a/x///y"));
        assert!(read("///").is_err());
        let file = Url::parse("file:///x").unwrap();
        assert_eq!(parse("///y", Some(&file)).map(String::from).as_deref(), Ok("file:///y"));
    }

    #[test]
    fn a_caret_is_encoded_in_the_path_and_nowhere_else() {
        let read = |text: &str| parse(text, None).map(String::from);
        assert_eq!(read("http://h/a^b?c^d#e^f").as_deref(), Ok("http://h/a%5Eb?c^d#e^f"));
        assert_eq!(read("data:a^b").as_deref(), Ok("data:a^b"));
    }
}
