//! What holds for every text? The text of an address gives the same address again; nothing panics; web addresses are read as
//! by another implementation of the standard (the crate url), but for what that is known to read otherwise.

use std::borrow::Cow;

use groma_url::{Host, Position, Url};
use proptest::prelude::*;

use super::as_scripts_see;

/// Pieces that addresses are made of, more or less.
fn soup(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(pieces), 0..most).prop_map(|pieces| pieces.concat())
}

const PIECES: &[&str] = &[
    "http:",
    "https:",
    "HTTP:",
    "ws:",
    "file:",
    "sc:",
    "web+x:",
    "mailto:",
    "blob:",
    "data:",
    "//",
    "/",
    "\\",
    "/",
    "/",
    ".",
    "..",
    "%2e",
    "%2E.",
    "?",
    "#",
    ":",
    "@",
    "[",
    "]",
    "::1",
    "1",
    "0x7f",
    "127.1",
    "80",
    "443",
    "99999",
    "a",
    "b.example",
    "Host",
    "localhost",
    "C:",
    "c|",
    "xn--",
    "xn--9ca",
    "é",
    "ß",
    "。",
    "\u{ad}",
    "\u{10ffff}",
    " ",
    "\t",
    "\n",
    "\0",
    "%",
    "%41",
    "%ff",
    "^",
    "|",
    "'",
    "\"",
    "<",
    "`",
    "{",
    "&",
    "=",
    "+",
    ";",
    "~",
];

/// For web addresses, without what the other implementation is known to read in its own way.
const WEB_PIECES: &[&str] = &[
    "/",
    "/",
    ".",
    "..",
    "%2e",
    "%2E.",
    "?",
    "#",
    ":",
    "@",
    "[",
    "]",
    "::1",
    "1",
    "0x7f",
    "127.1",
    "80",
    "443",
    "99999",
    "a",
    "b.example",
    "Host",
    "localhost",
    "c|",
    "é",
    "ß",
    "。",
    "\u{ad}",
    "\u{10ffff}",
    " ",
    "\t",
    "\n",
    "\0",
    "%",
    "%41",
    "%ff",
    "|",
    "'",
    "\"",
    "<",
    "`",
    "{",
    "&",
    "=",
    "+",
    ";",
    "~",
    "\\",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![8 => soup(PIECES, 12), 1 => any::<String>(), 1 => "\\PC{0,40}"]
}

/// Is everything that can be said about the address the same when it is read anew?
fn is_sound(url: &Url) {
    let again = Url::parse(url.as_str()).unwrap_or_else(|error| panic!("{url}: {error}"));
    assert_eq!(as_scripts_see(url), as_scripts_see(&again), "{url}");
    assert_eq!(url.host(), again.host(), "{url}");
    assert_eq!((url.query(), url.fragment()), (again.query(), again.fragment()), "{url}");
    assert_eq!(
        (url.has_authority(), url.cannot_be_a_base()),
        (again.has_authority(), again.cannot_be_a_base()),
        "{url}"
    );
    assert!(url.as_str().is_ascii(), "{url}");
    for pair in POSITIONS.windows(2) {
        let _ = &url[pair[0]..pair[1]];
    }
    assert_eq!(url.host().map(|host| host.to_string()).as_deref(), url.host_str());
}

use Position::*;
const POSITIONS: [Position; 16] = [
    BeforeScheme,
    AfterScheme,
    BeforeUsername,
    AfterUsername,
    BeforePassword,
    AfterPassword,
    BeforeHost,
    AfterHost,
    BeforePort,
    AfterPort,
    BeforePath,
    AfterPath,
    BeforeQuery,
    AfterQuery,
    BeforeFragment,
    AfterFragment,
];

/// The same parts in both?
fn is_same(ours: &Url, theirs: &url::Url) {
    assert_eq!(ours.as_str(), theirs.as_str());
    assert_eq!(ours.scheme(), theirs.scheme());
    assert_eq!((ours.username(), ours.password()), (theirs.username(), theirs.password()), "{ours}");
    assert_eq!((ours.host_str(), ours.domain()), (theirs.host_str(), theirs.domain()), "{ours}");
    assert_eq!(ours.host().map(|h| format!("{h:?}")), theirs.host().map(|h| format!("{h:?}")), "{ours}");
    assert_eq!((ours.port(), ours.port_or_known_default()), (theirs.port(), theirs.port_or_known_default()), "{ours}");
    assert_eq!(
        (ours.path(), ours.query(), ours.fragment()),
        (theirs.path(), theirs.query(), theirs.fragment()),
        "{ours}"
    );
    assert!(ours.path_segments().unwrap().eq(theirs.path_segments().unwrap()), "{ours}");
    assert!(ours.query_pairs().eq(theirs.query_pairs()), "{ours}");
    assert_eq!(ours.origin().ascii_serialization(), theirs.origin().ascii_serialization(), "{ours}");
    assert_eq!(ours.authority(), theirs.authority());
    let theirs_after_query = &theirs[url::Position::BeforePath..url::Position::AfterQuery];
    assert_eq!(&ours[BeforePath..AfterQuery], theirs_after_query);
    assert_eq!(&ours[BeforeHost..AfterPort], &theirs[url::Position::BeforeHost..url::Position::AfterPort]);
    assert_eq!(&ours[..BeforePath], &theirs[..url::Position::BeforePath]);
    assert_eq!(&ours[BeforeUsername..], &theirs[url::Position::BeforeUsername..]);
}

/// Does the other implementation read it in its own way? More slashes at the front than an authority needs are a path to it,
/// and it does not go up past what looks like a drive.
fn is_read_otherwise(text: &str) -> bool {
    let seen = text.trim_start_matches(|c: char| c <= ' ').replace(['\t', '\n'], "");
    let slashes = seen.bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count();
    let is_drive = |segment: &str| matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic());
    slashes > 2 || seen.split(['/', '\\', '?', '#']).any(is_drive)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn an_address_gives_the_same_address_again(text in text()) {
        if let Ok(url) = Url::parse(&text) {
            is_sound(&url);
        }
    }

    #[test]
    fn a_reference_gives_a_sound_address(base in text(), reference in text()) {
        let Ok(base) = Url::parse(&base) else { return Ok(()) };
        if let Ok(url) = base.join(&reference) {
            is_sound(&url);
            prop_assert_eq!(base.join(url.as_str()), Ok(url), "an address does not depend on the base");
        }
    }

    #[test]
    fn web_addresses_are_read_as_by_others(
        scheme in "http|https|HttpS",
        slashes in "/{0,4}",
        front in proptest::sample::select(&["", "h", "h/", "User:p:w@A.example:81/", "[1::2]:443", "10.1", "é.example:"][..]),
        rest in soup(WEB_PIECES, 10),
    ) {
        let text = format!("{scheme}:{slashes}{front}{rest}");
        if is_read_otherwise(&rest) {
            return Ok(());
        }
        match (Url::parse(&text), url::Url::parse(&text)) {
            (Ok(ours), Ok(theirs)) => is_same(&ours, &theirs),
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{text:?}: {ours:?}, {theirs:?}"),
        }
    }

    #[test]
    fn references_are_read_as_by_others(base in soup(WEB_PIECES, 6), reference in soup(WEB_PIECES, 8)) {
        let base = format!("http://h/{base}");
        let bases = (Url::parse(&base).unwrap(), url::Url::parse(&base).unwrap());
        if is_read_otherwise(&base) || is_read_otherwise(&reference) {
            return Ok(());
        }
        match (bases.0.join(&reference), bases.1.join(&reference)) {
            (Ok(ours), Ok(_)) if !ours.scheme().starts_with("http") => {}
            (Ok(ours), Ok(theirs)) => is_same(&ours, &theirs),
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("{reference:?} to {base:?}: {ours:?}, {theirs:?}"),
        }
    }

    #[test]
    fn ipv6_addresses_are_read_as_by_others(pieces in soup(&["1", "0", "abcd", "F", ":", ":", ":", "::", "1.2.3.4", "0.0", "g", "00"], 18)) {
        let text = format!("[{pieces}]");
        let (ours, theirs) = (Host::parse(&text).ok(), url::Host::parse(&text).ok());
        prop_assert_eq!(ours.map(|host| host.to_string()), theirs.map(|host| host.to_string()));
    }

    #[test]
    fn whole_ipv6_addresses_are_read_and_written_as_by_others(pieces in any::<[u8; 8]>()) {
        // Many zeros.
        let pieces = pieces.map(|piece| if piece < 128 { "0".to_owned() } else { format!("{piece:X}") });
        let text = format!("[{}]", pieces.join(":"));
        prop_assert_eq!(Host::parse(&text).unwrap().to_string(), url::Host::parse(&text).unwrap().to_string());
    }

    #[test]
    fn numbers_are_read_as_by_others(text in soup(&["1", "255", "256", "0", "0x", "09", "017", "f", ".", ".", ".", "4294967295"], 12)) {
        let (ours, theirs) = (Host::parse(&text).ok(), url::Host::parse(&text).ok());
        prop_assert_eq!(ours.map(|host| host.to_string()), theirs.map(|host| host.to_string()));
    }

    #[test]
    fn queries_in_the_encoding_of_a_page_are_read_as_by_others(scheme in "https?|ws|file", query in soup(WEB_PIECES, 8)) {
        let text = format!("{scheme}://h/?{query}");
        let ours = Url::options().encoding_override(Some(&latin)).parse(&text).unwrap();
        let theirs = url::Url::options().encoding_override(Some(&latin)).parse(&text).unwrap();
        prop_assert_eq!(ours.as_str(), theirs.as_str());
    }

    #[test]
    fn names_and_values_are_read_as_by_others(query in any::<Vec<u8>>(), pieces in soup(WEB_PIECES, 12)) {
        use groma_url::form_urlencoded as ours;
        use url::form_urlencoded as theirs;
        prop_assert!(ours::parse(&query).eq(theirs::parse(&query)));
        prop_assert!(ours::parse(pieces.as_bytes()).eq(theirs::parse(pieces.as_bytes())));
        let pairs: Vec<_> = ours::parse(pieces.as_bytes()).collect();
        let written = ours::Serializer::default().extend_pairs(pairs_of(&pairs)).finish();
        prop_assert_eq!(written, theirs::Serializer::new(String::new()).extend_pairs(&pairs).finish());
    }
}

/// A page in Latin-1.
fn latin(query: &str) -> Cow<'_, [u8]> {
    query.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()
}

fn pairs_of<'a>(pairs: &'a [(Cow<'a, str>, Cow<'a, str>)]) -> Vec<(&'a str, &'a str)> {
    pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref())).collect()
}
