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
    let filled = || pairs.iter().filter(|(_, text)| !text.trim().is_empty());
    read(filled()).map_err(|Wrong(why)| {
        // The field that is wrong in the same way when it stands alone is the one.
        let is_wrong =
            |pair: &&(String, String)| read::<T>(std::iter::once(*pair)).is_err_and(|Wrong(alone)| alone == why);
        let says = match filled().find(is_wrong).filter(|_| !why.starts_with("unknown field")) {
            Some((name, text)) => format!("{name} `{}`: {why}", text.trim().chars().take(SHOWN).collect::<String>()),
            None => why.clone(),
        };
        Fault::new(says, "correct the field and send the form again")
    })
}

fn read<'p, T: DeserializeOwned>(pairs: impl Iterator<Item = &'p (String, String)>) -> Result<T, Wrong> {
    let mut fields: BTreeMap<&str, Field<'p>> = BTreeMap::new();
    for (name, text) in pairs {
        match name.split_once('.') {
            None => {
                fields.insert(name, Field::Text(text.trim()));
            }
            Some((outer, inner)) => {
                let field = fields.entry(outer).or_insert_with(|| Field::Fields(Vec::new()));
                if let Field::Fields(inside) = field {
                    inside.push((inner, Field::Text(text.trim())));
                }
            }
        }
    }
    T::deserialize(MapDeserializer::new(fields.into_iter()))
}

enum Field<'p> {
    Text(&'p str),
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
            Field::Text(text) => visitor.visit_str(text),
            Field::Fields(fields) => visitor.visit_map(MapDeserializer::new(fields.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_some(self)
    }

    /// White space separates what is listed.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let Field::Text(text) = self else { return Err(Wrong("a list is expected".to_owned())) };
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
        let Field::Text(text) = self else { return Err(Wrong("one value is expected".to_owned())) };
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
