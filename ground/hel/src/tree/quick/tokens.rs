//! From the bytes of a page to tags and texts, by the tokenizer of the standard (13.2.5).

use super::attributes;
use super::attributes::Written;
use super::construct::{Construction, Content};
use super::tags::{end_tag, start_tag};

/// Gives a construction what is in a page. Nothing if it is not plain.
pub(super) fn read<'p>(page: &'p str, construction: &mut Construction<'p>) -> Option<()> {
    let bytes = page.as_bytes();
    let mut written: Vec<Written<'p>> = Vec::new();
    let mut at = 0;
    while at < page.len() {
        let text_end = page[at..].find('<').map_or(page.len(), |found| at + found);
        if text_end > at {
            construction.text(&page[at..text_end], true)?;
            at = text_end;
            continue;
        }
        match (bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(b'a'..=b'z' | b'A'..=b'Z'), _) => {
                let name = tag_name(page, at + 1);
                // A page that ends within a tag does not have it.
                let Some(end) = attributes::read(page, at + 1 + name.len(), &mut written) else { break };
                at = end.at;
                at = match start_tag(construction, name, &written, end.closes_itself)? {
                    Content::Markup => at,
                    content => raw(page, at, name, content == Content::References, construction)?,
                };
            }
            (Some(b'/'), Some(b'a'..=b'z' | b'A'..=b'Z')) => {
                let name = tag_name(page, at + 2);
                let Some(end) = attributes::read(page, at + 2 + name.len(), &mut written) else { break };
                end_tag(construction, name)?;
                at = end.at;
            }
            (Some(b'/'), Some(b'>')) => at += 3,
            (Some(b'!'), _) => at = declaration(page, at, construction)?,
            (Some(b'/'), Some(_)) | (Some(b'?'), _) => at = bogus(page, at, construction),
            _ => {
                construction.text("<", false)?;
                at += 1;
            }
        }
    }
    Some(())
}

fn tag_name(page: &str, start: usize) -> &str {
    let rest = &page[start..];
    let end = rest.find(['\t', '\n', '\x0c', ' ', '/', '>']).unwrap_or(rest.len());
    &rest[..end]
}

/// What begins with `<!`: comments, the type of the document, what is taken for a comment.
fn declaration(page: &str, at: usize, construction: &mut Construction<'_>) -> Option<usize> {
    let rest = &page[at + 2..];
    if let Some(comment) = rest.strip_prefix("--") {
        construction.comment();
        let empty = ["->", ">"].into_iter().find(|end| comment.starts_with(end));
        let end = empty.map_or_else(|| end_of_comment(comment), |end| Some(end.len()))?;
        return Some(at + 4 + end);
    }
    if rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case("doctype")) {
        let end = rest.find('>')?;
        construction.document_type(rest[7..end].trim_ascii().eq_ignore_ascii_case("html"));
        return Some(at + 2 + end + 1);
    }
    if rest.starts_with("[CDATA[") && construction.is_foreign() {
        return None;
    }
    Some(bogus(page, at, construction))
}

/// The byte behind the first `-->` or `--!>`; one search for both, so that no comment is looked through to the end of the page.
fn end_of_comment(comment: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + comment[from..].find("--")? + 2;
        let end = [">", "!>"].into_iter().find(|end| comment[at..].starts_with(end));
        if let Some(end) = end {
            return Some(at + end.len());
        }
        from = at - 1;
    }
}

fn bogus(page: &str, at: usize, construction: &mut Construction<'_>) -> usize {
    construction.comment();
    page[at..].find('>').map_or(page.len(), |end| at + end + 1)
}

/// The text of an element that holds nothing else, and its end tag.
fn raw(page: &str, start: usize, name: &str, references: bool, construction: &mut Construction<'_>) -> Option<usize> {
    let mut from = start;
    loop {
        let found = from + page[from..].find("</")?;
        let behind = found + 2 + name.len();
        let is_end = page.get(found + 2..behind).is_some_and(|own| own.eq_ignore_ascii_case(name))
            && matches!(page.as_bytes().get(behind), Some(b'\t' | b'\n' | b'\x0c' | b' ' | b'/' | b'>'));
        if !is_end {
            from = found + 2;
            continue;
        }
        let text = &page[start..found];
        // Within a comment of a script, a script may begin and end.
        if name.eq_ignore_ascii_case("script") && text.contains("<!--") && has_script(text) {
            return None;
        }
        construction.text(text, references)?;
        let end = attributes::read(page, behind, &mut Vec::new())?;
        construction.end_raw()?;
        return Some(end.at);
    }
}

fn has_script(text: &str) -> bool {
    text.as_bytes().windows(7).any(|bytes| bytes.eq_ignore_ascii_case(b"<script"))
}
