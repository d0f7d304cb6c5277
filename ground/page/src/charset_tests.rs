//! The order of the HTML standard, step by step.

use super::*;
use proptest::prelude::*;

fn name(bytes: &[u8], header: Option<&str>) -> &'static str {
    decode(bytes, header).1.name()
}

#[test]
fn a_byte_order_mark_wins_over_everything_and_is_taken_off() {
    let (text, encoding) = decode(b"\xef\xbb\xbfa<meta charset=latin2>", Some("windows-1251"));
    assert_eq!((text.as_ref(), encoding.name()), ("a<meta charset=latin2>", "UTF-8"));
    let (text, encoding) = decode(b"\xff\xfea\0\xe9\0", None);
    assert_eq!((text.as_ref(), encoding.name()), ("a\u{e9}", "UTF-16LE"));
    assert_eq!(name(b"\xfe\xff\0a", Some("utf-8")), "UTF-16BE");
}

#[test]
fn the_header_wins_over_the_page() {
    let (text, encoding) = decode(b"<meta charset=utf-8>\xec", Some("ISO-8859-2"));
    assert_eq!((text.as_ref(), encoding.name()), ("<meta charset=utf-8>\u{11b}", "ISO-8859-2"));
    assert_eq!(name(b"x", Some("\"windows-1250\"")), "windows-1250");
}

#[test]
fn a_header_that_names_no_encoding_is_passed_over() {
    assert_eq!(name(b"<meta charset=koi8-r>", Some("nonsense")), "KOI8-R");
}

#[test]
fn the_page_declares_its_encoding_in_every_way_of_the_standard() {
    for page in [
        "<meta charset=windows-1250>",
        "<META CHARSET='windows-1250'>",
        "<meta charset = \"windows-1250\" />",
        "<!-- <meta charset=utf-8> --><meta charset=windows-1250>",
        "<a title='<meta charset=utf-8>'><meta charset=windows-1250>",
        "<!doctype html><html><head/><meta/charset=windows-1250>",
        "<meta http-equiv=Content-Type content='text/html; charset=windows-1250'>",
        "<meta content='text/html; charset = \"windows-1250\"' http-equiv=content-type>",
        "<meta name=a charset=windows-1250 charset=utf-8>",
        "<?xml version='1.0' encoding='windows-1250'?><html>",
    ] {
        assert_eq!(name(format!("{page}\u{e9}").as_bytes(), None), "windows-1250", "{page}");
    }
}

#[test]
fn what_is_no_declaration_is_none() {
    for page in [
        "<meta content='text/html; charset=windows-1250'>",
        "<metas charset=windows-1250>",
        "<!--<meta charset=windows-1250>",
        "<meta charset=nonsense>",
        "</meta charset=windows-1250>",
    ] {
        assert_eq!(name(page.as_bytes(), None), "UTF-8", "{page}");
    }
    let late = format!("{}<meta charset=windows-1250>", " ".repeat(1024));
    assert_eq!(name(late.as_bytes(), None), "UTF-8");
}

#[test]
fn a_meta_cannot_mean_utf_16_or_user_defined() {
    assert_eq!(name(b"<meta charset=utf-16>", None), "UTF-8");
    assert_eq!(name(b"<meta charset=utf-16be>", None), "UTF-8");
    assert_eq!(name(b"<meta charset=x-user-defined>", None), "windows-1252");
    assert_eq!(name(b"<\0?\0x\0m\0l\0", None), "UTF-16LE");
}

#[test]
fn without_a_declaration_valid_utf_8_is_utf_8_and_the_rest_is_guessed() {
    assert_eq!(name("plain".as_bytes(), None), "UTF-8");
    assert_eq!(name("žluťoučký".as_bytes(), None), "UTF-8");
    assert_eq!(name(&"žluťoučký".as_bytes()[..1], None), "UTF-8");
    let russian = "Карта показывает, как расположены страницы сайта и какие ссылки никуда не ведут. ".repeat(5);
    let bytes = encoding_rs::WINDOWS_1251.encode(&russian).0;
    let (text, encoding) = decode(&bytes, None);
    assert_eq!((text.as_ref(), encoding.name()), (russian.as_str(), "windows-1251"));
    let japanese = "日本語の文章はここにあります。".repeat(5);
    assert_eq!(name(&encoding_rs::ISO_2022_JP.encode(&japanese).0, None), "ISO-2022-JP");
    assert_eq!(name(&encoding_rs::SHIFT_JIS.encode(&japanese).0, None), "Shift_JIS");
}

#[test]
fn valid_utf_8_is_not_copied_and_bad_bytes_are_marked() {
    assert!(matches!(decode("é".as_bytes(), None).0, Cow::Borrowed("é")));
    assert_eq!(decode(b"a\xffb", Some("utf-8")).0, "a\u{fffd}b");
}

proptest! {
    #[test]
    fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..300), header in "[a-z0-9-]{0,10}") {
        decode(&bytes, Some(&header));
        decode(&bytes, None);
    }

    #[test]
    fn any_declaration_is_scanned(page in "(<|meta|/| |charset|=|\"|'|utf-16|>|!--|-->|content|http-equiv|content-type|;|\\?xml|encoding){0,30}") {
        decode(page.as_bytes(), None);
    }
}

#[test]
fn the_charset_of_a_header_is_found_among_its_parameters() {
    assert_eq!(of_content_type("text/html; level=1; Charset=\"UTF-8\"").as_deref(), Some("UTF-8"));
    assert_eq!(of_content_type("text/html"), None);
}
