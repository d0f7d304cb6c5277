//! What a page is called where people read: its title on one line, or else the last part of its URL.

use groma_model::wording::plain;

use crate::{Label, words};

/// The longest name, in characters: a title of 100 kB is an attack or an accident, not a name.
const LONGEST: usize = 500;

/// The name of a page: one line, no control characters, none that turn the direction of writing, at most 500 characters.
pub(crate) fn display_name(label: &Label) -> String {
    let title = one_line(&label.title);
    if !title.is_empty() {
        return title;
    }
    let last = one_line(&unescaped(last_part(&label.url)));
    if last.is_empty() { words::NAMELESS.into() } else { last }
}

/// A stranger's text on one line, cut with a sign.
pub(crate) fn one_line(text: &str) -> String {
    // The Arabic letter mark turns the direction too; line and paragraph separators count as white space.
    let clean = plain(text).replace(['\u{61c}', '\u{feff}'], " ");
    let mut letters = clean.split_whitespace().flat_map(|word| std::iter::once(' ').chain(word.chars())).skip(1);
    let mut line: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() {
        line.truncate(line.trim_end().len());
        line.push('…');
    }
    line
}

/// The last part of the path with its query; the host if there is no path.
fn last_part(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let query = path.find('?').unwrap_or(path.len());
    let folder = path[..query].trim_end_matches('/');
    if folder.is_empty() {
        return if query < path.len() { &path[query..] } else { host };
    }
    let start = folder.rfind('/').map_or(0, |at| at + 1);
    path[start..].trim_end_matches('/')
}

/// `%C5%BD` as `Ž`; what is no UTF-8 stays as it is.
fn unescaped(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|&b| char::from(b).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| part.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_without_title_is_called_by_the_end_of_its_address() {
        for (url, name) in [
            ("https://a.example/", "a.example"),
            ("https://a.example", "a.example"),
            ("https://a.example/x/y", "y"),
            ("https://a.example/x/y/", "y"),
            ("https://a.example/x/y/?page=2", "y/?page=2"),
            ("https://a.example/?page=2", "?page=2"),
            ("https://a.example/%C5%BDi%C5%BEkov", "Žižkov"),
            ("https://a.example/%ff%41", "%ff%41"),
            ("mailto:x", "mailto:x"),
            ("", "(no name)"),
            ("https://a.example/%00%0a", "(no name)"),
        ] {
            let part = one_line(&unescaped(last_part(url)));
            assert_eq!(if part.is_empty() { words::NAMELESS.to_owned() } else { part }, name, "{url}");
        }
    }

    #[test]
    fn names_are_one_line_and_short() {
        assert_eq!(one_line(" a\n\t b\u{202e}c\x1b[2J "), "a b c [2J");
        assert_eq!(one_line(&"x".repeat(100_000)).chars().count(), 501);
        assert_eq!(one_line(&" ab".repeat(50_000)), format!("{}ab…", "ab ".repeat(166)));
        assert_eq!(one_line(&"ž".repeat(500)), "ž".repeat(500));
    }
}
