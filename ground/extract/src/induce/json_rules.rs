//! JSON paths to a leaf: by names all the way, items of lists by their `@type` where they have one, else by their number.

use super::places::{JsonStep, Place, PlaceKind};
use super::rule_draft::RuleDraft;
use crate::selector::Language;

const COST: f64 = 2.0;

/// Adds the paths to a leaf of JSON.
pub(super) fn draft(place: &Place, is_list: bool, drafts: &mut Vec<RuleDraft>) {
    let PlaceKind::Json(way) = &place.at else { return };
    let mut add = |selector: String, cost: f64| {
        drafts.push(RuleDraft { language: Language::Json, selector, cost, is_part: false });
    };
    let exact = path(way, |nth, type_name| match type_name {
        Some(name) => format!("[?@['@type']=='{name}']"),
        None if is_list => "[*]".to_owned(),
        None => format!("[{nth}]"),
    });
    add(exact, COST + way.len() as f64 * 0.2);
    if way.iter().any(|step| matches!(step, JsonStep::Item(..))) {
        add(path(way, |nth, _| format!("[{nth}]")), COST + 2.0 + way.len() as f64 * 0.2);
        if is_list {
            add(path(way, |_, _| "[*]".to_owned()), COST + way.len() as f64 * 0.2);
        }
    }
}

fn path(way: &[JsonStep], item: impl Fn(usize, Option<&str>) -> String) -> String {
    let mut path = "$".to_owned();
    for step in way {
        match step {
            JsonStep::Name(name) if is_plain(name) => path.push_str(&format!(".{name}")),
            JsonStep::Name(name) => {
                let name = name.replace('\\', "\\\\").replace('\'', "\\'");
                path.push_str(&format!("['{name}']"));
            }
            JsonStep::Item(nth, type_name) => {
                let type_name =
                    type_name.as_deref().filter(|name| name.chars().all(|c| c.is_alphanumeric() || c == ':'));
                path.push_str(&item(*nth, type_name));
            }
        }
    }
    path
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
