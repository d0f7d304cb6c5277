//! What can an element be called by? Compounds of CSS, the surest names first, each with what it costs to rely on it.

use groma_hel::{Node, Tree};

/// Attributes that say what an element is for.
const NAMING: [(&str, f64); 14] = [
    ("itemprop", 1.0),
    ("property", 1.0),
    ("name", 1.1),
    ("data-testid", 1.1),
    ("data-test", 1.1),
    ("data-qa", 1.1),
    ("data-field", 1.1),
    ("data-name", 1.1),
    ("data-label", 1.2),
    ("rel", 1.4),
    ("http-equiv", 1.4),
    ("role", 1.6),
    ("aria-label", 1.6),
    ("type", 2.2),
];

/// Elements of which a page has few.
const RARE: [&str; 11] =
    ["h1", "title", "time", "address", "main", "article", "header", "footer", "h2", "caption", "aside"];

/// Classes that say how an element stands at the moment.
const STATES: [&str; 14] = [
    "active", "current", "selected", "open", "closed", "show", "hidden", "first", "last", "odd", "even", "hover",
    "disabled", "visible",
];

/// A compound and its cost.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub(super) text: String,
    pub(super) cost: f64,
}

/// The compounds of an element, the cheapest first; the place among siblings of its name last, if it may be counted.
pub(super) fn compounds(tree: &Tree, node: Node, place: Option<u32>) -> Vec<Named> {
    let name = tree.name(node);
    let mut all = Vec::new();
    let mut add = |text: String, cost: f64| all.push(Named { text, cost });
    if let Some(id) = tree.attribute(node, "id").filter(|id| is_word(id)) {
        add(format!("#{}", escaped(id)), 1.0 + made_up(id) * 2.0);
    }
    for (attribute, cost) in NAMING {
        if let Some(value) = tree.attribute(node, attribute).filter(|value| is_plain(value)) {
            let cost = cost + made_up(value);
            add(format!("{name}[{attribute}=\"{value}\"]"), cost + 0.2);
        }
    }
    let classes: Vec<&str> = tree.attribute(node, "class").unwrap_or_default().split_ascii_whitespace().collect();
    let mut costs: Vec<(&str, f64)> =
        classes.into_iter().take(12).filter(|class| is_word(class)).map(|class| (class, class_cost(class))).collect();
    costs.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (class, cost) in costs.iter().take(5) {
        add(format!(".{}", escaped(class)), *cost);
        add(format!("{name}.{}", escaped(class)), cost + 0.2);
    }
    for (nth, (one, cost)) in costs.iter().take(3).enumerate() {
        for (other, more) in costs.iter().take(3).skip(nth + 1) {
            add(format!(".{}.{}", escaped(one), escaped(other)), cost + more);
        }
    }
    let tag_cost = if RARE.contains(&name) { 1.6 } else { 3.0 };
    add(name.to_owned(), tag_cost);
    if let Some(place) = place {
        add(format!("{name}:nth-of-type({place})"), 5.0 + f64::from(place.min(20)) * 0.1);
    }
    all.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    all
}

fn class_cost(class: &str) -> f64 {
    let is_state = STATES.contains(&class) || class.starts_with("is-") || class.starts_with("has-");
    // Classes for margins and columns (`mb-3`, `col-md-6`) say how, not what.
    let is_measure = class.len() <= 12 && class.ends_with(|c: char| c.is_ascii_digit());
    1.5 + made_up(class) + if is_state { 2.0 } else { 0.0 } + if is_measure { 1.5 } else { 0.0 }
}

/// How much does a name look made by a program: digits in it, digits between letters, length.
fn made_up(name: &str) -> f64 {
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let is_mixed = name
        .as_bytes()
        .windows(3)
        .any(|w| w[0].is_ascii_alphabetic() && w[1].is_ascii_digit() && w[2].is_ascii_alphabetic());
    let long = if name.len() > 24 { 0.5 } else { 0.0 };
    (digits.min(4) as f64) * 0.7 + if is_mixed { 2.0 } else { 0.0 } + long
}

fn is_word(name: &str) -> bool {
    (1..=60).contains(&name.len()) && !name.chars().any(|c| c.is_whitespace() || c.is_control())
}

fn is_plain(value: &str) -> bool {
    (1..=60).contains(&value.len()) && !value.chars().any(|c| c.is_control() || matches!(c, '"' | '\\'))
}

/// A name as CSS writes it.
pub(super) fn escaped(name: &str) -> String {
    let mut written = String::new();
    for (nth, c) in name.chars().enumerate() {
        match c {
            '0'..='9' if nth == 0 => written.push_str(&format!("\\3{c} ")),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => written.push(c),
            c if !c.is_ascii() => written.push(c),
            c => {
                written.push('\\');
                written.push(c);
            }
        }
    }
    written
}
