//! A web form as a task: names and texts, read by the types of the task's fields. What is empty was not filled in. A name with a dot
//! (`settings.depth`) is a field of a field.

use std::collections::BTreeMap;
use std::fmt;

use groma_settings::Fault;
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

/// Letters of a wrong value that are repeated.
const SHOWN: usize = 60;

/// Reads a form. Names that the task does not have are refused.
pub fn read_form<T: DeserializeOwned>(pairs: &[(String, String)]) -> Result<T, Fault> {
    let mut fields: BTreeMap<&str, Field<'_>> = BTreeMap::new();
    for (name, text) in pairs.iter().filter(|(_, text)| !text.trim().is_empty()) {
        match name.split_once('.') {
            None => {
                fields.insert(name, Field::Text { name, text: text.trim() });
            }
            Some((outer, inner)) => {
                let field = fields.entry(outer).or_insert_with(|| Field::Fields(Vec::new()));
                if let Field::Fields(inside) = field {
                    inside.push((inner, Field::Text { name, text: text.trim() }));
                }
            }
        }
    }
    T::deserialize(MapDeserializer::new(fields.into_iter()))
        .map_err(|Wrong(why)| Fault::new(why, "correct the field and send the form again"))
}

enum Field<'p> {
    /// A text, and the name of its field, so that a complaint can name it.
    Text {
        name: &'p str,
        text: &'p str,
    },
    Fields(Vec<(&'p str, Field<'p>)>),
}

impl<'p> IntoDeserializer<'_, Wrong> for Field<'p> {
    type Deserializer = Field<'p>;

    fn into_deserializer(self) -> Field<'p> {
        self
    }
}

impl<'de> serde::Deserializer<'de> for Field<'_> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self {
            Field::Text { name, text } => visitor.visit_str(text).map_err(|Wrong(why)| {
                let shown: String = text.chars().take(SHOWN).collect();
                Wrong(format!("{name} `{shown}`: {why}"))
            }),
            Field::Fields(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_some(self)
    }

    /// White space separates what is listed.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let Field::Text { text, .. } = self else { return Err(Wrong("a list is expected".to_owned())) };
        visitor.visit_seq(SeqDeserializer::new(text.split_whitespace()))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let Field::Text { text, .. } = self else { return Err(Wrong("one value is expected".to_owned())) };
        let text: StrDeserializer<'_, Wrong> = text.into_deserializer();
        text.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple tuple_struct
        map struct identifier ignored_any
    }
}

/// What is wrong with a form.
#[derive(Debug)]
struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

impl serde::de::Error for Wrong {
    fn custom<T: fmt::Display>(why: T) -> Wrong {
        Wrong(why.to_string())
    }
}
