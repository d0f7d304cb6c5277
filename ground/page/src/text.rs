//! Plain text: paragraphs between blank lines, and the URLs that stand in it.
//!
//! A URL begins with `http://` or `https://` and ends at white space, at one of `<>"` and the backtick, or at a
//! closing bracket that was not opened inside it; punctuation at its end belongs to the sentence. Cost: linear.

use groma_model::{Block, BlockKind, Link, LinkKind, ParsedPage, Rel, Target};
use groma_url::Url;

use crate::filter::{Filter, Input};
use crate::fold::{self, Folded};
use crate::{charset, language, sheet, text_fingerprint};

/// Reads `text/plain` and `text/markdown`.
#[derive(Clone, Copy, Debug)]
pub struct PlainText;

impl Filter for PlainText {
    fn takes(&self, media_type: &str) -> bool {
        matches!(media_type, "text/plain" | "text/markdown")
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let (text, encoding) = charset::decode(input.bytes, input.charset);
        let mut page = ParsedPage { charset: encoding.name(), ..ParsedPage::default() };
        paragraphs(&text, input, &mut page);
        addresses(&text, input, &mut page);
        page.language = language::detected(&page.blocks);
        if input.parts {
            page.parts = Some(Box::new(sheet::all_main(&page)));
        }
        let like = text_fingerprint::fingerprint_blocks(&page.blocks);
        (page.text_fp, page.near_fp, page.words) = (like.text_fp, like.near_fp, like.words);
        page
    }
}

fn paragraphs(text: &str, input: &Input<'_>, page: &mut ParsedPage) {
    let mut room = usize::try_from(input.limits.html_text).unwrap_or(usize::MAX);
    let mut folded = Folded::default();
    for line in text.lines().chain([""]) {
        if !line.bytes().all(|b| b.is_ascii_whitespace()) {
            folded.gap = true;
            if !folded.push(line, room) {
                page.cuts.push("html_text");
                break;
            }
        } else if !folded.text.is_empty() {
            room = room.saturating_sub(folded.text.len() + 1);
            page.blocks.push(Block { kind: BlockKind::Paragraph, text: folded.take() });
        }
    }
    if !folded.text.is_empty() {
        page.blocks.push(Block { kind: BlockKind::Paragraph, text: folded.take() });
    }
}

fn addresses(text: &str, input: &Input<'_>, page: &mut ParsedPage) {
    let mut from = 0;
    for colon in memchr::memmem::find_iter(text.as_bytes(), "://") {
        let Some(before) = text.get(from..colon) else { continue };
        let scheme = ["https", "http"].iter().find(|scheme| {
            let start = before.len().checked_sub(scheme.len());
            start.and_then(|start| before.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(scheme))
        });
        let Some(scheme) = scheme else { continue };
        let address = address(&text[colon - scheme.len()..]);
        from = colon - scheme.len() + address.len();
        let target = match Url::parse(address) {
            Ok(url) => Target::Web(url),
            // A scheme with nothing behind it is a word about URLs, not a broken one.
            Err(_) if address.len() <= scheme.len() + 3 => continue,
            Err(_) => Target::Malformed(address.chars().take(500).collect()),
        };
        if page.links.len() as u64 >= input.limits.html_links {
            page.cuts.push("html_links");
            return;
        }
        let room = usize::try_from(input.limits.anchor_bytes).unwrap_or(usize::MAX);
        page.links.push(Link {
            target,
            kind: LinkKind::Anchor,
            text: fold::cut(address, room).to_owned(),
            rel: Rel::default(),
            block: BlockKind::Paragraph,
        });
    }
}

/// The URL a text begins with.
fn address(text: &str) -> &str {
    let (mut round, mut square) = (0u32, 0u32);
    let end = text.find(|c: char| {
        match c {
            '(' => round += 1,
            '[' => square += 1,
            ')' if round == 0 => return true,
            ']' if square == 0 => return true,
            ')' => round -= 1,
            ']' => square -= 1,
            _ => {}
        }
        c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`')
    });
    let address = &text[..end.unwrap_or(text.len())];
    address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_model::Limits;
    use proptest::prelude::*;

    fn read(text: &[u8], limits: &Limits) -> ParsedPage {
        let url = Url::parse("http://a.test/notes.txt").unwrap();
        PlainText.read(&Input { bytes: text, url: &url, charset: None, limits, parts: false })
    }

    fn targets(text: &str) -> Vec<String> {
        let page = read(text.as_bytes(), &Limits::default());
        page.links.iter().map(|l| if let Target::Web(u) = &l.target { u.to_string() } else { "bad".into() }).collect()
    }

    #[test]
    fn paragraphs_are_divided_by_blank_lines() {
        let page = read(b"\n\none\r\n  two\r\n \t \nthree\n", &Limits::default());
        let texts: Vec<&str> = page.blocks.iter().map(|b| b.text.as_str()).collect();
        assert_eq!(texts, ["one two", "three"]);
        assert_eq!((page.title.as_str(), page.words, page.charset), ("", 3, "UTF-8"));
    }

    #[test]
    fn addresses_end_where_a_reader_would_end_them() {
        for (text, found) in [
            ("see http://b.test/x.", "http://b.test/x"),
            ("(https://b.test/a_(b))", "https://b.test/a_(b)"),
            ("[t](http://b.test/x)[u]", "http://b.test/x"),
            ("<HTTP://b.test/>", "http://b.test/"),
            ("xhttps://b.test/?q=1, or", "https://b.test/?q=1"),
        ] {
            assert_eq!(targets(text), [found], "{text}");
        }
        assert!(targets("http:// ftp://b.test ://").is_empty());
        assert_eq!(
            targets("http://a.test/http://b.test/ https://c.test"),
            ["http://a.test/http://b.test/", "https://c.test/"]
        );
        assert_eq!(targets("http://[bad/ x"), ["bad"]);
    }

    #[test]
    fn limits_cut_and_say_so() {
        let mut limits = Limits::default();
        (limits.html_text, limits.html_links) = (8, 1);
        let page = read(b"one\n\ntwo\n\nthree http://b.test http://c.test", &limits);
        assert_eq!(page.blocks.iter().map(|b| b.text.as_str()).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(page.links.len(), 1);
        assert_eq!(page.cuts, ["html_text", "html_links"]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            read(&bytes, &Limits::default());
        }

        #[test]
        fn any_brackets_are_read(text in "(http|https|://|\\(|\\)|\\[|\\]|a|é| |\\.|\n){0,30}") {
            read(text.as_bytes(), &Limits::default());
        }
    }
}
