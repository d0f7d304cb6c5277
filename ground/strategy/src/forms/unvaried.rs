//! Which controls of the form were left as they were? Each may bring out records that no question asked for.
//!
//! What a cover proves is proved for the questions it asked. A box *include archived* that nobody ticked, a list that stood at
//! *current* all the time, a second button: what they would have brought out is unknown, so there is no certificate, and the
//! control is the reason that is given.
//!
//! | control | left alone |
//! |---|---|
//! | boxes, lists of several | unless each value was ticked in a question that was answered: a tick may add records |
//! | list, radio buttons with values to ask for | if only one choice was ever sent and its words neither say "any" nor repeat the name of the list |
//! | list, radio buttons that were not asked at all | always, unless a person could choose nothing else either |
//! | text that was not asked | if something stands in it, if it must be filled in, or if it takes the words to search for |
//! | slide, colour | always: they send a value, whatever is done |
//! | a further button that sends something else | always |
//! | password, file | always: they are never sent |
//!
//! Not counted as controls: hidden, disabled, read-only and nameless fields; lists that are called by a word for sorting, and the
//! number of rows on a page (the largest is chosen). Not guaranteed: that an empty text field is no condition. All forms we know
//! of hold to that, except for the field of the words to search for.

use std::collections::{BTreeSet, HashMap};

use groma_gather::form::{Choice, Field, Form, Kind};

use super::axes::{Axes, Fill};

/// Controls that are named; of the others their number is said.
const NAMED: usize = 12;

/// Names of fields that say in which order answers are shown, or how they look. (Languages, formats and views may choose.)
const ORDER: [&str; 14] = [
    "sort",
    "sortby",
    "order",
    "orderby",
    "sortorder",
    "sortierung",
    "reihenfolge",
    "tri",
    "dir",
    "direction",
    "sortdir",
    "asc",
    "layout",
    "theme",
];

/// Names of fields for the words to search for: empty, many of them bring out a selection, or nothing.
const QUERY: [&str; 22] = [
    "q",
    "query",
    "search",
    "searchterm",
    "searchtext",
    "searchword",
    "searchfor",
    "term",
    "terms",
    "text",
    "fulltext",
    "keyword",
    "keywords",
    "kw",
    "words",
    "s",
    "suche",
    "suchbegriff",
    "suchwort",
    "stichwort",
    "recherche",
    "buscar",
];

/// What was sent for each control in questions that were answered: values by the name of the field.
pub(super) type Tried = HashMap<String, BTreeSet<String>>;

/// The controls that were left as they were, in sentences.
pub(super) fn unvaried(form: &Form, axes: &Axes, is_page_size: &dyn Fn(&Field) -> bool, tried: &Tried) -> Vec<String> {
    let left = |field: &&Field| is_left(field, axes, tried) && !is_page_size(field);
    let fields = form.fields.iter().filter(left).map(|field| (word(field.kind), field.title()));
    let buttons = other_buttons(form).into_iter().map(|button| {
        let says = if button.default.is_empty() { button.title() } else { button.default.as_str() };
        ("button", says)
    });
    let all: Vec<(&str, &str)> = fields.chain(buttons).collect();
    let mut said: Vec<String> =
        all.iter().take(NAMED).map(|(what, name)| format!("the {what} {} was not varied", short(name))).collect();
    if all.len() > NAMED {
        said.push(format!("{} more controls were not varied", all.len() - NAMED));
    }
    said
}

fn is_left(field: &Field, axes: &Axes, tried: &Tried) -> bool {
    if field.name.is_empty() || field.disabled {
        return false;
    }
    if field.kind.is_secret() {
        return true;
    }
    if !field.is_variable() || is_order(field) {
        return false;
    }
    let sent = tried.get(&field.name);
    let asked = axes.fills.iter().any(|fill| match fill {
        Fill::Value { name, .. } | Fill::Beginning { name, .. } => *name == field.name,
        Fill::Ends { names, .. } => names.0 == field.name || names.1 == field.name,
    });
    match field.kind {
        // Of boxes that were not asked, none was ticked by us.
        Kind::CheckBox | Kind::MultiSelect => {
            let ticked = |choice: &Choice| asked && sent.is_some_and(|sent| sent.contains(&choice.value));
            !field.values.iter().filter(|choice| !choice.disabled).all(ticked)
        }
        Kind::Select | Kind::Radio if asked => {
            let several = sent.is_some_and(|sent| sent.len() > 1);
            let is_any = |choice: &Choice| choice.says_any() || is_heading(choice, field);
            !several && !field.values.iter().any(|choice| choice.open && !choice.disabled && is_any(choice))
        }
        Kind::Select => field.values.iter().filter(|choice| !choice.disabled).count() > 1,
        // One button alone can be pressed or not.
        Kind::Radio => {
            let mut free = field.values.iter().filter(|choice| !choice.disabled);
            free.next().is_some_and(|first| !first.chosen) || free.next().is_some()
        }
        _ if asked => false,
        Kind::Range | Kind::Color => true,
        _ => !field.default.trim().is_empty() || field.required || is_query(field),
    }
}

/// Does the choice repeat what the field is called? That is a heading, put in the list for want of another place.
fn is_heading(choice: &Choice, field: &Field) -> bool {
    let says = plain(&choice.label);
    [&field.label, &field.name].into_iter().any(|name| !name.is_empty() && says == plain(name))
}

/// Buttons that would send something else than the one that is pressed.
fn other_buttons(form: &Form) -> Vec<&Field> {
    let Some(pressed) = form.default_button() else { return Vec::new() };
    let sends = |button: &Field| {
        let changes = button.overrides.as_ref().map(|other| {
            let place = other.action.as_ref().map(ToString::to_string);
            (place, other.method.map(|method| format!("{method:?}")))
        });
        let named = (!button.name.is_empty()).then(|| (button.name.clone(), button.default.clone()));
        (named, changes)
    };
    let usable = form.fields.iter().filter(|field| field.kind.is_submit() && !field.disabled);
    let mut other: Vec<&Field> = usable.filter(|button| sends(button) != sends(pressed)).collect();
    other.dedup_by_key(|button| sends(button));
    other
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Does it say in which order answers are shown, and nothing else? Only what is chosen from a list does.
fn is_order(field: &Field) -> bool {
    let name = plain(&field.name);
    matches!(field.kind, Kind::Select | Kind::Radio) && (name.starts_with("sort") || ORDER.contains(&name.as_str()))
}

fn is_query(field: &Field) -> bool {
    let known = |text: &str| QUERY.contains(&plain(text).as_str());
    field.kind == Kind::Search || (field.kind == Kind::Text && (known(&field.name) || known(&field.label)))
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::CheckBox => "check box",
        Kind::Radio => "choice of radio buttons",
        Kind::Select | Kind::MultiSelect => "list",
        Kind::Password | Kind::File => "field (which is never sent)",
        _ => "field",
    }
}

/// A name as it stands in a sentence.
fn short(name: &str) -> String {
    const LETTERS: usize = 80;
    let mut all = name.chars().filter(|c| !c.is_control());
    let mut text: String = all.by_ref().take(LETTERS).collect();
    if all.next().is_some() {
        text.push('…');
    }
    text
}
