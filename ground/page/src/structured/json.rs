//! JSON as it is written: the order of names is kept, and so are names that come twice.
//!
//! Depth is bounded by serde_json (128 arrays and objects in one another), size by whoever gives the text. Cost: linear.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Flag(bool),
    /// In its digits.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// Why a text is no JSON, and where: line and column of the text, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonError {
    pub(super) what: String,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Json {
    pub(super) fn parse(text: &str) -> Result<Json, JsonError> {
        serde_json::from_str(text).map_err(|error| {
            let told = error.to_string();
            let what = told.rsplit_once(" at line ").map_or(told.as_str(), |(what, _)| what).to_owned();
            JsonError { what, line: error.line(), column: error.column() }
        })
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// The value of a name in an object; of several the last, as everywhere.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().rev().find(|(of, _)| of == name).map(|(_, value)| value)
    }

    /// The values of a list, or the one there is.
    pub(super) fn each(&self) -> &[Json] {
        if let Json::List(values) = self { values } else { std::slice::from_ref(self) }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Flag(flag))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.to_string()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Number(number.to_string()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Json, E> {
        Ok(Json::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = from.next_element()? {
            values.push(value);
        }
        Ok(Json::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = from.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_read_as_it_is_written() {
        let read = Json::parse(r#" {"b": [1, -2, 0.5, null], "a": true, "b": "x\u00e9"} "#).unwrap();
        let number = |digits: &str| Json::Number(digits.into());
        let members = vec![
            ("b".into(), Json::List(vec![number("1"), number("-2"), number("0.5"), Json::Null])),
            ("a".into(), Json::Flag(true)),
            ("b".into(), Json::Text("xé".into())),
        ];
        assert_eq!(read, Json::Object(members));
        assert_eq!(read.get("b").and_then(Json::text), Some("xé"));
    }

    #[test]
    fn what_is_no_json_says_why_and_where() {
        for (text, what, line, column) in [
            ("", "EOF while parsing a value", 1, 0),
            ("{\"a\": 1,\n}", "trailing comma", 2, 1),
            ("{\"a\": \"x\n\"}", "control character (\\u0000-\\u001F) found while parsing a string", 2, 0),
            ("{} x", "trailing characters", 1, 4),
            ("{'a': 1}", "key must be a string", 1, 2),
        ] {
            let error = Json::parse(text).unwrap_err();
            assert_eq!((error.what.as_str(), error.line, error.column), (what, line, column), "{text}");
        }
        assert_eq!(Json::parse(&"[".repeat(1000)).unwrap_err().what, "recursion limit exceeded");
    }
}
