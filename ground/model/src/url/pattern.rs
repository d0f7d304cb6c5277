//! Patterns: what users write to say which URLs they mean (`--include`, `--exclude`, and their like in groma.toml).
//!
//! ```text
//! /blog/*                 starts with '/': path and query          *.pdf               the whole URL
//! https://a.org/blog/*    the whole URL                        a.org/blog/*        the same, whatever the scheme
//! re:/\d{4}/\d\d/$        a regular expression, found anywhere in the URL
//! ```
//!
//! In a glob only `*` is special (any run of characters, `/` and `?` included) and both ends are anchored. It is compared
//! with the URL as the URL standard writes it, so a glob is first brought into that shape as far as it has no star:
//! host names in lower case and punycode, default ports gone, other letters than ASCII percent-encoded. A fragment and a
//! user name are never looked at. Cost: linear in the URL, for regular expressions times their compiled size, which
//! is bounded. Not guaranteed: that a pattern finds another spelling of the same URL (`%7E` is not `~`).

use std::fmt::Write;

use groma_url::{Position, Url};
use regex::bytes::{Regex, RegexBuilder};

use super::glob::Glob;

/// Bytes of a compiled regular expression, and of its table of states while it runs: a few thousand times the size of an
/// honest one, and too little for `(a{1000}){1000}` to hurt.
const REGEX_BYTES: usize = 1 << 20;

/// A pattern that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The pattern is empty.
    #[error("the pattern `{0}` is empty; write `*` to match every URL")]
    Empty(String),
    /// The regular expression is not one.
    #[error(
        "the pattern `{pattern}` is no regular expression: {why}; for a glob leave out `re:`, there only `*` is special"
    )]
    Regex {
        /// The pattern as it was written.
        pattern: String,
        /// What the regular expression parser found.
        why: String,
    },
    /// The regular expression would take too much memory.
    #[error(
        "the pattern `{0}` is too large once compiled; write smaller counts in its {{braces}}, or use several patterns"
    )]
    TooLarge(String),
}

/// A glob or regular expression for URLs, compiled.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    Path(Glob),
    Whole(Glob),
    WholeOrBare(Glob),
    Regex(Regex),
}

impl Pattern {
    /// Reads a pattern as a user wrote it.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let shape = if let Some(regex) = text.strip_prefix("re:") {
            if regex.is_empty() {
                return Err(PatternError::Empty(text.to_owned()));
            }
            Shape::Regex(compile(text, regex)?)
        } else if text.is_empty() {
            return Err(PatternError::Empty(text.to_owned()));
        } else if text.starts_with('/') {
            Shape::Path(Glob::new(&escaped(text)))
        } else if text.starts_with('*') {
            // The star takes in the scheme as well.
            Shape::Whole(Glob::new(&escaped(text)))
        } else if let Some((scheme, rest)) = text.split_once("://") {
            Shape::Whole(Glob::new(&standard(scheme, rest).unwrap_or_else(|| escaped(text))))
        } else {
            let glob = standard("http", text).and_then(|whole| Some(whole.strip_prefix("http://")?.to_owned()));
            Shape::WholeOrBare(Glob::new(&glob.unwrap_or_else(|| escaped(text))))
        };
        Ok(Pattern { text: text.to_owned(), shape })
    }

    /// Whether a URL is meant.
    pub fn matches(&self, url: &Url) -> bool {
        let whole = || url[..Position::AfterQuery].as_bytes();
        let bare = || url[Position::BeforeHost..Position::AfterQuery].as_bytes();
        match &self.shape {
            Shape::Path(glob) => glob.matches(url[Position::BeforePath..Position::AfterQuery].as_bytes()),
            Shape::Whole(glob) => glob.matches(whole()),
            Shape::WholeOrBare(glob) => glob.matches(whole()) || glob.matches(bare()),
            Shape::Regex(regex) => regex.is_match(whole()),
        }
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// URLs are ASCII, so the expression need not know Unicode; that keeps `\w` and `.` small and fast.
fn compile(text: &str, regex: &str) -> Result<Regex, PatternError> {
    let built = RegexBuilder::new(regex).unicode(false).size_limit(REGEX_BYTES).dfa_size_limit(REGEX_BYTES).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => PatternError::TooLarge(text.to_owned()),
        other => {
            // The parser draws a picture over several lines; its last line says what is wrong.
            let why = other.to_string();
            let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
            PatternError::Regex { pattern: text.to_owned(), why }
        }
    })
}

/// A glob with its host as the URL standard writes it, or nothing where there is a star in it or no host at all.
fn standard(scheme: &str, rest: &str) -> Option<String> {
    let (authority, tail) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    if scheme.contains('*') || authority.is_empty() || authority.contains(['*', '@', '#']) {
        return None;
    }
    let url = Url::parse(&format!("{scheme}://{authority}/")).ok()?;
    let slash = if tail.starts_with('/') { "" } else { "/" };
    Some(format!("{}{slash}{}", &url[..Position::BeforePath], escaped(tail)))
}

/// Percent-encodes what no URL holds as it is.
pub(crate) fn escaped(glob: &str) -> String {
    let mut out = String::with_capacity(glob.len());
    for byte in glob.bytes() {
        if !byte.is_ascii_graphic() || b"\"<>".contains(&byte) {
            // Writing into a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        } else {
            out.push(char::from(byte));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hits(pattern: &str, url: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(&Url::parse(url).unwrap())
    }

    #[test]
    fn a_glob_is_compared_with_the_part_of_the_address_it_looks_like() {
        for (pattern, url, expected) in [
            ("/blog/*", "https://a.org/blog/x?y=1", true),
            ("/blog/*", "https://a.org/en/blog/x", false),
            ("/blog", "https://a.org/blog?y", false),
            ("/blog?y", "https://a.org/blog?y", true),
            ("/a?c", "https://a.org/abc", false),
            ("*.pdf", "https://a.org/x.pdf", true),
            ("*/print/*", "https://a.org/x/print/", true),
            ("*print*", "https://a.org/x?mode=print", true),
            ("a.org/blog/*", "https://a.org/blog/", true),
            ("a.org/blog/*", "http://a.org/blog/", true),
            ("a.org/blog/*", "http://b.org/?u=a.org/blog/", false),
            ("http://a.org/*", "https://a.org/", false),
            ("*://a.org/*", "https://a.org/", true),
            ("*.a.org/*", "https://www.a.org/x", true),
            ("a.org", "https://a.org/", true),
            ("a.org", "https://a.org/x", false),
            ("*", "https://a.org/x?y", true),
            ("/x", "https://a.org/x#part", true),
        ] {
            assert_eq!(hits(pattern, url), expected, "{pattern} on {url}");
        }
    }

    #[test]
    fn a_glob_may_be_written_as_people_write_addresses() {
        assert!(hits("HTTP://A.Org:80/Blog/*", "http://a.org/Blog/x"));
        assert!(!hits("a.org/blog/*", "http://a.org/Blog/x"));
        assert!(hits("bücher.de/*", "https://bücher.de/x"));
        assert!(hits("/články/*", "https://a.cz/články/1"));
        assert!(hits("a.org/two words*", "https://a.org/two words?"));
        assert!(hits("[::1]:8080/*", "http://[::1]:8080/x"));
        assert!(hits("a.org?page=*", "http://a.org/?page=2"));
    }

    #[test]
    fn a_regular_expression_is_found_anywhere_in_the_whole_address() {
        assert!(hits(r"re:/\d{4}/", "https://a.org/2024/x"));
        assert!(hits("re:^https:", "https://a.org/"));
        assert!(hits("re:(?i)PRINT$", "https://a.org/?print"));
        assert!(!hits("re:^/x", "https://a.org/x"));
    }

    #[test]
    fn a_pattern_that_cannot_be_used_is_named_with_a_hint() {
        let says = |text: &str| Pattern::parse(text).unwrap_err().to_string();
        assert!(says("").contains("write `*`"));
        assert!(says("re:").contains("write `*`"));
        let broken = says("re:(unclosed");
        assert!(broken.contains("`re:(unclosed`") && broken.contains("unclosed group") && broken.contains("leave out"));
        assert!(!broken.contains('\n'));
    }

    #[test]
    fn a_hostile_regular_expression_is_refused_or_harmless() {
        for hostile in [r"re:(a{1000}){1000}", r"re:((((((x{100}){100}){100}){100}){100}){100})"] {
            assert_eq!(Pattern::parse(hostile).unwrap_err(), PatternError::TooLarge(hostile.to_owned()));
        }
        let nested = format!("re:{}a{}", "(".repeat(10_000), ")".repeat(10_000));
        assert!(matches!(Pattern::parse(&nested), Err(PatternError::Regex { .. })));
        assert!(!hits("re:(a+)+$", &format!("http://h/{}!", "a".repeat(4000))));
    }

    proptest! {
        #[test]
        fn parsing_and_matching_never_panic(text in "(re:)?.{0,30}", path in ".{0,20}") {
            if let (Ok(pattern), Ok(url)) = (Pattern::parse(&text), Url::parse(&format!("http://h/{path}"))) {
                pattern.matches(&url);
            }
        }

        #[test]
        fn an_address_without_a_star_matches_itself(path in "[a-z0-9/?=&.;~]{0,20}") {
            let url = Url::parse(&format!("https://a.org/{path}")).unwrap();
            prop_assert!(Pattern::parse(url.as_str()).unwrap().matches(&url));
        }
    }
}
