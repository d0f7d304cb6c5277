//! Where does a value stand on a page? The innermost places, the plainest kind first.

use groma_hel::{Node, clean};
use serde_json::Value;

use crate::number::number_of;
use crate::page::Page;

/// Places of one value that are looked at.
const PLACES: usize = 24;
/// Bytes of a text that a value may be a part of.
const AROUND: usize = 400;

/// Where a value stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) at: PlaceKind,
    /// Other words stand before or behind it there.
    pub(super) is_part: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PlaceKind {
    /// The text of an element as a reader sees it.
    Text(Node),
    /// The texts directly in an element.
    OwnText(Node),
    Attribute(Node, String),
    /// A leaf of the JSON of the page: the names and places on the way to it.
    Json(Vec<JsonStep>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JsonStep {
    Name(String),
    /// An item of a list, with the `@type` it has.
    Item(usize, Option<String>),
}

/// Attributes that are never what somebody means.
const UNMEANT: [&str; 6] = ["class", "id", "style", "integrity", "onclick", "for"];

/// The places where a value stands on a page: whole ones, and parts only where there is no whole one in the text.
pub(super) fn places(page: &Page<'_>, value: &str) -> Vec<Place> {
    let value = clean(value);
    if value.is_empty() {
        return Vec::new();
    }
    let mut whole = texts(page, &value, false);
    whole.extend(attributes(page, &value, false));
    whole.extend(json(page, &value));
    let is_seen = whole.iter().any(|place| matches!(place.at, PlaceKind::Text(_) | PlaceKind::OwnText(_)));
    if !is_seen {
        whole.extend(texts(page, &value, true));
        whole.extend(attributes(page, &value, true));
    }
    whole.truncate(PLACES);
    whole
}

fn texts(page: &Page<'_>, value: &str, is_part: bool) -> Vec<Place> {
    let tree = page.tree();
    let most = if is_part { AROUND } else { value.len() };
    let mut places: Vec<Place> = Vec::new();
    let unread = |node: Node| matches!(tree.name(node), "script" | "style" | "html" | "head" | "body");
    for node in (1..tree.len() as Node).filter(|node| !tree.is_text(*node) && !unread(*node)) {
        let fits =
            |text: &str| if is_part { super::parts::context(text, value).is_some() } else { is_value(text, value) };
        if tree.txt(node, most.max(64)).is_some_and(|text| fits(&text)) {
            // The innermost element is the one that is meant; those around it are its ancestors.
            places.retain(|place| !matches!(place.at, PlaceKind::Text(outer) if is_part && tree.holds(outer, node)));
            places.push(Place { at: PlaceKind::Text(node), is_part });
        } else {
            let own: Vec<&str> =
                tree.children(node).map(|child| tree.text(child)).filter(|text| !text.is_empty()).collect();
            let has_elements = tree.children(node).any(|child| !tree.is_text(child));
            if has_elements && !own.is_empty() && fits(&clean(&own.join(" "))) {
                places.push(Place { at: PlaceKind::OwnText(node), is_part });
            }
        }
    }
    // The nearest to the value first: what is inside comes later in the document.
    places.sort_by_key(|place| match place.at {
        PlaceKind::Text(node) | PlaceKind::OwnText(node) => tree.end(node) - node,
        _ => 0,
    });
    places
}

fn attributes(page: &Page<'_>, value: &str, is_part: bool) -> Vec<Place> {
    let tree = page.tree();
    let mut places = Vec::new();
    for node in (1..tree.len() as Node).filter(|node| !tree.is_text(*node)) {
        for (name, written) in tree.attributes(node).filter(|(name, _)| !UNMEANT.contains(name)) {
            let fits = if is_part {
                written.len() <= AROUND && super::parts::context(&clean(written), value).is_some()
            } else {
                written.len() < value.len() + 64 && is_value(&clean(written), value)
            };
            if fits {
                places.push(Place { at: PlaceKind::Attribute(node, name.to_owned()), is_part });
            }
        }
    }
    places
}

/// Is a text the value? If the value is a plain number, also where the text writes the same number with a currency or groups.
fn is_value(text: &str, value: &str) -> bool {
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'-'));
    let same_number = || {
        plain(value)
            && text.len() < value.len() + 16
            && text.chars().filter(|c| c.is_alphabetic()).count() <= 3
            && number_of(value).is_some()
            && number_of(text) == number_of(value)
    };
    text == value || same_number()
}

fn json(page: &Page<'_>, value: &str) -> Vec<Place> {
    let mut places = Vec::new();
    for document in page.json() {
        let mut left: Vec<(&Value, Vec<JsonStep>)> = vec![(document, Vec::new())];
        while let Some((item, way)) = left.pop() {
            let deeper = |step: JsonStep| way.iter().cloned().chain([step]).collect::<Vec<_>>();
            match item {
                Value::String(text) if clean(text) == value => {
                    places.push(Place { at: PlaceKind::Json(way), is_part: false });
                }
                Value::Number(number) if number.to_string() == value => {
                    places.push(Place { at: PlaceKind::Json(way), is_part: false });
                }
                Value::Object(fields) if way.len() < 12 => {
                    left.extend(fields.iter().map(|(name, field)| (field, deeper(JsonStep::Name(name.clone())))));
                }
                Value::Array(items) if way.len() < 12 => {
                    let type_of = |item: &Value| item.get("@type").and_then(Value::as_str).map(str::to_owned);
                    let items = items.iter().enumerate().take(1000);
                    left.extend(items.map(|(nth, item)| (item, deeper(JsonStep::Item(nth, type_of(item))))));
                }
                _ => {}
            }
        }
    }
    places
}
