//! What are the attributes of a database called in its object?
//!
//! By their own name, as the document writes it: `name`, `ort`, `region`. The name of the table stands before it, with a dot between,
//! only where two would clash: where the document names two tables with such an attribute (in any case of letters: names in SOIF
//! have none), or where the object itself has an attribute of that name, such as `Title`. So a name hangs on the document alone and
//! not on what can be read, and what stands after the last dot is always the name of the attribute.
//!
//! Octets that would break SOIF or this rule (white space, control signs, `{ } : %`, dots in the attribute's own name, a `-` before a
//! number at the end, which means "several values" in SOIF) are written as `%` and two hexadecimal digits. Cost: linear in the document.

use std::collections::{HashMap, HashSet};

use groma_gather::DbContent;

/// Attributes of an object that speak of the object, in lower case.
const ABOUT: [&str; 14] = [
    "title",
    "description",
    "keywords",
    "type",
    "update-time",
    "time-to-live",
    "refresh-rate",
    "file-size",
    "md5",
    "digest",
    "last-modification-time",
    "gatherer-name",
    "gatherer-version",
    "partial",
];

/// The names of the attributes of one document.
#[derive(Debug)]
pub(crate) struct AttributeNames {
    /// Names that more than one table has, in lower case.
    clash: HashSet<String>,
}

impl AttributeNames {
    pub(crate) fn of_document(document: &DbContent) -> AttributeNames {
        let mut tables: HashMap<String, &str> = HashMap::new();
        let mut clash: HashSet<String> = ABOUT.iter().map(|name| (*name).to_owned()).collect();
        for table in &document.tables {
            for attribute in &table.attributes {
                let name = attribute.to_lowercase();
                if *tables.entry(name.clone()).or_insert(&table.name) != table.name {
                    clash.insert(name);
                }
            }
        }
        AttributeNames { clash }
    }

    /// What an attribute of a table is called.
    pub(crate) fn name(&self, table: &str, attribute: &str) -> String {
        if attribute.is_empty() || self.clash.contains(&attribute.to_lowercase()) {
            return qualified(table, attribute);
        }
        let mut name = String::with_capacity(attribute.len());
        escape(attribute, true, &mut name);
        spare_number(name)
    }
}

/// The name with that of the table before it.
pub(crate) fn qualified(table: &str, attribute: &str) -> String {
    let mut name = String::with_capacity(table.len() + attribute.len() + 1);
    escape(table, false, &mut name);
    name.push('.');
    escape(attribute, true, &mut name);
    spare_number(name)
}

/// `Name-1`, `Name-2` are values of `Name`.
fn spare_number(mut name: String) -> String {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    if digits > 0
        && let Some(at) = name.len().checked_sub(digits + 1).filter(|at| name.as_bytes()[*at] == b'-')
    {
        name.replace_range(at..=at, "%2D");
    }
    name
}

fn escape(text: &str, and_dots: bool, to: &mut String) {
    for letter in text.chars() {
        let breaks = letter.is_whitespace() || letter.is_control() || matches!(letter, '{' | '}' | ':' | '%');
        if breaks || (and_dots && letter == '.') {
            let mut octets = [0; 4];
            for octet in letter.encode_utf8(&mut octets).bytes() {
                to.push('%');
                to.push_str(&data_encoding::HEXUPPER.encode(&[octet]));
            }
        } else {
            to.push(letter);
        }
    }
}

#[cfg(test)]
mod tests {
    use groma_soif::Writer;

    use super::*;

    #[test]
    fn the_table_is_named_only_where_two_would_clash() {
        let text = "Table: hotel\nAttribute: name\nAttribute: ort\nAttribute: Title\nAttribute: a.b\nAttribute: n-1\n\
            Table: region\nAttribute: region\nAttribute: ORT\nTable: hotel\nAttribute: name\n";
        let document = DbContent::read(text.as_bytes(), None);
        let names = AttributeNames::of_document(&document);
        let all: Vec<String> = document
            .tables
            .iter()
            .flat_map(|table| table.attributes.iter().map(|attribute| names.name(&table.name, attribute)))
            .collect();
        assert_eq!(all, ["name", "hotel.ort", "hotel.Title", "a%2Eb", "n%2D1", "region", "region.ORT", "name"]);
    }

    #[test]
    fn names_of_attributes_are_names_in_soif() {
        assert_eq!(qualified("hotel", "name"), "hotel.name");
        assert_eq!(qualified("shop.hotel", "a.b"), "shop.hotel.a%2Eb");
        assert_eq!(qualified("my table", "x{1}"), "my%20table.x%7B1%7D");
        assert_eq!(qualified("}t", "Stra\u{df}e"), "%7Dt.Stra\u{df}e");
        assert_eq!(qualified("t", "name-1"), "t.name%2D1");
        assert_eq!(qualified("t", "-7"), "t.%2D7");
        assert_eq!(qualified("t", "a-b1"), "t.a-b1");
        assert_eq!(qualified("a\"; DROP\nTABLE x", "%"), "a\"%3B%20DROP".replace("%3B", ";") + "%0ATABLE%20x.%25");
        let names = AttributeNames::of_document(&DbContent::default());
        let mut writer = Writer::new(Vec::new());
        let mut object = writer.object(b"DATABASE", b"u").unwrap();
        for odd in ["", " ", "\0", "\u{a0}", "{", "}", "\u{2028}", "a\tb", "\u{b}", "7", "-7"] {
            object.attribute(qualified(odd, odd).as_bytes(), b"x").unwrap();
            object.attribute(names.name(odd, odd).as_bytes(), b"x").unwrap();
        }
    }
}
