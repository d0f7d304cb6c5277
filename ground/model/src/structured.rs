//! What a page says to programs: JSON-LD, microdata and RDFa as items with properties, and the cards of Open Graph and Twitter.
//!
//! A term of schema.org is kept by its short name (`Article`, `name`), whichever way the page wrote it; any other by its IRI, or as
//! written where the page does not say what it means. The codes are kept in stores: never renumber.

use std::collections::HashMap;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// How an item stands on its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DataSyntax {
    /// `script type=application/ld+json`.
    JsonLd = 0,
    /// `itemscope`, `itemprop`, ...
    Microdata = 1,
    /// `typeof`, `property`, ...
    Rdfa = 2,
    /// `meta property=og:...`. Not kept as such: see [`crate::cards`].
    OpenGraph = 3,
    /// `meta name=twitter:...`. Not kept as such: see [`crate::cards`].
    TwitterCard = 4,
}

impl DataSyntax {
    /// All of them, in the order of their codes.
    pub const ALL: [DataSyntax; 5] =
        [DataSyntax::JsonLd, DataSyntax::Microdata, DataSyntax::Rdfa, DataSyntax::OpenGraph, DataSyntax::TwitterCard];

    /// The syntax a number stands for.
    pub fn from_code(code: u8) -> Option<DataSyntax> {
        DataSyntax::ALL.get(usize::from(code)).copied()
    }

    /// The word of JSON and files.
    pub fn name(self) -> &'static str {
        match self {
            DataSyntax::JsonLd => "json-ld",
            DataSyntax::Microdata => "microdata",
            DataSyntax::Rdfa => "rdfa",
            DataSyntax::OpenGraph => "open-graph",
            DataSyntax::TwitterCard => "twitter-card",
        }
    }

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            DataSyntax::JsonLd => "JSON-LD",
            DataSyntax::Microdata => "Microdata",
            DataSyntax::Rdfa => "RDFa",
            DataSyntax::OpenGraph => "Open Graph",
            DataSyntax::TwitterCard => "Twitter card",
        }
    }
}

/// Items are never nested deeper than this, whatever `limits.structured_depth` says: they are walked by recursion.
pub const DEEPEST: usize = 128;

/// The structured data of one page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StructuredData {
    /// JSON-LD, then microdata, then RDFa, each in document order.
    pub items: Vec<DataItem>,
    /// What could not be read as its author meant it. What says the same as one before it is left out.
    pub faults: Vec<DataFault>,
}

impl StructuredData {
    /// Is there nothing at all?
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.faults.is_empty()
    }
}

/// An item that is part of no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataItem {
    pub syntax: DataSyntax,
    /// The line of the page its element begins on, from 1; 0 where that is not known.
    pub line: u32,
    pub thing: Thing,
}

/// Something that is described, by itself or as the value of a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thing {
    /// What it is; often nothing for what is only referred to.
    pub types: Vec<String>,
    /// Its IRI, or nothing: `@id`, `itemid`, `resource`.
    pub id: String,
    /// In the order in which they are first met; no two have the same name.
    pub properties: Vec<Property>,
}

/// A property of a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    /// In document order, at least one.
    pub values: Vec<PropertyValue>,
}

/// What a property says: one of perhaps several values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyValue {
    /// Text, or a URL, which microdata and RDFa give in full.
    Text(String),
    /// A number of JSON, in its digits.
    Number(String),
    /// `true` or `false` of JSON.
    Flag(bool),
    Thing(Thing),
}

/// Structured data that cannot be read as its author meant it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFault {
    pub syntax: DataSyntax,
    /// The line of the page, from 1.
    pub line: u32,
    /// What is wrong, as part of a sentence; names of the page's own stand in it.
    pub what: String,
}

impl Thing {
    /// The values of a property; none if it is not there.
    pub fn values(&self, name: &str) -> &[PropertyValue] {
        self.properties.iter().find(|property| property.name == name).map_or(&[], |property| &property.values)
    }

    /// Is it of this type?
    pub fn is(&self, name: &str) -> bool {
        self.types.iter().any(|of| of == name)
    }

    /// Of values with the names of their properties, in document order. Linear, whatever the names are.
    pub fn from_values(
        types: Vec<String>,
        id: String,
        values: impl IntoIterator<Item = (String, PropertyValue)>,
    ) -> Thing {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut properties: Vec<Property> = Vec::new();
        for (name, value) in values {
            let place = *places.entry(name).or_insert_with_key(|name| {
                properties.push(Property { name: name.clone(), values: Vec::new() });
                properties.len() - 1
            });
            properties[place].values.push(value);
        }
        Thing { types, id, properties }
    }

    /// Adds a value to a property. Looks at all of them: for a few.
    pub fn add(&mut self, name: &str, value: PropertyValue) {
        match self.properties.iter_mut().find(|property| property.name == name) {
            Some(property) => property.values.push(value),
            None => self.properties.push(Property { name: name.to_owned(), values: vec![value] }),
        }
    }

    /// What it is called, for people: its types, or what stands for them.
    pub fn called(&self) -> String {
        if self.types.is_empty() { "item without a type".to_owned() } else { self.types.join(", ") }
    }
}

impl DataItem {
    /// In a line for people: `JSON-LD, line 12: Product with name, offers`.
    pub fn says(&self) -> String {
        let line = if self.line > 0 { format!(", line {}", self.line) } else { String::new() };
        let names: Vec<&str> = self.thing.properties.iter().map(|property| property.name.as_str()).collect();
        let with = if names.is_empty() { String::new() } else { format!(" with {}", names.join(", ")) };
        format!("{}{line}: {}{with}", self.syntax.label(), self.thing.called())
    }
}

impl DataFault {
    /// In a line for people: `JSON-LD, line 12: not valid JSON: ...`.
    pub fn says(&self) -> String {
        format!("{}, line {}: {}", self.syntax.label(), self.line, self.what)
    }
}

impl PropertyValue {
    /// Its text, as it was written; nothing for things.
    pub fn text(&self) -> Option<&str> {
        match self {
            PropertyValue::Text(text) | PropertyValue::Number(text) => Some(text),
            PropertyValue::Flag(true) => Some("true"),
            PropertyValue::Flag(false) => Some("false"),
            PropertyValue::Thing(_) => None,
        }
    }
}

/// The name of a schema.org term in its vocabulary; nothing for an IRI of another one.
pub fn schema_term(iri: &str) -> Option<&str> {
    let rest = iri.strip_prefix("https://").or_else(|| iri.strip_prefix("http://"))?;
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    let name = rest.strip_prefix("schema.org")?.trim_start_matches(['/', '#']);
    (!name.is_empty() && name.len() + "schema.org".len() < rest.len()).then_some(name)
}

/// As `{"types": [...], "id": ..., "properties": {name: [values]}}`; what is empty is left out.
impl Serialize for Thing {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.put_entries(&mut map)?;
        map.end()
    }
}

impl Thing {
    fn put_entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if !self.types.is_empty() {
            map.serialize_entry("types", &self.types)?;
        }
        if !self.id.is_empty() {
            map.serialize_entry("id", &self.id)?;
        }
        if !self.properties.is_empty() {
            map.serialize_entry("properties", &Properties(&self.properties))?;
        }
        Ok(())
    }
}

struct Properties<'a>(&'a [Property]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|property| (&property.name, &property.values)))
    }
}

impl Serialize for PropertyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            PropertyValue::Text(text) => serializer.serialize_str(text),
            PropertyValue::Flag(flag) => serializer.serialize_bool(*flag),
            PropertyValue::Thing(thing) => thing.serialize(serializer),
            PropertyValue::Number(digits) => {
                match (digits.parse::<u64>(), digits.parse::<i64>(), digits.parse::<f64>()) {
                    (Ok(number), ..) => serializer.serialize_u64(number),
                    (_, Ok(number), _) => serializer.serialize_i64(number),
                    (.., Ok(number)) if number.is_finite() => serializer.serialize_f64(number),
                    _ => serializer.serialize_str(digits),
                }
            }
        }
    }
}

/// Its syntax and line, then all that its [`Thing`] has.
impl Serialize for DataItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("syntax", self.syntax.name())?;
        if self.line > 0 {
            map.serialize_entry("line", &self.line)?;
        }
        self.thing.put_entries(&mut map)?;
        map.end()
    }
}

impl Serialize for DataFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("syntax", self.syntax.name())?;
        map.serialize_entry("line", &self.line)?;
        map.serialize_entry("fault", &self.what)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_of_schema_org_are_known_however_they_are_written() {
        for (iri, term) in [
            ("https://schema.org/Article", Some("Article")),
            ("http://schema.org/Article", Some("Article")),
            ("http://www.schema.org/name", Some("name")),
            ("https://schema.org#Article", Some("Article")),
            ("https://schema.org/", None),
            ("https://schema.organic/Article", None),
            ("http://data-vocabulary.org/Review", None),
            ("Article", None),
        ] {
            assert_eq!(schema_term(iri), term, "{iri}");
        }
    }

    #[test]
    fn numbers_are_told_as_numbers() {
        let mut thing = Thing { id: "#x".into(), ..Thing::default() };
        for digits in ["12", "-3", "0.5", "18446744073709551615", "1e999"] {
            thing.add("n", PropertyValue::Number(digits.into()));
        }
        thing.add("n", PropertyValue::Flag(true));
        let told = serde_json::to_string(&thing).unwrap();
        assert_eq!(told, r##"{"id":"#x","properties":{"n":[12,-3,0.5,18446744073709551615,"1e999",true]}}"##);
    }
}
