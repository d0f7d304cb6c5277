//! Character references: `&amp;`, `&#38;`, `&#x26;`, by the HTML standard (13.2.5.72 ff.).
//!
//! A name ends at its semicolon. Old names count without one too: the longest that the letters begin with, except in an
//! attribute's value where a letter, a digit or `=` follows (`?a=1&copy=2` is a URL). Numbers of no character, and
//! zero, are U+FFFD; 0x80 to 0x9F mean what they mean in windows-1252.
//!
//! Cost: a name is looked up once, among the 2125, by halving; at most 32 bytes are looked at, except in numbers.

use super::names::{BARE, NAMES};

/// The longest name, and the longest and shortest that count without a semicolon.
const LONGEST: usize = 31;
const LONGEST_BARE: usize = 6;
const SHORTEST_BARE: usize = 2;

/// What a reference stands for: one or two characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// What a named reference stands for.
    Text(&'static str),
    /// What a numeric reference stands for.
    Char(char),
}

/// Where the reference stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Text,
    /// The value of an attribute.
    Value,
}

/// The reference whose ampersand stands right before `rest`: its meaning and its length. Nothing if it is none.
pub(crate) fn read(rest: &[u8], within: Within) -> Option<(Meaning, usize)> {
    match rest.first()? {
        b'#' => number(&rest[1..]).map(|(char, length)| (Meaning::Char(char), length + 1)),
        b if b.is_ascii_alphanumeric() => named(rest, within),
        _ => None,
    }
}

/// Adds a text to another, its references replaced.
pub(crate) fn replace(mut text: &str, within: Within, to: &mut String) {
    while let Some(at) = memchr::memchr(b'&', text.as_bytes()) {
        to.push_str(&text[..at]);
        text = &text[at + 1..];
        match read(text.as_bytes(), within) {
            Some((Meaning::Text(meaning), length)) => {
                to.push_str(meaning);
                text = &text[length..];
            }
            Some((Meaning::Char(meaning), length)) => {
                to.push(meaning);
                text = &text[length..];
            }
            None => to.push('&'),
        }
    }
    to.push_str(text);
}

fn named(rest: &[u8], within: Within) -> Option<(Meaning, usize)> {
    let ends = |b: &u8| !b.is_ascii_alphanumeric();
    let most = rest.len().min(LONGEST + 1);
    let length = rest[..most].iter().position(ends).unwrap_or(most);
    if rest.get(length) == Some(&b';')
        && let Some(text) = meaning(&rest[..length])
    {
        return Some((Meaning::Text(text), length + 1));
    }
    let bare = |end: usize| BARE.binary_search_by(|name| name.as_bytes().cmp(&rest[..end])).is_ok();
    let end = (SHORTEST_BARE..=length.min(LONGEST_BARE)).rev().find(|end| bare(*end))?;
    let goes_on = rest.get(end).is_some_and(|b| *b == b'=' || b.is_ascii_alphanumeric());
    if within == Within::Value && goes_on {
        return None;
    }
    meaning(&rest[..end]).map(|text| (Meaning::Text(text), end))
}

fn meaning(name: &[u8]) -> Option<&'static str> {
    // Nearly all of what pages hold.
    match name {
        b"lt" => return Some("<"),
        b"gt" => return Some(">"),
        b"amp" => return Some("&"),
        b"quot" => return Some("\""),
        b"nbsp" => return Some("\u{a0}"),
        _ => {}
    }
    let found = NAMES.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
    Some(NAMES[found].1)
}

/// A number after `&#`: the character and its length.
fn number(rest: &[u8]) -> Option<(char, usize)> {
    let hex = matches!(rest.first(), Some(b'x' | b'X'));
    let (start, base) = if hex { (1, 16) } else { (0, 10) };
    let (mut value, mut end) = (0u32, start);
    while let Some(digit) = rest.get(end).and_then(|b| char::from(*b).to_digit(base)) {
        // Beyond the last character all numbers are alike.
        value = (value * base + digit).min(0x11_0000);
        end += 1;
    }
    if end == start {
        return None;
    }
    Some((character(value), end + usize::from(rest.get(end) == Some(&b';'))))
}

fn character(value: u32) -> char {
    #[rustfmt::skip]
    const WINDOWS: [u16; 32] = [
        0x20ac, 0x81, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d, 0x017d, 0x8f,
        0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178,
    ];
    let value = match value {
        0 => 0xfffd,
        0x80..=0x9f => u32::from(WINDOWS[value as usize - 0x80]),
        _ => value,
    };
    char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str, within: Within) -> String {
        let mut to = String::new();
        replace(text, within, &mut to);
        to
    }

    #[test]
    fn the_lists_are_sorted_and_as_long_as_said() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0) && BARE.is_sorted_by(|a, b| a < b));
        assert_eq!(NAMES.iter().map(|(name, _)| name.len()).max(), Some(LONGEST));
        assert_eq!(BARE.iter().map(|name| name.len()).max(), Some(LONGEST_BARE));
        assert_eq!(BARE.iter().map(|name| name.len()).min(), Some(SHORTEST_BARE));
        assert!(NAMES.iter().all(|(name, _)| name.bytes().all(|b| b.is_ascii_alphanumeric())));
        assert!(BARE.iter().all(|name| meaning(name.as_bytes()).is_some()));
    }

    #[test]
    fn every_name_means_what_it_says_with_its_semicolon() {
        for (name, text) in NAMES {
            for within in [Within::Text, Within::Value] {
                assert_eq!(replaced(&format!("a&{name};b"), within), format!("a{text}b"), "{name}");
            }
            if !BARE.contains(&name) && !BARE.iter().any(|bare| name.starts_with(bare)) {
                assert_eq!(replaced(&format!("&{name} "), Within::Text), format!("&{name} "));
            }
        }
    }

    #[test]
    fn old_names_need_no_semicolon_but_do_not_break_addresses() {
        for (text, shown, value) in [
            ("&copy", "©", "©"),
            ("&copy=1", "©=1", "&copy=1"),
            ("&copyx;", "©x;", "&copyx;"),
            ("&notit;", "¬it;", "&notit;"),
            ("&notin;", "∉", "∉"),
            ("&copy.", "©.", "©."),
            ("&nope", "&nope", "&nope"),
            ("&&amp;&", "&&&", "&&&"),
            ("&;&#;&#x;&#xg;", "&;&#;&#x;&#xg;", "&;&#;&#x;&#xg;"),
            ("&NotEqualTilde;", "\u{2242}\u{338}", "\u{2242}\u{338}"),
            ("&CounterClockwiseContourIntegral;", "∳", "∳"),
            (
                "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
                "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
                "&aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
            ),
        ] {
            assert_eq!(replaced(text, Within::Text), shown, "{text}");
            assert_eq!(replaced(text, Within::Value), value, "{text}");
        }
    }

    #[test]
    fn numbers_are_characters_and_never_anything_else() {
        for (text, shown) in [
            ("&#65;&#x41;&#X41;&#65", "AAAA"),
            ("&#0;&#xd800;&#x110000;&#99999999999999999999;", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            ("&#x80;&#x99;&#x9f;&#x81;", "€™Ÿ\u{81}"),
            ("&#x1f600;&#13;&#x41g", "😀\rAg"),
        ] {
            assert_eq!(replaced(text, Within::Text), shown, "{text}");
        }
    }
}
