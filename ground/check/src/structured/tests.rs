//! What is told of items that lack something, and that nothing is told of those that do not.

use groma_model::{DataItem, DataSyntax, PropertyValue, StructuredData, Thing};
use serde_json::Value;

use super::examples::WHOLE;
use super::rules::RULES;
use super::{Flaw, ItemFault, item_faults};

fn thing(json: &Value) -> Thing {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let types = Some(text(json.get("@type"))).filter(|name| !name.is_empty());
    let members = json.as_object().unwrap().iter().filter(|(name, _)| !name.starts_with('@'));
    let each = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let values =
        members.flat_map(|(name, value)| each(value).into_iter().map(move |value| (name.clone(), one(&value))));
    Thing::from_values(types.into_iter().collect(), text(json.get("@id")), values)
}

fn one(value: &Value) -> PropertyValue {
    match value {
        Value::String(text) => PropertyValue::Text(text.clone()),
        Value::Number(number) => PropertyValue::Number(number.to_string()),
        Value::Bool(flag) => PropertyValue::Flag(*flag),
        value => PropertyValue::Thing(thing(value)),
    }
}

fn faults_of(things: &[Value]) -> Vec<ItemFault> {
    let item = |json: &Value| DataItem { syntax: DataSyntax::JsonLd, line: 7, thing: thing(json) };
    item_faults(&StructuredData { items: things.iter().map(item).collect(), faults: Vec::new() })
}

fn told(json: &str) -> Vec<String> {
    let read: Value = serde_json::from_str(json).unwrap();
    let things = read.as_array().cloned().unwrap_or_else(|| vec![read]);
    faults_of(&things).iter().map(ItemFault::says).collect()
}

/// Takes a property away from everything of a type, wherever it stands.
fn take_away(json: &mut Value, types: &[&str], path: &str) {
    let is = json.get("@type").and_then(Value::as_str).is_some_and(|name| types.contains(&name));
    if is {
        path.split('|').for_each(|one| remove(json, one));
    }
    match json {
        Value::Object(members) => members.values_mut().for_each(|value| take_away(value, types, path)),
        Value::Array(values) => values.iter_mut().for_each(|value| take_away(value, types, path)),
        _ => {}
    }
}

fn remove(json: &mut Value, path: &str) {
    match (json, path.split_once('.')) {
        (Value::Array(values), _) => values.iter_mut().for_each(|value| remove(value, path)),
        (Value::Object(members), None) => drop(members.remove(path)),
        (Value::Object(members), Some((head, rest))) => {
            // What is told by its name alone is no longer told at all.
            match members.get_mut(head) {
                Some(inner @ (Value::Object(_) | Value::Array(_))) => remove(inner, rest),
                _ => drop(members.remove(head)),
            }
        }
        _ => {}
    }
}

#[test]
fn nothing_is_told_of_items_that_lack_nothing() {
    for json in WHOLE {
        assert_eq!(told(json), [""; 0], "{json}");
    }
}

#[test]
fn each_property_of_the_table_is_missed() {
    for rule in RULES {
        let required = rule.required.iter().map(|path| (*path, Flaw::MissingRequired));
        let recommended = rule.recommended.iter().map(|path| (*path, Flaw::MissingRecommended));
        for (path, flaw) in required.chain(recommended) {
            let is_missed = |json: &&&str| {
                let mut read: Value = serde_json::from_str(json).unwrap();
                take_away(&mut read, rule.types, path);
                let is = |fault: &ItemFault| {
                    rule.types.contains(&fault.type_name) && fault.flaw == flaw && fault.path.ends_with(path)
                };
                faults_of(&[read]).iter().any(is)
            };
            assert!(WHOLE.iter().any(|json| is_missed(&json)), "{:?}: {path}, {flaw:?}", rule.types);
        }
    }
}

#[test]
fn faults_say_where_and_what() {
    for (json, says) in [
        (
            r#"{"@type": "Product", "name": "P", "image": "/i", "description": "D", "brand": "B", "review": {"@id": "elsewhere"}, "aggregateRating": {"@id": "e"},
                "offers": {"@type": "Offer", "price": "$12", "priceCurrency": "EUR"}}"#,
            &["Offer: \"offers.price\" is not a number: \"$12\""][..],
        ),
        (
            r#"{"@type": "Product", "name": " "}"#,
            &["Product: \"name\" is missing", "Product: \"offers\" or \"review\" or \"aggregateRating\" is missing"],
        ),
        (
            r#"{"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "position": 1, "name": "A"}, {"@type": "ListItem", "position": 2, "name": "B"}]}"#,
            &["ListItem: \"itemListElement.item\" is missing"],
        ),
        (r#"{"@type": "Book", "author": "A"}"#, &["Book: \"name\" is recommended"]),
        (r#"{"@type": "Thing"}"#, &[]),
    ] {
        let told = told(json);
        assert_eq!(told[..says.len()], *says, "{json}");
        assert!(!says.is_empty() || told.is_empty(), "{json}");
    }
}

#[test]
fn what_an_id_names_counts_wherever_it_stands() {
    let graph = r##"[
        {"@type": "Article", "headline": "H", "image": {"@id": "#i"}, "author": {"@id": "#a"}, "datePublished": "2026", "dateModified": "2026"},
        {"@type": "Person", "@id": "#a", "name": "A"},
        {"@type": "ImageObject", "@id": "#i", "url": "/i.png"},
        {"@type": "Product", "name": "P", "image": "/i", "description": "D", "brand": "B", "offers": {"@id": "#o"}, "review": {"@id": "#r"}, "aggregateRating": "4"},
        {"@type": "Review", "@id": "#r", "author": "A", "datePublished": "2026", "reviewRating": "4"}]"##;
    assert_eq!(told(graph), [""; 0]);
    let nameless = graph.replace("\"name\": \"A\"", "\"email\": \"a@a.test\"");
    assert_eq!(told(&nameless), ["Article: \"author.name\" is recommended"]);
}
