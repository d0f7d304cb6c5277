//! A value between other words: what stands around it on all examples makes an expression that takes it out.
//!
//! ```text
//! before   nothing on all: ^      else the longest end that all have in common, from a border of words on; of one example the last word
//! value    a number on all: its digits and marks      else as little as fits
//! behind   nothing on all: $      else the longest beginning in common; of one example the first word or sign
//! ```

use crate::number::number_of;

/// Letters of context that are kept on each side.
const CONTEXT: usize = 24;
/// What it costs to take a part.
const COST: f64 = 1.5;

/// A text around a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PartContext {
    before: String,
    value: String,
    behind: String,
}

/// The text around the first place where a value stands on its own, not within a word or number.
pub(super) fn context(text: &str, value: &str) -> Option<PartContext> {
    if text.len() <= value.len() || value.is_empty() {
        return None;
    }
    let joins = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| (a.is_alphabetic() && b.is_alphabetic()) || (a.is_numeric() && b.is_numeric()))
    };
    let at = text.match_indices(value).map(|(at, _)| at).find(|at| {
        let (before, behind) = (&text[..*at], &text[*at + value.len()..]);
        !joins(before.chars().next_back(), value.chars().next())
            && !joins(value.chars().next_back(), behind.chars().next())
    })?;
    let (before, behind) = (text[..at].to_owned(), text[at + value.len()..].to_owned());
    Some(PartContext { before, value: value.to_owned(), behind })
}

/// Expressions that take the values out of what surrounds them, with what they cost, the surest first.
pub(super) fn patterns(contexts: &[PartContext]) -> Vec<(String, f64)> {
    let Some(first) = contexts.first() else { return Vec::new() };
    let numbers = contexts.iter().all(|context| is_number(&context.value));
    let value = if numbers { r"(-?\d[\d.,]*)" } else { "(.+?)" };
    let all = |test: fn(&PartContext) -> bool| contexts.iter().all(test);
    let mut common_before = contexts.iter().map(|c| c.before.as_str()).reduce(common_end).unwrap_or_default();
    let mut common_behind = contexts.iter().map(|c| c.behind.as_str()).reduce(common_start).unwrap_or_default();
    if contexts.len() == 1 {
        common_before = last_word(&first.before);
        common_behind = first_word(&first.behind);
    }
    let before = match all(|c| c.before.is_empty()) {
        true => "^".to_owned(),
        false => spelled(&letters_at_end(common_before)),
    };
    let behind = match all(|c| c.behind.is_empty()) {
        true => "$".to_owned(),
        false => spelled(&common_behind.chars().take(CONTEXT).collect::<String>()),
    };
    let mut patterns = Vec::new();
    if numbers && !before.is_empty() {
        patterns.push((format!("{before}{value}"), COST));
    }
    if !before.is_empty() && !behind.is_empty() {
        patterns.push((format!("{before}{value}{behind}"), COST + 0.2));
    }
    if numbers && !behind.is_empty() {
        patterns.push((format!("{value}{behind}"), COST + 0.4));
    }
    if numbers {
        patterns.push((value.to_owned(), COST + 0.6));
    }
    patterns
}

fn is_number(value: &str) -> bool {
    number_of(value).is_some() && value.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'-'))
}

fn letters_at_end(text: &str) -> String {
    let count = text.chars().count();
    text.chars().skip(count.saturating_sub(CONTEXT)).collect()
}

fn common_end<'a>(a: &'a str, b: &'a str) -> &'a str {
    let same = a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y);
    &a[a.len() - same.map(|(x, _)| x.len_utf8()).sum::<usize>()..]
}

fn common_start<'a>(a: &'a str, b: &'a str) -> &'a str {
    let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y);
    &a[..same.map(|(x, _)| x.len_utf8()).sum::<usize>()]
}

/// The last word of a text, with the signs and blanks behind it.
fn last_word(text: &str) -> &str {
    let trimmed = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let start = trimmed
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |at| at + trimmed[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}

/// The first sign or word of a text, with the blanks before it.
fn first_word(text: &str) -> &str {
    let start = text.len() - text.trim_start().len();
    let rest = &text[start..];
    let is_word = rest.starts_with(char::is_alphanumeric);
    let end = rest.find(|c: char| c.is_alphanumeric() != is_word || c.is_whitespace()).unwrap_or(rest.len());
    &text[..start + end]
}

/// A text as an expression that finds it; any white space is a blank.
fn spelled(text: &str) -> String {
    let mut written = String::new();
    for c in text.chars() {
        match c {
            c if c.is_whitespace() => written.push(' '),
            // The line of a column ends an expression with a slash; within it a slash is spelled by its number.
            '/' => written.push_str(r"\x2f"),
            c => written.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
    }
    written
}
