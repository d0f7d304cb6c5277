//! Which reader reads which media type, and what it is given.
//!
//! A filter is total: whatever the bytes are, it answers with a page, in time linear in their number.

use groma_model::{Limits, ParsedPage};
use groma_url::Url;

use crate::css::Css;
use crate::feed::{self, Feed};
use crate::html::Html;
use crate::office::{self, Office};
use crate::pdf::Pdf;
use crate::sitemap::Listing;
use crate::text::PlainText;

/// What a filter reads.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Body of the answer, decompressed.
    pub bytes: &'a [u8],
    /// The URL it came from in the end, after redirects: what its relative links hang on.
    pub url: &'a Url,
    /// The charset the Content-Type header names.
    pub charset: Option<&'a str>,
    /// How much of it is looked at and kept.
    pub limits: &'a Limits,
    /// Are its parts wanted too?
    pub parts: bool,
}

/// Reads bodies of some media types.
pub trait Filter: Send + Sync {
    /// Does it read this type? In lower case, without parameters.
    fn takes(&self, media_type: &str) -> bool;

    /// Reads a body. Never fails: bad input gives a page with less in it.
    fn read(&self, input: &Input<'_>) -> ParsedPage;

    /// Is it read in a process of its own, because nobody knows beforehand what it costs? The one exception to linear.
    fn apart(&self) -> bool {
        false
    }
}

/// The filter for a media type (in lower case, without parameters), if there is one.
pub fn filter_for(media_type: &str) -> Option<&'static dyn Filter> {
    const FILTERS: [&dyn Filter; 6] = [&Html, &PlainText, &Css, &Feed, &Office, &Pdf];
    FILTERS.into_iter().find(|filter| filter.takes(media_type))
}

/// The filter for a body that somebody looks at by itself: also for sitemaps, which are no pages to a crawl.
pub fn filter_to_show(media_type: &str, bytes: &[u8]) -> Option<&'static dyn Filter> {
    let listing = || Listing::takes_body(bytes).then_some(&Listing as &dyn Filter);
    filter_for(media_type).or_else(listing)
}

/// The filter for a body that a survey starts at: a sitemap, an index of some or a list of URLs is read as the list it is. With
/// `listed`, for one that such a list names: then only sitemaps are.
pub fn filter_for_start(media_type: &str, bytes: &[u8], listed: bool) -> Option<&'static dyn Filter> {
    // What is packed is told by its bytes: servers call it many things.
    let is_text = || media_type == "text/plain" || is_senseless(media_type) || bytes.starts_with(&[0x1f, 0x8b]);
    let is_list = Listing::takes_body(bytes) || (!listed && is_text() && Listing::takes_lines(bytes));
    if is_list { Some(&Listing) } else { filter_for(media_type) }
}

/// What of a body is of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appeal {
    /// All of it, as much as a page may have.
    Page,
    /// All of it, as much as a document may have: a part of it is of no use.
    Document,
    /// The first bytes, which tell how large a picture is.
    Head,
    /// None of it.
    Nothing,
}

/// What of a body of this type (in lower case, without parameters) is of use. A type that is missing or says nothing is looked into.
pub fn appeal(media_type: &str) -> Appeal {
    if Office.takes(media_type) || Pdf.takes(media_type) {
        return Appeal::Document;
    }
    match media_type.split_once('/') {
        None | Some(("*" | "text" | "unknown", _) | ("application", "unknown" | "xml" | "json" | "feed+json")) => {
            Appeal::Page
        }
        Some(("application", sub)) if sub.ends_with("+xml") => Appeal::Page,
        Some(("image", _)) => Appeal::Head,
        Some(_) => Appeal::Nothing,
    }
}

/// What a body is where its type says only how it is written: a feed in XML or JSON, a web page, a drawing; else the type as it is.
pub fn true_type<'a>(media_type: &'a str, bytes: &[u8]) -> &'a str {
    feed::true_type(media_type, bytes).unwrap_or(media_type)
}

/// The type of a body whose server named none, or none that means anything; else the type that was named.
///
/// A short table after the MIME sniffing standard: what browsers guess from the first bytes. Anything else that holds
/// no binary bytes is text. A type that is named is believed, but only types of the table can be given back; others
/// come back as `application/octet-stream`, which no filter takes: callers ask only when [`is_senseless`].
pub fn sniff(media_type: &str, bytes: &[u8]) -> &'static str {
    let media_type = media_type.trim();
    if !is_senseless(media_type) {
        let known = MARKS.iter().map(|(_, name)| *name).chain(["text/html", "text/plain", "application/xhtml+xml"]);
        return known.into_iter().find(|name| name.eq_ignore_ascii_case(media_type)).unwrap_or(BINARY);
    }
    let head = &bytes[..bytes.len().min(1445)];
    if head.starts_with(b"PK\x03\x04")
        && let Some(name) = office::true_type(bytes)
    {
        return name;
    }
    if let Some((_, name)) = MARKS.iter().find(|(mark, _)| head.starts_with(mark)) {
        return name;
    }
    if head.get(..4) == Some(b"RIFF") && head.get(8..14) == Some(b"WEBPVP") {
        return "image/webp";
    }
    if head.get(4..8) == Some(b"ftyp") {
        return if matches!(head.get(8..12), Some(b"avif" | b"avis")) { "image/avif" } else { "video/mp4" };
    }
    if is_markup(head) {
        return "text/html";
    }
    let start = head.trim_ascii_start();
    if start.starts_with(b"<?xml") {
        return "text/xml";
    }
    if head.iter().any(is_binary) { BINARY } else { "text/plain" }
}

/// Bytes that no text has (the "binary data bytes" of the MIME sniffing standard).
fn is_binary(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

/// What a body is that came as text but is none: the type its first bytes tell, or `application/octet-stream`.
///
/// Rule: it begins as files of a kind that is no text begin, or more than one byte in 32 of its first 4096 is one that no text has (of
/// random bytes it is one in nine), and at least four are. A page with a stray NUL stays a page; so does one in UTF-16, which
/// its charset or a byte order mark tells.
pub fn no_text(bytes: &[u8], charset: Option<&str>) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(4096)];
    if is_wide(head, charset) {
        return None;
    }
    let mark = MARKS.iter().find(|(mark, name)| head.starts_with(mark) && !name.starts_with("text/"));
    let binary = head.iter().filter(|byte| is_binary(byte)).count();
    match mark {
        // Two and three letters may begin a text too.
        Some((mark, name)) if mark.len() > 3 || binary > 0 || !mark.is_ascii() => Some(*name),
        _ if binary >= 4 && binary * 32 > head.len() => Some(sniff("", bytes)),
        _ => None,
    }
    .map(|name| if name.starts_with("text/") { BINARY } else { name })
}

/// Is it written in two or four bytes a letter, as its charset or its first bytes say?
fn is_wide(head: &[u8], charset: Option<&str>) -> bool {
    let said = charset.is_some_and(|name| {
        let name = name.trim().to_ascii_lowercase();
        ["utf-16", "utf16", "ucs-2", "unicode", "utf-32", "iso-10646"].iter().any(|wide| name.contains(wide))
    });
    let begins = [&b"\xfe\xff"[..], b"\xff\xfe", b"<\0?\0x\0", b"\0<\0?\0x"];
    said || begins.iter().any(|mark| head.starts_with(mark))
}

/// Does a Content-Type say nothing?
pub fn is_senseless(media_type: &str) -> bool {
    matches!(media_type.trim(), "" | "*/*")
        || ["unknown/unknown", "application/unknown"].iter().any(|t| t.eq_ignore_ascii_case(media_type.trim()))
}

const BINARY: &str = "application/octet-stream";

/// First bytes, and what they mean.
const MARKS: [(&[u8], &str); 18] = [
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\xfe\xff", "text/plain"),
    (b"\xff\xfe", "text/plain"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"PK\x03\x04", "application/zip"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"OggS\0", "application/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\0asm", "application/wasm"),
];

/// Does it begin like HTML: a known tag or a comment, after white space and a byte order mark?
fn is_markup(head: &[u8]) -> bool {
    #[rustfmt::skip]
    const OPENINGS: [&str; 17] = [
        "<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table", "<a", "<style",
        "<title", "<b", "<body", "<br", "<p", "<!--",
    ];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    OPENINGS.iter().any(|opening| {
        let Some((start, rest)) = head.split_at_checked(opening.len()) else { return false };
        let ends = *opening == "<!--" || matches!(rest.first(), Some(b' ' | b'>' | b'\t' | b'\n' | b'\r' | b'\x0c'));
        ends && start.eq_ignore_ascii_case(opening.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_start_pages() {
        let links = |media_type: &str, bytes: &[u8], listed: bool| {
            let (url, limits) = (Url::parse("http://a.test/list").unwrap(), Limits::default());
            let input = Input { bytes, url: &url, charset: None, limits: &limits, parts: false };
            let filter = filter_for_start(media_type, bytes, listed).expect("a filter");
            filter.read(&input).links.len()
        };
        let map = b"<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</loc></url></urlset>";
        assert_eq!(links("application/xml", map, false), 2);
        assert_eq!(links("text/html", map, true), 2);
        let index = b"<?xml version='1.0'?><sitemapindex><sitemap><loc>/s.xml.gz</loc></sitemap></sitemapindex>";
        assert_eq!(links("text/xml", index, true), 1);
        let list = b"\xef\xbb\xbf# mine\r\nhttp://a.test/1\r\n\r\nHTTPS://a.test/2";
        assert_eq!(links("text/plain", list, false), 2);
        assert!(!Listing::takes_lines(b"http://a.test/1 is a page\nand so on"), "a text is a text");
        assert!(filter_for_start("application/gzip", b"\x1f\x8b\x08broken", false).is_none());
    }

    #[test]
    fn every_type_finds_its_filter() {
        for name in ["text/html", "application/xhtml+xml", "text/plain", "text/markdown"] {
            assert!(filter_for(name).is_some(), "{name}");
        }
        assert!(filter_for("image/png").is_none());
        assert!(filter_for("application/octet-stream").is_none());
    }

    #[test]
    fn a_body_without_a_type_is_known_by_its_first_bytes() {
        for (bytes, name) in [
            (&b"  \n<!DOCTYPE html><p>x"[..], "text/html"),
            (b"\xef\xbb\xbf<HTML>", "text/html"),
            (b"<!-- hi -->", "text/html"),
            (b"<p>x", "text/html"),
            (b"<pre>x", "text/plain"),
            (b"<?xml version='1.0'?><urlset/>", "text/xml"),
            (b"%PDF-1.7", "application/pdf"),
            (b"\x89PNG\r\n\x1a\nIHDR", "image/png"),
            (b"RIFF\x01\x02\x03\x04WEBPVP8 ", "image/webp"),
            (b"just words", "text/plain"),
            (b"", "text/plain"),
            (b"bin\x00ary", "application/octet-stream"),
        ] {
            for senseless in ["", "*/*", "unknown/unknown", "Application/Unknown"] {
                assert_eq!(sniff(senseless, bytes), name, "{bytes:?}");
            }
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_told_whatever_their_type_says() {
        let random: Vec<u8> = (0..3000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let mut tar = b"a/readme.txt".to_vec();
        tar.resize(512, 0);
        for (bytes, name) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], "image/png"),
            (b"\xff\xd8\xff\xe0 words words words", "image/jpeg"),
            (b"GIF89a words", "image/gif"),
            (b"%PDF-1.4 words", "application/pdf"),
            (b"\x1f\x8b\x08words", "application/gzip"),
            (b"BM\x8a\0\0\0", "image/bmp"),
            (&random, "application/octet-stream"),
            (&tar, "application/octet-stream"),
        ] {
            assert_eq!(no_text(bytes, None), Some(name), "{bytes:?}");
            assert_eq!(no_text(bytes, Some("utf-8")), Some(name), "{bytes:?}");
        }
        let wide: Vec<u8> = "<p>wide</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(no_text(&wide, Some("UTF-16LE")), None);
        assert_eq!(no_text(&[b"\xff\xfe", &wide[..]].concat(), None), None);
        let stray = [b"<p>a page with a stray \0 and a \x0b".to_vec(), vec![b'x'; 200]].concat();
        for text in [
            &b"<p>caf\xe9"[..],
            b"BMW is a maker of cars",
            b"ID3 is an algorithm",
            b"",
            &stray,
            "\u{65e5}\u{672c}".as_bytes(),
        ] {
            assert_eq!(no_text(text, None), None, "{text:?}");
        }
        assert_eq!(no_text(b"\x1b$B8@8l\x1b(B", None), None, "ISO-2022-JP");
    }

    #[test]
    fn a_type_that_is_named_is_believed() {
        assert_eq!(sniff("text/plain", b"<html>"), "text/plain");
        assert_eq!(sniff("Text/HTML", b"%PDF-1.7"), "text/html");
        assert_eq!(sniff("application/x-strange", b"<html>"), "application/octet-stream");
    }
}
