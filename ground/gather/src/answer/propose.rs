//! Which rules find the records of this page? Proposed from the structure that repeats ([`repeat`](super::repeat)).
//!
//! Where the rows are is said as steadily as the page allows ([`place`](super::place)). Rows are told from other children by a class they share,
//! by their number of cells, or by what only they have ([`outsiders`](super::outsiders)). Where nothing but lines, double breaks, headings or
//! terms sets records apart, they are the parts of [`with_parts`]. Their pieces are the elements that hold text, told by class or by place; those that are the same in every row
//! (labels, buttons) are left out. Names come from headings of a table, `dt`, `itemprop`, "Label: value", classes.
//!
//! Each rule is tried before it is given: it parses, and gives exactly the texts of these rows. Cost: linear in the rows, plus
//! what the rules cost. Not guaranteed: that another page of the site has the same structure.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use groma_hel::{Bounds, Node, PART, Rule, Tree, Value, clean, with_parts};

use super::json::{self, block::blocks};
use super::naming::{after_label, labelled, name, unique};
use super::outsiders::{are_pages, telling_apart};
use super::pieces::{PIECES, PieceStep, by_row, constants, pieces};
use super::place::{Place, places, steps};
use super::repeat::{Group, groups, telling};

/// Attributes of a proposal.
const ATTRIBUTES: usize = 24;

/// Rules for the records of a page: attributes, and the text of their rules. `other` is an answer to another question, best one
/// without results. Nothing if no structure repeats.
///
/// If the records stand in the JSON of the page as well, the rules are those that give more attributes for as many records.
pub fn propose(tree: &Tree, other: Option<&Tree>) -> Option<Vec<(String, String)>> {
    let shown = by_shape(tree, other);
    let other = other.map(blocks).unwrap_or_default();
    let Some(json) = json::list::records(&blocks(tree), &other) else { return shown.map(|(rules, _)| rules) };
    let Some((rules, rows)) = shown else { return Some(json.rules) };
    // Lists of as many records may be two: what stands in the page has to stand in the JSON.
    let known = rows.iter().filter(|row| row.iter().any(|text| json.texts.contains(text))).count();
    let is_same = rows.len() == json.count && known * 2 > rows.len();
    Some(if is_same && json.rules.len() > rules.len() { json.rules } else { rules })
}

/// Row by row, the texts of its cells.
type RowTexts = Vec<Vec<String>>;

/// The rules and the rows of what stands in the page, as it is or in parts.
fn by_shape(tree: &Tree, other: Option<&Tree>) -> Option<(Vec<(String, String)>, RowTexts)> {
    let parted = with_parts(tree);
    let mut found: Vec<(&Tree, Group)> = groups(tree, other).into_iter().map(|group| (tree, group)).collect();
    if parted.len() > tree.len() {
        let other = other.map(with_parts);
        let parts = groups(&parted, other.as_ref()).into_iter();
        let is_of_parts = |group: &Group| group.rows.first().is_some_and(|row| parted.name(*row) == PART);
        found.extend(parts.filter(is_of_parts).map(|group| (&parted, group)));
        found.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
    }
    let is_list = |(tree, group): &&(&Tree, Group)| {
        !are_choices(tree, &group.rows) && !are_lines_of_form(tree, &group.rows) && !are_pages(tree, &group.rows)
    };
    found.iter().filter(is_list).find_map(|(tree, group)| {
        let texts = |row: &Node| {
            let texts = (*row..tree.end(*row)).take(400).filter(|at| tree.is_text(*at));
            texts.map(|text| clean(tree.text(text))).collect()
        };
        let places = places(tree, group.parent);
        let rules = places.iter().find_map(|place| rules(tree, group, place))?;
        Some((rules, group.rows.iter().map(texts).collect()))
    })
}

/// Boxes and buttons of a form repeat like records do: rows that say nothing but in labels.
fn are_choices(tree: &Tree, rows: &[Node]) -> bool {
    let texts = tree.nodes(tree.label_of_text());
    let in_label = |row: Node, text: Node| {
        let within = tree.ancestors(text).take_while(|above| *above >= row);
        within.take(16).any(|above| matches!(tree.name(above), "label" | "option" | "legend"))
    };
    let is_choice = |row: &Node| {
        let from = texts.partition_point(|text| text < row);
        let mut own = texts[from..].iter().take_while(|text| tree.holds(*row, **text)).take(PIECES).peekable();
        own.peek().is_some() && own.all(|text| in_label(*row, *text))
    };
    rows.iter().filter(|row| is_choice(row)).count() * 2 > rows.len()
}

/// A form is made of lines, too: what to fill in, and what it is called. A record that can be ordered says more beside the field.
fn are_lines_of_form(tree: &Tree, rows: &[Node]) -> bool {
    let is_filled_in = |at: Node| {
        let kind = || tree.attribute(at, "type").unwrap_or("text").to_ascii_lowercase();
        matches!(tree.name(at), "select" | "textarea")
            || tree.name(at) == "input"
                && !matches!(kind().as_str(), "checkbox" | "radio" | "hidden" | "submit" | "image")
    };
    let is_said = |row: Node, text: Node| {
        let mut within = tree.ancestors(text).take_while(|above| *above >= row).take(16);
        tree.text(text).contains(char::is_alphanumeric)
            && !within.any(|above| matches!(tree.name(above), "option" | "script" | "style"))
    };
    let is_line = |row: &&Node| {
        let inside = || (**row..tree.end(**row)).take(2_000);
        inside().any(is_filled_in) && inside().filter(|at| tree.is_text(*at) && is_said(**row, *at)).take(2).count() < 2
    };
    rows.iter().filter(is_line).count() * 2 > rows.len()
}

/// Texts of the rows by a rule, nulls as empty texts; nothing if the rule is none.
fn texts(tree: &Tree, rule: &str) -> Option<Vec<String>> {
    let Ok(Value::List(rows)) = Rule::parse(rule).ok()?.extract(tree, &Bounds::default()) else { return None };
    let text = |value: Value| match value {
        Value::Text(text) => text,
        Value::Null => String::new(),
        Value::List(list) => Value::List(list).values().join(" "),
    };
    Some(rows.into_iter().map(text).collect())
}

/// The rules for a group whose parent is at a place.
fn rules(tree: &Tree, group: &Group, place: &Place) -> Option<Vec<(String, String)>> {
    let row = row(tree, group, place)?;
    let pieces = pieces(tree, &group.rows);
    let mut rules: Vec<(String, String)> = Vec::new();
    let mut names: HashSet<String> = HashSet::new();
    let constants = constants(tree, &pieces, group.rows.len());
    for (path, nodes) in &pieces {
        if rules.len() >= ATTRIBUTES {
            break;
        }
        let expected = by_row(tree, &group.rows, nodes);
        let is_kept = is_named_value(tree, path, nodes, &expected);
        if (constants.contains(path) && !is_kept) || expected.iter().all(|text| !text.contains(char::is_alphanumeric)) {
            continue;
        }
        let labelled = labelled(&expected);
        // A text between elements brings its comma along.
        let is_led = labelled.is_none()
            && path.last().is_some_and(|step| step.label == "pcdata")
            && expected.iter().any(|text| text.starts_with(|c: char| !c.is_alphanumeric()));
        let lead = || ", match /^[^\\p{L}\\p{N}]*(.*)$/".to_owned();
        let operation = labelled.as_ref().map(|label| format!(", match /^{}\\s*:\\s*(.*)$/", escaped(label)));
        let operation = operation.or_else(|| is_led.then(lead));
        let rule = rule(&row, path, "txt", operation.as_deref().unwrap_or_default());
        let given = texts(tree, &rule);
        let expected: Vec<String> = match &labelled {
            None if is_led => {
                expected.iter().map(|text| text.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned()).collect()
            }
            None => expected,
            Some(label) => expected.iter().map(|text| after_label(text, label)).collect(),
        };
        if given.as_ref() != Some(&expected) {
            continue;
        }
        let name = labelled.unwrap_or_else(|| name(tree, group, path, nodes, &pieces));
        rules.push((unique(&name, &mut names), rule));
    }
    if rules.is_empty() {
        return None;
    }
    empty_columns(tree, group, &row, &mut rules, &mut names);
    if let Some(rule) = link(tree, &group.rows, &row) {
        rules.push((unique("link", &mut names), rule));
    }
    Some(rules)
}

/// Is a piece a value although all rows have the same? Cells are, and what has a name; buttons and labels are not.
fn is_named_value(tree: &Tree, path: &[PieceStep], nodes: &[Node], texts: &[String]) -> bool {
    if path.last().is_some_and(|step| step.label == "td") {
        return true;
    }
    let is_label =
        |class: &str| ["label", "key", "caption", "button", "btn", "sr-only"].iter().any(|sign| class.contains(sign));
    let is_said = |step: &PieceStep| step.class.as_deref().is_some_and(|class| !is_label(&class.to_ascii_lowercase()));
    let is_mute = |step: &PieceStep| {
        matches!(step.label.as_str(), "a" | "button" | "label" | "dt" | "th" | "pcdata" | "h1" | "h2" | "h3" | "h4")
    };
    let is_item = nodes.first().is_some_and(|node| tree.attribute(*node, "itemprop").is_some());
    (path.iter().any(is_said) || is_item)
        && !path.iter().any(is_mute)
        && !texts.iter().any(|text| text.trim_end().ends_with(':'))
}

/// Columns with a heading that are empty on this page: on others they may not be.
fn empty_columns(
    tree: &Tree,
    group: &Group,
    row: &Place,
    rules: &mut Vec<(String, String)>,
    names: &mut HashSet<String>,
) {
    let Some(first) = group.rows.first().filter(|row| tree.name(**row) == "tr") else { return };
    let cells: Vec<Node> = tree.children(*first).filter(|child| tree.name(*child) == "td").collect();
    for (nth, cell) in cells.into_iter().enumerate() {
        let step = PieceStep { label: "td".to_owned(), class: None, nth };
        let rule = rule(row, std::slice::from_ref(&step), "txt", "");
        let is_empty = texts(tree, &rule).is_some_and(|texts| texts.iter().all(String::is_empty));
        let heading =
            super::naming::heading(tree, group, cell).filter(|heading| heading.contains(char::is_alphanumeric));
        if let Some(heading) = heading.filter(|_| is_empty && rules.len() < ATTRIBUTES) {
            rules.push((unique(&heading, names), rule));
        }
    }
}

/// The place of the rows: those of the group and no others.
fn row(tree: &Tree, group: &Group, place: &Place) -> Option<Place> {
    let label = tree.name(*group.rows.first()?);
    let path = format!("{}.{label}[r:*]", place.path);
    let tested = format!("{}.{label}[r]", place.path);
    let mut tries: Vec<(String, Option<String>)> = Vec::new();
    let anywhere = (format!("html->{label}[r:*]"), format!("html->{label}[r]"));
    let common = group.rows.iter().map(|row| telling(tree, *row).collect::<BTreeSet<&str>>());
    let common = common.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default();
    for class in common {
        let is = |tested: &str| Some(format!("{tested}.getAttr(class) =~ /(^|\\s){}(\\s|$)/", escaped(class)));
        if !group.is_scattered {
            tries.push((path.clone(), is(&tested)));
        }
        // Where nothing has a name, the class alone is steadier than a count of what stands before.
        let at = if place.conditions.is_empty() && !group.is_scattered { tries.len() - 1 } else { tries.len() };
        tries.insert(at, (anywhere.0.clone(), is(&anywhere.1)));
    }
    if group.is_scattered {
        tries.truncate(8);
    } else if group.rows.len() == group.siblings.len() {
        tries.push((path.clone(), None));
    }
    if label == "tr" {
        let cells = tree.children(*group.rows.first()?).filter(|child| tree.name(*child) == "td").count();
        tries.push((path.clone(), Some(format!("{tested}.numberOf(td) = {cells}"))));
    }
    if !group.is_scattered && group.rows.len() < group.siblings.len() {
        tries.extend(
            telling_apart(tree, &group.rows, &group.siblings, &tested)
                .into_iter()
                .map(|condition| (path.clone(), Some(condition))),
        );
    }
    let expected: Vec<String> = group.rows.iter().map(|row| tree.txt(*row, 1 << 20).unwrap_or_default()).collect();
    tries.into_iter().take(16).find_map(|(own, condition)| {
        let of_place = if own == path { &place.conditions[..] } else { &[] };
        let conditions: Vec<String> = of_place.iter().cloned().chain(condition).collect();
        let place = Place { path: own, conditions };
        (texts(tree, &rule(&place, &[], "txt", "")).as_ref() == Some(&expected)).then_some(place)
    })
}

fn rule(row: &Place, steps: &[PieceStep], property: &str, operation: &str) -> String {
    let mut path = row.path.clone();
    let mut tested = row.path.replace("[r:*]", "[r]");
    let mut conditions = row.conditions.clone();
    for (at, step) in steps.iter().enumerate() {
        match &step.class {
            Some(class) => {
                let next = format!(".{}[k{at}]", step.label);
                path.push_str(&next);
                tested.push_str(&next);
                conditions.push(format!("{tested}.getAttr(class) = '{}'", class.replace('\'', "''")));
            }
            None => {
                let next = format!(".{}[{}]", step.label, step.nth);
                path.push_str(&next);
                tested.push_str(&next);
            }
        }
    }
    // A variable without a condition is none.
    if !conditions.iter().any(|condition| condition.contains("[r]")) {
        path = path.replace("[r:*]", "[*]");
    }
    let conditions = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    format!("{path}.{property}{operation}{conditions}")
}

/// A text within a regular expression between slashes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if !c.is_alphanumeric() && !c.is_whitespace() && c != '_' && c.is_ascii() {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The rule for where the rows lead: the first link of each, if most rows have one in the same place and they differ.
fn link(tree: &Tree, rows: &[Node], row: &Place) -> Option<String> {
    let first = |row: Node| {
        (row..tree.end(row)).take(400).find(|at| tree.name(*at) == "a" && tree.attribute(*at, "href").is_some())
    };
    let found: Vec<(Node, Node)> = rows.iter().filter_map(|row| Some((*row, first(*row)?))).collect();
    let targets: HashSet<&str> = found.iter().filter_map(|(_, link)| tree.attribute(*link, "href")).collect();
    if targets.len() * 2 <= rows.len() {
        return None;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (row, link) in found.iter().take(200) {
        *counts.entry(steps(tree, *row, *link)?).or_default() += 1;
    }
    let (steps, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let conditions =
        if row.conditions.is_empty() { String::new() } else { format!(" WHERE {}", row.conditions.join(" AND ")) };
    let rule = format!("{}{steps}.getAttr(href){conditions}", row.path);
    let given = texts(tree, &rule)?;
    (given.len() == rows.len() && given.iter().any(|text| !text.is_empty())).then_some(rule)
}
