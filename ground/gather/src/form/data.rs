//! What is sent? The form data set of the HTML standard (4.10.22.4, "constructing the entry list").
//!
//! Fields in the order of the page; disabled and nameless ones are not sent, buttons only if pressed, radio buttons, boxes
//! and options if chosen, a picture as its coordinates, `_charset_` as the name of the encoding, `dirname` as a direction.
//! What is filled in takes the place of what the page has, also in a disabled field, which a script of the page may enable; secrets and
//! files are never sent, not even if filled in. [`OMITTED`] keeps a field from being sent.

use std::collections::{HashMap, HashSet};

use super::{Field, Form, Kind};

/// Filled in for a field, it keeps the field from being sent at all. No page can hold this value: parsers replace U+0000.
pub const OMITTED: &str = "\0";

/// The names and values that are sent when these are filled in and this button is pressed.
///
/// Of a text field with a name that several fields have, each takes the next value. Of radio buttons, boxes and lists the
/// filled-in values are the chosen ones, also where the form has no such choice; one empty value that is no choice means none.
/// Names that the form does not have come last.
pub fn data_set(form: &Form, filled: &[(&str, &str)], pressed: Option<&Field>) -> Vec<(String, String)> {
    let mut left: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, value) in filled.iter().rev() {
        left.entry(name).or_default().push(value);
    }
    // A hidden value beside a box of the same name stands for "not ticked": what is filled in is the box's.
    let shown: HashSet<&str> =
        form.fields.iter().filter(|field| field.kind != Kind::Hidden).map(|field| field.name.as_str()).collect();
    let enabled: HashSet<&str> =
        form.fields.iter().filter(|field| !field.disabled).map(|field| field.name.as_str()).collect();
    let mut entries: Vec<(u32, String, String)> = Vec::new();
    for field in &form.fields {
        let mut given = left.get_mut(field.name.as_str());
        if field.kind.is_secret() {
            if let Some(given) = &mut given {
                given.clear();
            }
            continue;
        }
        if field.disabled && (given.is_none() || enabled.contains(field.name.as_str())) {
            continue;
        }
        let mut push = |place: u32, value: &str| entries.push((place, field.name.clone(), value.to_owned()));
        match field.kind {
            Kind::Button | Kind::Reset => {}
            Kind::Submit | Kind::Image => {
                if pressed.is_some_and(|pressed| pressed.place == field.place) {
                    press(field, &mut entries);
                }
            }
            _ if field.name.is_empty() => {}
            kind if kind.is_chosen() => match given.filter(|given| !given.is_empty()) {
                Some(given) => chosen(field, given, &mut push),
                None => {
                    for choice in field.values.iter().filter(|choice| choice.chosen && !choice.disabled) {
                        push(choice.place, &choice.value);
                    }
                }
            },
            _ => {
                let is_own = field.kind != Kind::Hidden || !shown.contains(field.name.as_str());
                let given = given.filter(|_| is_own).and_then(Vec::pop);
                if given == Some(OMITTED) {
                    continue;
                }
                let is_charset = field.kind == Kind::Hidden && field.name.eq_ignore_ascii_case("_charset_");
                let own = if is_charset { form.charset } else { &field.default };
                push(field.place, given.unwrap_or(own));
                if let Some((name, is_right_to_left)) = &field.dirname {
                    let direction = if *is_right_to_left { "rtl" } else { "ltr" };
                    entries.push((field.place, name.clone(), direction.to_owned()));
                }
            }
        }
    }
    entries.sort_by_key(|(place, ..)| *place);
    let mut set: Vec<(String, String)> = entries.into_iter().map(|(_, name, value)| (name, value)).collect();
    // In the order they were given.
    for (name, value) in filled {
        if form.field(name).is_none() {
            set.push(((*name).to_owned(), (*value).to_owned()));
        }
    }
    set
}

fn press(field: &Field, entries: &mut Vec<(u32, String, String)>) {
    if field.kind == Kind::Image {
        let prefix = if field.name.is_empty() { String::new() } else { format!("{}.", field.name) };
        entries.push((field.place, format!("{prefix}x"), "0".to_owned()));
        entries.push((field.place, format!("{prefix}y"), "0".to_owned()));
    } else if !field.name.is_empty() {
        entries.push((field.place, field.name.clone(), field.default.clone()));
    }
}

/// The given values: those of the form in its order, then those it does not have.
fn chosen(field: &Field, given: &mut Vec<&str>, push: &mut impl FnMut(u32, &str)) {
    let single = matches!(field.kind, Kind::Radio | Kind::Select);
    let mut values: Vec<&str> = std::mem::take(given);
    values.reverse();
    if single {
        values.truncate(1);
    }
    let has = |value: &str| field.values.iter().any(|choice| choice.value == value);
    let is_none = |value: &&str| *value == OMITTED || value.is_empty() && !has(value);
    if values.len() == 1 && values.first().is_some_and(is_none) {
        return;
    }
    let mut last = field.place;
    for choice in &field.values {
        if let Some(at) = values.iter().position(|value| *value == choice.value) {
            values.remove(at);
            push(choice.place, &choice.value);
        }
        last = choice.place;
    }
    values.into_iter().for_each(|value| push(last, value));
}
