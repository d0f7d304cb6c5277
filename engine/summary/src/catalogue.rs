//! Which table and which column of the database does a document mean?
//!
//! A document's name is only compared, with names that the database itself gave us. What goes on to a question is the
//! catalogue's own name. In this order: the very name, in the order of the schemas that the role looks through; `schema.name`;
//! then the same two without regard to case, if exactly one table is meant (documents of systems that write all names
//! in capitals). Cost: linear in the catalogue for each name.

use serde::{Deserialize, Serialize};

/// A table or view as the catalogue has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Relation {
    /// The schema it is in, if the database has them.
    pub(crate) schema: Option<String>,
    pub(crate) name: String,
    /// Where its schema stands among those that are looked through for a bare name; none: it must be named with its schema.
    pub(crate) place: Option<u32>,
    /// Whether what it shows hangs on its rows alone; a view may ask the clock.
    pub(crate) rows_only: bool,
    /// Whether a role could be kept from reading it.
    pub(crate) of_role: bool,
}

/// A column as the catalogue has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// How its values are made into texts.
    pub(crate) kind: Kind,
}

/// How values are made into texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Equal values have equal texts: distinct first, then made into texts (numbers, dates).
    Plain,
    /// Texts: distinct by octets, whatever the collation says is equal.
    Text,
    /// Anything else: made into texts first, then distinct.
    Other,
    /// Octets that are no text: not for a summary.
    Binary,
}

/// What became of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lookup<'c, T> {
    /// It is this one.
    Found(&'c T),
    Missing,
    /// It could be several.
    Several,
}

/// The table that is meant.
pub(crate) fn relation<'c>(relations: &'c [Relation], wanted: &str) -> Lookup<'c, Relation> {
    let bare = |relation: &&Relation| relation.place.is_some() && relation.name == wanted;
    if let Some(found) = relations.iter().filter(bare).min_by_key(|relation| relation.place) {
        return Lookup::Found(found);
    }
    let whole = |schema: &str, name: &str, fold: bool| {
        // Without making the joined name: each side of each dot.
        wanted.match_indices('.').any(|(at, _)| {
            let (left, right) = (&wanted[..at], &wanted[at + 1..]);
            if fold { same(left, schema) && same(right, name) } else { left == schema && right == name }
        })
    };
    let qualified = |relation: &&Relation, fold: bool| {
        relation.schema.as_deref().is_some_and(|schema| whole(schema, &relation.name, fold))
    };
    match one(relations.iter().filter(|relation| qualified(relation, false))) {
        Lookup::Missing => {}
        found => return found,
    }
    let folded: Vec<&Relation> =
        relations.iter().filter(|relation| relation.place.is_some() && same(&relation.name, wanted)).collect();
    if !folded.is_empty() {
        // The schema that is looked through first counts, as it does for the very name.
        let first = folded.iter().map(|relation| relation.place).min().flatten();
        return one(folded.into_iter().filter(|relation| relation.place == first));
    }
    one(relations.iter().filter(|relation| qualified(relation, true)))
}

/// The column that is meant.
pub(crate) fn column<'c>(columns: &'c [Column], wanted: &str) -> Lookup<'c, Column> {
    match one(columns.iter().filter(|column| column.name == wanted)) {
        Lookup::Missing => one(columns.iter().filter(|column| same(&column.name, wanted))),
        found => found,
    }
}

fn one<'c, T>(mut found: impl Iterator<Item = &'c T>) -> Lookup<'c, T> {
    match (found.next(), found.next()) {
        (Some(first), None) => Lookup::Found(first),
        (Some(_), Some(_)) => Lookup::Several,
        (None, _) => Lookup::Missing,
    }
}

fn same(a: &str, b: &str) -> bool {
    a == b || a.chars().flat_map(char::to_lowercase).eq(b.chars().flat_map(char::to_lowercase))
}

/// A name between quotes, those within doubled: SQL's own rule, with `"` for the standard and a backquote for MySQL. A name
/// with a zero octet is none in any of the databases and is refused.
pub(crate) fn quoted(name: &str, quote: char) -> Option<String> {
    if name.is_empty() || name.contains('\0') {
        return None;
    }
    let mut text = String::with_capacity(name.len() + 2);
    text.push(quote);
    for letter in name.chars() {
        if letter == quote {
            text.push(quote);
        }
        text.push(letter);
    }
    text.push(quote);
    Some(text)
}

/// Schema and name between quotes.
pub(crate) fn qualified(relation: &Relation, quote: char) -> Option<String> {
    let name = quoted(&relation.name, quote)?;
    match &relation.schema {
        Some(schema) => Some(format!("{}.{name}", quoted(schema, quote)?)),
        None => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relations(names: &[(&str, &str, Option<u32>)]) -> Vec<Relation> {
        let relation = |(schema, name, place): &(&str, &str, Option<u32>)| Relation {
            schema: Some((*schema).to_owned()),
            name: (*name).to_owned(),
            place: *place,
            rows_only: true,
            of_role: true,
        };
        names.iter().map(relation).collect()
    }

    fn found<'c>(relations: &'c [Relation], wanted: &str) -> Option<(&'c str, &'c str)> {
        match relation(relations, wanted) {
            Lookup::Found(found) => Some((found.schema.as_deref().unwrap_or_default(), &found.name)),
            _ => None,
        }
    }

    #[test]
    fn the_very_name_goes_before_everything_else() {
        let all = relations(&[
            ("public", "hotel", Some(1)),
            ("shop", "hotel", Some(2)),
            ("far", "hotel", None),
            ("public", "far.hotel", Some(1)),
            ("public", "Hotel", Some(1)),
            ("far", "Secret", None),
        ]);
        assert_eq!(found(&all, "hotel"), Some(("public", "hotel")));
        assert_eq!(found(&all, "Hotel"), Some(("public", "Hotel")));
        assert_eq!(found(&all, "shop.hotel"), Some(("shop", "hotel")));
        assert_eq!(found(&all, "far.hotel"), Some(("public", "far.hotel")));
        assert_eq!(found(&all, "FAR.SECRET"), Some(("far", "Secret")));
        assert_eq!(relation(&all, "HOTEL"), Lookup::Several);
        assert_eq!(relation(&all, "Secret"), Lookup::Missing);
    }

    #[test]
    fn sql_in_a_name_is_a_name_that_is_not_there() {
        let all = relations(&[("public", "hotel", Some(1)), ("public", "a\"; DROP TABLE hotel; --", Some(1))]);
        for name in [
            "hotel; DROP TABLE hotel",
            "hotel\" --",
            "\"hotel\"",
            "public.\"hotel\"",
            "hotel WHERE 1=1",
            "(SELECT 1)",
            "",
            ".",
            "..",
            "public.",
            ".hotel",
            "hotel\0",
        ] {
            assert_eq!(relation(&all, name), Lookup::Missing, "{name}");
        }
        let Lookup::Found(odd) = relation(&all, "a\"; drop table HOTEL; --") else { panic!("it is there") };
        assert_eq!(qualified(odd, '"').as_deref(), Some("\"public\".\"a\"\"; DROP TABLE hotel; --\""));
    }

    #[test]
    fn quotes_cannot_be_left() {
        assert_eq!(quoted("a`b", '`').as_deref(), Some("`a``b`"));
        assert_eq!(quoted("a\"\"b", '"').as_deref(), Some("\"a\"\"\"\"b\""));
        assert_eq!(quoted("se\u{301}lect \u{202e}x", '"').as_deref(), Some("\"se\u{301}lect \u{202e}x\""));
        assert_eq!(quoted("a\0b", '"'), None);
        assert_eq!(quoted("", '"'), None);
    }
}
