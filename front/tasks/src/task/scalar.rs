//! Types of fields that say what may stand in them: a text of at most so many bytes, a number within bounds, one of some names. Each is
//! read from text (flags, web forms) and from JSON, refuses what is out of bounds at every door, and describes itself for the API.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::str::FromStr;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A text of at most `MAX` bytes, without white space around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text<const MAX: usize>(String);

impl<const MAX: usize> FromStr for Text<MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Text<MAX>, String> {
        let text = text.trim();
        if text.len() > MAX { Err(format!("at most {MAX} bytes are taken")) } else { Ok(Text(text.to_owned())) }
    }
}

impl<const MAX: usize> Deref for Text<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const MAX: usize> Serialize for Text<MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// A text of a line, such as a URL.
pub type Line = Text<2_000>;
/// A text of pages.
pub type LongText = Text<{ 1 << 18 }>;

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whole<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Whole<MIN, MAX> {
    /// The number, brought within the bounds.
    pub fn clamped(number: u64) -> Whole<MIN, MAX> {
        Whole(number.clamp(MIN, MAX))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl<const MIN: u64, const MAX: u64> FromStr for Whole<MIN, MAX> {
    type Err = String;

    fn from_str(text: &str) -> Result<Whole<MIN, MAX>, String> {
        let number = text.trim().parse().ok().filter(|number| (MIN..=MAX).contains(number));
        number.map(Whole).ok_or_else(|| format!("a whole number from {MIN} to {MAX} is expected"))
    }
}

impl<const MIN: u64, const MAX: u64> fmt::Display for Whole<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const MIN: u64, const MAX: u64> Serialize for Whole<MIN, MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

/// Which numbers a [`Real`] takes.
pub trait Interval {
    /// The least.
    const MIN: f64;
    /// The greatest.
    const MAX: f64;
    /// What is expected, for people.
    const EXPECTED: &'static str;
}

/// A number of an interval.
pub struct Real<I>(f64, PhantomData<I>);

impl<I: Interval> Real<I> {
    /// The number, if it is one of the interval.
    pub fn new(number: f64) -> Option<Real<I>> {
        (I::MIN..=I::MAX).contains(&number).then_some(Real(number, PhantomData))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl<I> Clone for Real<I> {
    fn clone(&self) -> Real<I> {
        *self
    }
}

impl<I> Copy for Real<I> {}

impl<I> PartialEq for Real<I> {
    fn eq(&self, other: &Real<I>) -> bool {
        self.0 == other.0
    }
}

impl<I> fmt::Debug for Real<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<I> fmt::Display for Real<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<I: Interval> FromStr for Real<I> {
    type Err = String;

    fn from_str(text: &str) -> Result<Real<I>, String> {
        let number = text.trim().parse().ok().and_then(Real::new);
        number.ok_or_else(|| format!("{} is expected", I::EXPECTED))
    }
}

impl<I> Serialize for Real<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0)
    }
}

/// Something with a few names to choose from; the usual choice, if there is one, is its default.
pub trait Choice: Copy + PartialEq + fmt::Debug + 'static {
    /// What it is called in the description of the API.
    const SCHEMA: &'static str;
    /// All there is to choose from.
    fn all() -> &'static [Self];
    /// What it is called.
    fn name(self) -> &'static str;
    /// What is expected where several may be named, for people.
    fn expected() -> String {
        format!("`all` or some of {} are expected", names::<Self>())
    }
}

fn named<C: Choice>(text: &str) -> Option<C> {
    C::all().iter().copied().find(|one| one.name() == text)
}

fn names<C: Choice>() -> String {
    C::all().iter().map(|one| one.name()).collect::<Vec<_>>().join(", ")
}

/// One of the names of a [`Choice`]. An empty text is the usual one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OneOf<C>(pub C);

impl<C: Choice + Default> FromStr for OneOf<C> {
    type Err = String;

    fn from_str(text: &str) -> Result<OneOf<C>, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(OneOf::default());
        }
        named(text).map(OneOf).ok_or_else(|| format!("one of {} is expected", names::<C>()))
    }
}

impl<C: Choice> fmt::Display for OneOf<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl<C: Choice> Serialize for OneOf<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

/// Some of the names of a [`Choice`], each once, with commas between them; `all` is all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Several<C>(pub Vec<C>);

impl<C: Choice> FromStr for Several<C> {
    type Err = String;

    fn from_str(text: &str) -> Result<Several<C>, String> {
        if text.trim() == "all" {
            return Ok(Several(C::all().to_vec()));
        }
        let mut chosen = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let one = named(name).ok_or_else(|| format!("{name}: {}", C::expected()))?;
            if !chosen.contains(&one) {
                chosen.push(one);
            }
        }
        if chosen.is_empty() {
            return Err(C::expected());
        }
        Ok(Several(chosen))
    }
}

impl<C: Choice> fmt::Display for Several<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == C::all() {
            return f.write_str("all");
        }
        f.write_str(&self.0.iter().map(|one| one.name()).collect::<Vec<_>>().join(","))
    }
}

impl<C: Choice> Serialize for Several<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads whatever can be read from text, from a text or a number of JSON.
pub(crate) fn by_text<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Spoken { numbers: true, of: PhantomData })
}

/// The same from a text alone.
fn by_text_alone<'de, D: Deserializer<'de>, T: FromStr<Err = String>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_any(Spoken { numbers: false, of: PhantomData })
}

struct Spoken<T> {
    /// Numbers are taken, too.
    numbers: bool,
    of: PhantomData<T>,
}

impl<T: FromStr<Err = String>> Spoken<T> {
    fn number<E: serde::de::Error>(&self, number: &dyn fmt::Display) -> Result<T, E> {
        if self.numbers { number.to_string().parse().map_err(E::custom) } else { Err(E::custom("a text is expected")) }
    }
}

impl<T: FromStr<Err = String>> Visitor<'_> for Spoken<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.numbers { "a text or a number" } else { "a text" })
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<T, E> {
        self.number(&number)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<T, E> {
        self.number(&number)
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<T, E> {
        self.number(&number)
    }
}

macro_rules! read_by_text {
    ($( $how:ident [$($generics:tt)*] $type:ty; )*) => { $(
        impl<'de, $($generics)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                $how(deserializer)
            }
        }
    )* };
}

read_by_text! {
    by_text_alone [const MAX: usize] Text<MAX>;
    by_text [const MIN: u64, const MAX: u64] Whole<MIN, MAX>;
    by_text [I: Interval] Real<I>;
    by_text_alone [C: Choice + Default] OneOf<C>;
    by_text_alone [C: Choice] Several<C>;
}

/// An object, or nothing; no list of its fields, which serde would take.
pub(crate) fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = Option<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_none<E: serde::de::Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_unit<E: serde::de::Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
            deserializer.deserialize_map(self)
        }

        fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Option<T>, M::Error> {
            T::deserialize(MapAccessDeserializer::new(map)).map(Some)
        }
    }

    deserializer.deserialize_option(Object(PhantomData))
}

/// A flag of a web form or of JSON: `true`, or a box that was ticked.
pub(crate) fn ticked<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    struct Box;

    impl Visitor<'_> for Box {
        type Value = bool;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("true or false")
        }

        fn visit_bool<E: serde::de::Error>(self, flag: bool) -> Result<bool, E> {
            Ok(flag)
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<bool, E> {
            match text.trim() {
                "" | "no" | "false" | "off" => Ok(false),
                "yes" | "true" | "on" => Ok(true),
                _ => Err(E::custom("yes or no is expected")),
            }
        }
    }

    deserializer.deserialize_any(Box)
}

/// Texts: a list of JSON; in a web form white space separates them, as people write URLs.
pub(crate) fn listed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct List;

    impl<'de> Visitor<'de> for List {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of texts")
        }

        fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Vec<String>, S::Error> {
            let mut all = Vec::new();
            while let Some(item) = items.next_element::<String>()? {
                all.push(item.trim().to_owned());
            }
            Ok(all)
        }
    }

    deserializer.deserialize_seq(List)
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
    use utoipa::openapi::{RefOr, Schema};
    use utoipa::{PartialSchema, ToSchema};

    use crate::task::scalar::{Choice, Interval, OneOf, Real, Several, Text, Whole, names};

    fn object(kind: Type) -> ObjectBuilder {
        ObjectBuilder::new().schema_type(SchemaType::Type(kind))
    }

    impl<const MAX: usize> PartialSchema for Text<MAX> {
        fn schema() -> RefOr<Schema> {
            object(Type::String).max_length(Some(MAX)).into()
        }
    }

    impl<const MAX: usize> ToSchema for Text<MAX> {
        fn name() -> Cow<'static, str> {
            format!("Text{MAX}").into()
        }
    }

    impl<const MIN: u64, const MAX: u64> PartialSchema for Whole<MIN, MAX> {
        fn schema() -> RefOr<Schema> {
            object(Type::Integer).minimum(Some(MIN as f64)).maximum(Some(MAX as f64)).into()
        }
    }

    impl<const MIN: u64, const MAX: u64> ToSchema for Whole<MIN, MAX> {
        fn name() -> Cow<'static, str> {
            format!("WholeFrom{MIN}To{MAX}").into()
        }
    }

    impl<I: Interval> PartialSchema for Real<I> {
        fn schema() -> RefOr<Schema> {
            object(Type::Number).minimum(Some(I::MIN)).maximum(Some(I::MAX)).into()
        }
    }

    impl<I: Interval> ToSchema for Real<I> {
        fn name() -> Cow<'static, str> {
            let name = std::any::type_name::<I>();
            format!("{}Number", name.rsplit("::").next().unwrap_or(name)).into()
        }
    }

    impl<C: Choice> PartialSchema for OneOf<C> {
        fn schema() -> RefOr<Schema> {
            object(Type::String).enum_values(Some(C::all().iter().map(|one| one.name()))).into()
        }
    }

    impl<C: Choice> ToSchema for OneOf<C> {
        fn name() -> Cow<'static, str> {
            C::SCHEMA.into()
        }
    }
    impl<C: Choice> PartialSchema for Several<C> {
        fn schema() -> RefOr<Schema> {
            let says = format!("`all`, or some of these with commas between them: {}.", names::<C>());
            let one = C::all().iter().map(|one| one.name()).collect::<Vec<_>>().join("|");
            let pattern = format!("^(all|({one})(,({one}))*)$");
            object(Type::String).description(Some(says)).pattern(Some(pattern)).into()
        }
    }

    impl<C: Choice> ToSchema for Several<C> {
        fn name() -> Cow<'static, str> {
            format!("Several{}", C::SCHEMA).into()
        }
    }
}
