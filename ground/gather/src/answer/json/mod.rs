//! Records that stand as JSON: answers that are JSON, and data within a page that its scripts make a list of.
//!
//! [`path`] is what a description says of JSON, [`block`] finds the JSON of a page, [`list`] the list of records in it that nobody has
//! described, [`around`] the total and the next page, which stand beside that list. An answer that is JSON itself is first made a page
//! with one block ([`as_page`]), so that all that reads pages reads it, too.
//!
//! Cost: linear in the bytes of the JSON, of which at most [`block::BYTES`] are read; nesting is bounded by the parser (128).

pub(super) mod around;
pub(super) mod block;
pub(super) mod list;
pub mod path;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use groma_hel::Value;
use serde_json::Value as Json;

/// Bytes of one value.
const VALUE_BYTES: usize = 64 << 10;

/// What a client puts before JSON so that it is no script.
const GUARDS: [&str; 3] = [")]}',", ")]}'", "for(;;);"];

/// An answer as text for [`Tree::parse`](groma_hel::Tree::parse): JSON and JSON Lines as a page with this one block, all else as it is.
pub fn as_page(text: &str) -> Cow<'_, str> {
    let plain = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let plain = GUARDS.iter().find_map(|guard| plain.strip_prefix(guard)).unwrap_or(plain).trim_start();
    // A text in brackets is no JSON; after the bracket JSON goes on in few ways.
    let next = plain.get(1..).and_then(|rest| rest.trim_start().chars().next());
    let is_json = match plain.as_bytes().first() {
        Some(b'{') => matches!(next, Some('"' | '}')),
        Some(b'[') => matches!(next, Some('{' | '[' | '"' | ']' | '-' | '0'..='9' | 't' | 'f' | 'n')),
        _ => false,
    };
    if !is_json || block::values(plain).is_empty() {
        return Cow::Borrowed(text);
    }
    // `<` stands in strings only, where this means the same.
    let safe = plain.replace('<', "\\u003c");
    Cow::Owned(format!("<!DOCTYPE html><body><script type=\"application/json\">{safe}</script></body>"))
}

/// A value of an attribute: scalars, and lists of them.
fn value_of(json: &Json) -> Value {
    match json {
        Json::Null | Json::Object(_) => Value::Null,
        Json::Bool(yes) => Value::Text(yes.to_string()),
        Json::Number(number) => Value::Text(number.to_string()),
        Json::String(text) if text.len() > VALUE_BYTES => Value::Null,
        Json::String(text) => Value::Text(groma_hel::clean(text)),
        Json::Array(list) => Value::List(list.iter().filter(|item| !item.is_array()).map(value_of).collect()),
    }
}
