//! Does the time grow with the length only? Texts of a megabyte, of the kinds that tempt a parser to look again and again.

use std::time::Duration;

use groma_cpu_time::{cpu_time, measured};
use groma_url::Url;

const MEGABYTE: usize = 1 << 20;

/// A megabyte of a piece.
fn long(piece: &str) -> String {
    piece.repeat(MEGABYTE / piece.len())
}

/// Is it read in a time that is long for a pass over a megabyte, and far too short for its square?
fn is_quick(text: &str, base: &Url) -> bool {
    (0..5).any(|_| measured(|| base.join(text)).1 < Duration::from_millis(500))
}

#[test]
fn a_megabyte_is_read_in_one_pass() {
    let base = Url::parse("http://h/a/b").unwrap();
    for (front, piece) in [
        ("", "a/"),
        ("", "../"),
        ("", "a/../"),
        ("", "/"),
        ("sc:", "/"),
        ("sc:/", "..//"),
        ("file:", "C|/../"),
        ("", "\t"),
        (" ", "é "),
        ("http://", "a."),
        ("http://", "é."),
        ("http://", "é"),
        ("http://", "1."),
        ("http://", "0"),
        ("http://h:", "0"),
        ("http://", "@"),
        ("http://", ":"),
        ("http://", ":@"),
        ("http://", "["),
        ("http://[", ":"),
        ("http://[::", "1:"),
        ("http://", "xn--a."),
        ("http://", "%"),
        ("http://", "%C3%A9"),
        ("a?", "?'\"#"),
        ("blob:", "blob:"),
    ] {
        assert!(is_quick(&format!("{front}{}", long(piece)), &base), "{front}{piece}…");
    }
}

#[test]
fn changes_and_origins_take_one_pass_too() {
    let start = cpu_time();
    let mut url = Url::parse("http://h/").unwrap();
    url.set_path(&long("a/../é"));
    url.set_query(Some(&long("a=b&")));
    url.set_fragment(Some(&long("é")));
    assert_eq!(url.query_pairs().count(), MEGABYTE / 4);
    assert!(url.set_host(Some(&long("a."))).is_ok());
    let blob = Url::parse(&long("blob:")).unwrap();
    assert_eq!(blob.origin().ascii_serialization(), "null");
    assert!(cpu_time() - start < Duration::from_secs(60));
}
