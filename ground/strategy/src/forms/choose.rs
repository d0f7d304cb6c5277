//! Which fields are split by: essential elements first, then lists, ranges, texts that somebody gave values, boxes.
//!
//! Left out: what only chooses how answers are shown. Totals tell that, where there are any ([`super::account`]); where there are none,
//! names do.

use std::collections::HashMap;

use groma_gather::Description;
use groma_gather::description::Asking;
use groma_gather::form::{Field, Form, Kind};

use super::account::Account;
use super::axes::{Axes, Beginning, is_called};
use super::settings::How;

/// Parts of names of fields that choose how answers are shown, not which.
const SHOWN_AS: [&str; 18] = [
    "sort",
    "order",
    "orderby",
    "sortierung",
    "reihenfolge",
    "tri",
    "view",
    "ansicht",
    "layout",
    "format",
    "lang",
    "language",
    "sprache",
    "locale",
    "dir",
    "direction",
    "theme",
    "currency",
];
/// Parts of names of fields that say how many rows a page has.
const PAGE_SIZE: [&str; 10] = [
    "perpage",
    "pagesize",
    "limit",
    "rows",
    "numresults",
    "resultsperpage",
    "hitsperpage",
    "proseite",
    "anzahl",
    "pagelength",
];

/// Names of fields for the words to search for.
const SEARCH: [&str; 12] =
    ["q", "query", "search", "term", "keyword", "keywords", "text", "s", "suche", "suchbegriff", "stichwort", "words"];

/// Is a field named by the user, to be varied in any case?
pub(super) fn is_named(field: &Field, vary: &[impl AsRef<str>]) -> bool {
    vary.iter().any(|name| is_called(&field.name, name.as_ref()) || is_called(&field.label, name.as_ref()))
}

/// The axes of a form, with what is known of its controls. `vary`: fields that are varied in any case; `beginning`: what a
/// text field takes the beginning of.
pub(super) fn axes_of(
    (asking, description): (Option<&Asking>, &Description),
    form: &Form,
    how: How,
    account: &Account,
    vary: &[String],
    seen: &HashMap<String, Vec<String>>,
    beginning: Option<&Beginning>,
) -> Axes {
    let mut axes = Axes::default();
    let mut used: Vec<String> = Vec::new();
    for element in asking.into_iter().flat_map(|asking| &asking.elements) {
        let Some(field) = form.field(&element.name).filter(|_| !element.values.is_empty()) else { continue };
        used.push(field.name.clone());
        if field.kind.is_typed() {
            axes.text(field, element.values.clone());
        } else {
            axes.choice(field, Some(element.values.clone()), true, account.base_is());
        }
    }
    if how == How::Paper {
        return axes;
    }
    let ranges = form.ranges();
    let ends: Vec<usize> = ranges.iter().flat_map(|range| [range.low, range.high]).collect();
    let is_choosing = |field: &Field| {
        let is_shown_as = chooses_show(field) && !account.narrows(&field.name);
        is_named(field, vary) || !(is_shown_as || account.is_neutral(&field.name))
    };
    let free = |nth: usize, field: &Field| {
        let is_free = field.is_variable() && !ends.contains(&nth) && !used.contains(&field.name);
        is_free && (field.kind.is_typed() || is_choosing(field))
    };
    let lists = form.fields.iter().enumerate().filter(|(nth, field)| free(*nth, field));
    for (_, field) in lists.clone().filter(|(_, field)| matches!(field.kind, Kind::Select | Kind::Radio)) {
        match account.fixed_at(&field.name) {
            // Set to its widest: the others are parts of that.
            Some(widest) => axes.below(field, widest),
            None if field.domain().nth(1).is_some() => axes.choice(field, None, false, account.base_of(&field.name)),
            None => {}
        }
    }
    for range in &ranges {
        let known: Vec<String> = Axes::names_of(range)
            .iter()
            .flat_map(|name| seen.iter().filter(|(attribute, _)| is_called(attribute, name)))
            .flat_map(|(_, values)| values.iter().cloned())
            .collect();
        axes.range(range, form, &known);
    }
    for (_, field) in lists.clone().filter(|(_, field)| field.kind.is_typed()) {
        if let Some(Ok(values)) = description.metadata().domain(&field.name, true) {
            axes.text(field, values);
        }
    }
    // Boxes, of which several may be ticked: where nothing else is left to split, and never a proof.
    for (_, field) in lists.clone().filter(|(_, field)| matches!(field.kind, Kind::CheckBox | Kind::MultiSelect)) {
        if field.domain().nth(1).is_some() && account.fixed_at(&field.name).is_none() {
            axes.choice(field, None, false, account.base_is());
        }
    }
    // Whoever describes a form names what is filled in: words are looked for where nobody did.
    let is_open = |field: &&Field| used.is_empty() || is_named(field, vary);
    let searched = searched_text(lists.clone().map(|(_, field)| field).filter(is_open), &axes);
    if let Some(field) = searched {
        match beginning {
            Some(beginning) => axes.beginning(field, beginning),
            None => axes.words(field),
        }
    }
    axes
}

/// The empty text that looks most like one for words to search for, of those that nothing else fills in.
fn searched_text<'f>(fields: impl Iterator<Item = &'f Field>, axes: &Axes) -> Option<&'f Field> {
    let is_text = |field: &&Field| {
        let is_taken = axes.fills.iter().any(|fill| fill.names().contains(&field.name.as_str()));
        matches!(field.kind, Kind::Text | Kind::Search) && field.default.trim().is_empty() && !is_taken
    };
    fields.filter(is_text).max_by_key(|field| {
        let is_named = SEARCH.contains(&field.name.to_lowercase().as_str());
        (field.kind == Kind::Search, is_named, std::cmp::Reverse(field.place))
    })
}

/// Does a field choose how answers are shown, and not which, by its name?
fn chooses_show(field: &Field) -> bool {
    let plain: String = field.name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let words = |text: &str| text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect::<Vec<_>>();
    let is_show = |word: &String| SHOWN_AS.contains(&word.as_str());
    words(&field.name).iter().any(is_show) || SHOWN_AS.contains(&plain.as_str()) || is_page_size(field)
}

fn is_page_size(field: &Field) -> bool {
    let plain: String = field.name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let numbers = field.domain().filter(|choice| choice.value.parse::<u32>().is_ok()).count();
    PAGE_SIZE.iter().any(|known| plain == *known || plain.ends_with(known))
        && numbers > 0
        && numbers == field.domain().count()
}

/// Where a person may say how many rows a page has, the most: fewer requests for the same answer, if it is the same.
pub(super) fn page_size(form: &Form) -> Vec<(String, String)> {
    let largest = |field: &Field| {
        let most = field.domain().max_by_key(|choice| choice.value.parse::<u32>().unwrap_or(0))?;
        let is_more = !most.chosen;
        is_more.then(|| (field.name.clone(), most.value.clone()))
    };
    form.fields.iter().filter(|field| field.kind == Kind::Select && is_page_size(field)).filter_map(largest).collect()
}
