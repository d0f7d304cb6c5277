//! Which rules find the records of this page? Proposed from the structure that repeats ([`repeat`](super::repeat)).
//!
//! Where the rows are is said as steadily as the page allows: by the `id` or class of what holds them, else from an element with an `id`
//! above, else by counting tables, else step by step from `body`. Rows are told from other children by a class they share or by their number
//! of cells. Their pieces are the elements that hold text, told by class or by place; those that are the same in every row
//! (labels, buttons) are left out. Names come from headings of a table, `dt`, `itemprop`, "Label: value", classes.
//!
//! Each rule is tried before it is given: it parses, and gives exactly the texts of these rows. Cost: linear in the rows, plus
//! what the rules cost. Not guaranteed: that another page of the site has the same structure.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use groma_hel::{Bounds, Node, Rule, Tree, Value, clean};

use super::repeat::{Group, groups, rows_of, telling};

/// Attributes of a proposal.
const ATTRIBUTES: usize = 24;

/// Pieces of a row, and how deep they are looked for.
const PIECES: usize = 40;
const DEPTH: usize = 8;

/// Rules for the records of a page: attributes, and the text of their rules. `other` is an answer to another question, best one
/// without results. Nothing if no structure repeats.
pub fn propose(tree: &Tree, other: Option<&Tree>) -> Option<Vec<(String, String)>> {
    let found = groups(tree, other);
    found.iter().filter(|group| !are_choices(tree, &group.rows)).find_map(|group| {
        let places = places(tree, group.parent);
        places.iter().find_map(|place| rules(tree, group, place))
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

/// How to get to a node: steps, and conditions on them.
#[derive(Clone, Debug)]
struct Place {
    path: String,
    conditions: Vec<String>,
}

impl Place {
    fn at(path: String) -> Place {
        Place { path, conditions: Vec::new() }
    }
}

fn quoted(text: &str) -> Option<String> {
    let is_plain = clean(text) == text && !text.is_empty() && text.len() < 120;
    is_plain.then(|| format!("'{}'", text.replace('\'', "''")))
}

/// Ways to say where a node is, the steadiest first.
fn places(tree: &Tree, node: Node) -> Vec<Place> {
    let name = tree.name(node);
    if name == "body" {
        return vec![Place::at("html.body".to_owned())];
    }
    let mut places = Vec::new();
    for attribute in ["id", "class"] {
        if let Some(place) = named(tree, node, attribute) {
            places.push(place);
        }
    }
    let above = tree.ancestors(node).take(16).find(|above| tree.attribute(*above, "id").is_some());
    if let Some(above) = above.filter(|above| tree.name(*above) != "body")
        && let (Some(place), Some(steps)) = (named(tree, above, "id"), steps(tree, above, node))
    {
        places.push(Place { path: format!("{}{steps}", place.path), conditions: place.conditions });
    }
    let body = tree.label_of("body").and_then(|label| tree.nodes(label).first().copied());
    if let Some(body) = body.filter(|body| tree.holds(*body, node)) {
        if name == "table"
            && let Some(label) = tree.label_of("table")
        {
            let nth = tree.flow(body, label).partition_point(|table| *table < node);
            places.push(Place::at(format!("html.body->table[{nth}]")));
        }
        if let Some(steps) = steps(tree, body, node) {
            places.push(Place::at(format!("html.body{steps}")));
        }
    }
    places
}

/// By an attribute, if it is the first of its name that has this value.
fn named(tree: &Tree, node: Node, attribute: &str) -> Option<Place> {
    let value = tree.attribute(node, attribute)?;
    let name = tree.name(node);
    let mut alike =
        tree.nodes(tree.label(node)).iter().filter(|other| tree.attribute(**other, attribute) == Some(value));
    if alike.next() != Some(&node) {
        return None;
    }
    let path = format!("html->{name}[c]");
    let condition = format!("{path}.getAttr({attribute}) = {}", quoted(value)?);
    Some(Place { path, conditions: vec![condition] })
}

/// Child steps from one node to another below it.
fn steps(tree: &Tree, from: Node, to: Node) -> Option<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut at = to;
    while at != from {
        let mut parent = tree.parent(at)?;
        if tree.name(at) == "tr" && matches!(tree.name(parent), "tbody" | "thead" | "tfoot") && parent != from {
            parent = tree.parent(parent).filter(|above| tree.name(*above) == "table").unwrap_or(parent);
        }
        let same = rows_of(tree, parent).into_iter().filter(|child| tree.label(*child) == tree.label(at));
        let nth = same.take_while(|child| *child != at).count();
        steps.push(format!(".{}[{nth}]", tree.name(at)));
        if steps.len() > 16 {
            return None;
        }
        at = parent;
    }
    steps.reverse();
    Some(steps.concat())
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
        let is_cell = path.last().is_some_and(|step| step.label == "td");
        if (constants.contains(path) && !is_cell) || expected.iter().all(String::is_empty) {
            continue;
        }
        let labelled = labelled(&expected);
        let operation = labelled.as_ref().map(|label| format!(", match /^{}\\s*:\\s*(.*)$/", escaped(label)));
        let rule = rule(&row, path, "txt", operation.as_deref().unwrap_or_default());
        let given = texts(tree, &rule);
        let expected: Vec<String> = match &labelled {
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
    if let Some(rule) = link(tree, &group.rows, &row) {
        rules.push((unique("link", &mut names), rule));
    }
    Some(rules)
}

/// The place of the rows: those of the group and no others.
fn row(tree: &Tree, group: &Group, place: &Place) -> Option<Place> {
    let label = tree.name(*group.rows.first()?);
    let path = format!("{}.{label}[r:*]", place.path);
    let tested = format!("{}.{label}[r]", place.path);
    let mut tries: Vec<Option<String>> = Vec::new();
    let common = group.rows.iter().map(|row| telling(tree, *row).collect::<BTreeSet<&str>>());
    let common = common.reduce(|a, b| a.intersection(&b).copied().collect()).unwrap_or_default();
    for class in common {
        tries.push(Some(format!("{tested}.getAttr(class) =~ /(^|\\s){}(\\s|$)/", escaped(class))));
    }
    if group.rows.len() == group.siblings.len() {
        tries.push(None);
    }
    if label == "tr" {
        let cells = tree.children(*group.rows.first()?).filter(|child| tree.name(*child) == "td").count();
        tries.push(Some(format!("{tested}.numberOf(td) = {cells}")));
    }
    let expected: Vec<String> = group.rows.iter().map(|row| tree.txt(*row, 1 << 20).unwrap_or_default()).collect();
    tries.into_iter().take(8).find_map(|condition| {
        let conditions: Vec<String> = place.conditions.iter().cloned().chain(condition).collect();
        let place = Place { path: path.clone(), conditions };
        (texts(tree, &rule(&place, &[], "txt", "")).as_ref() == Some(&expected)).then_some(place)
    })
}

/// A step from a row to a piece of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Step {
    label: String,
    /// The class that tells it from others, if one does.
    class: Option<String>,
    nth: usize,
}

type Pieces = Vec<(Vec<Step>, Vec<Node>)>;

fn rule(row: &Place, steps: &[Step], property: &str, operation: &str) -> String {
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
    let conditions = if conditions.is_empty() { String::new() } else { format!(" WHERE {}", conditions.join(" AND ")) };
    format!("{path}.{property}{operation}{conditions}")
}

/// The pieces of all rows by their steps, in order of first sight; those that few rows have are left out.
fn pieces(tree: &Tree, rows: &[Node]) -> Pieces {
    // Which classes are worth telling pieces by.
    let mut classes: HashMap<(String, String), usize> = HashMap::new();
    for row in rows {
        let mut own: HashSet<(String, String)> = HashSet::new();
        for node in (row + 1..tree.end(*row)).take(400) {
            if let Some(class) = tree.attribute(node, "class") {
                own.insert((tree.name(node).to_owned(), class.to_owned()));
            }
        }
        own.into_iter().for_each(|key| *classes.entry(key).or_default() += 1);
    }
    let often = |count: usize| count >= 2 && count * 10 >= rows.len() * 3;
    classes.retain(|_, count| often(*count));
    let mut found: BTreeMap<Vec<Step>, (usize, Vec<Node>)> = BTreeMap::new();
    for row in rows {
        for (path, node) in leaves(tree, *row, &classes, 0).into_iter().take(PIECES) {
            let order = found.len();
            found.entry(path).or_insert((order, Vec::new())).1.push(node);
        }
    }
    // A piece and a piece of that piece say the same twice; the larger number of rows decides in `often`.
    let mut pieces: Vec<(usize, Vec<Step>, Vec<Node>)> =
        found.into_iter().map(|(path, (order, nodes))| (order, path, nodes)).collect();
    pieces.retain(|(_, _, nodes)| often(nodes.len()));
    pieces.sort_by_key(|(order, ..)| *order);
    pieces.into_iter().map(|(_, path, nodes)| (path, nodes)).collect()
}

/// Elements that hold the text of a node: itself if text stands in it directly, or if only one below does.
fn leaves(tree: &Tree, node: Node, classes: &HashMap<(String, String), usize>, depth: usize) -> Vec<(Vec<Step>, Node)> {
    let own = vec![(Vec::new(), node)];
    let children: Vec<Node> = tree.children(node).take(PIECES * 4).collect();
    if depth >= DEPTH || children.iter().any(|child| tree.is_text(*child)) {
        return own;
    }
    let mut found: Vec<(Vec<Step>, Node)> = Vec::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for child in &children {
        let label = tree.name(*child);
        let nth = *counts.entry(label).and_modify(|count| *count += 1).or_insert(0);
        let has_text = (*child..tree.end(*child)).take(400).any(|at| tree.is_text(at));
        if !has_text || matches!(label, "script" | "style" | "select" | "button" | "textarea" | "noscript") {
            continue;
        }
        let class = tree.attribute(*child, "class").filter(|class| {
            let known = classes.contains_key(&(label.to_owned(), (*class).to_owned())) && quoted(class).is_some();
            let same = children
                .iter()
                .filter(|other| tree.name(**other) == label && tree.attribute(**other, "class") == Some(class));
            known && same.count() == 1
        });
        let nth = if class.is_some() { 0 } else { nth };
        let step = Step { label: label.to_owned(), class: class.map(str::to_owned), nth };
        for (mut path, leaf) in leaves(tree, *child, classes, depth + 1) {
            path.insert(0, step.clone());
            found.push((path, leaf));
        }
        if found.len() > PIECES {
            break;
        }
    }
    match found.as_slice() {
        [] => Vec::new(),
        // Only one: the same text, with fewer steps. A class is kept, for it tells more.
        [(path, _)] if path.iter().all(|step| step.class.is_none()) => own,
        _ => found,
    }
}

/// The texts of a piece row by row, empty where it is missing.
fn by_row(tree: &Tree, rows: &[Node], nodes: &[Node]) -> Vec<String> {
    let mut nodes = nodes.iter().peekable();
    let mut texts = Vec::with_capacity(rows.len());
    for row in rows {
        let here = nodes.next_if(|node| *node == row || tree.holds(*row, **node));
        texts.push(here.and_then(|node| tree.txt(*node, 1 << 20)).unwrap_or_default());
    }
    texts
}

/// Pieces with the same text in every row that has them.
fn constants(tree: &Tree, pieces: &Pieces, rows: usize) -> HashSet<Vec<Step>> {
    let mut found = HashSet::new();
    for (path, nodes) in pieces.iter().filter(|_| rows > 1) {
        let mut texts = nodes.iter().map(|node| tree.txt(*node, 1 << 20).unwrap_or_default());
        let first = texts.next().unwrap_or_default();
        if nodes.len() > 1 && texts.all(|text| text == first) {
            found.insert(path.clone());
        }
    }
    found
}

/// The label, if every text is `Label: value` with the same one.
fn labelled(texts: &[String]) -> Option<String> {
    let full: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
    let (label, _) = full.first()?.split_once(':')?;
    let label = label.trim();
    let fits = |text: &&&String| {
        // `http://...` is an address, not a value of `http`.
        text.split_once(':')
            .is_some_and(|(own, value)| own.trim() == label && !value.trim().is_empty() && !value.starts_with("//"))
    };
    let is_word =
        (1..=40).contains(&label.len()) && label.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '_'));
    (is_word && full.len() > 1 && full.iter().all(|text| fits(&text))).then(|| label.to_owned())
}

fn after_label(text: &str, label: &str) -> String {
    let value = text.split_once(':').filter(|(own, _)| own.trim() == label).map(|(_, value)| value.trim_start());
    value.unwrap_or_default().to_owned()
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

/// What people would call a piece.
fn name(tree: &Tree, group: &Group, path: &[Step], nodes: &[Node], pieces: &Pieces) -> String {
    let Some(first) = nodes.first().copied() else { return String::new() };
    if let Some(heading) = heading(tree, group, first) {
        return heading;
    }
    let said = ["itemprop", "data-label", "data-title", "data-th"].iter().find_map(|name| tree.attribute(first, name));
    if let Some(said) = said.map(clean).filter(|said| !said.is_empty()) {
        return said;
    }
    // A dd is called what the dt before it says.
    let terms = pieces.iter().filter(|(_, nodes)| nodes.first().is_some_and(|node| tree.name(*node) == "dt"));
    let term = terms.filter_map(|(_, nodes)| nodes.first()).filter(|node| **node < first).max();
    if tree.name(first) == "dd"
        && let Some(term) = term
    {
        return tree.txt(*term, 200).unwrap_or_default();
    }
    if let Some(class) = path.iter().rev().find_map(|step| step.class.as_deref()) {
        return class.split_ascii_whitespace().next_back().unwrap_or_default().to_owned();
    }
    match tree.name(first) {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "a" | "b" | "strong" => "title".to_owned(),
        _ => String::new(),
    }
}

/// The heading of the column that a cell stands in.
fn heading(tree: &Tree, group: &Group, piece: Node) -> Option<String> {
    let row = *group.rows.get(group.rows.partition_point(|row| *row <= piece).checked_sub(1)?)?;
    if tree.name(row) != "tr" {
        return None;
    }
    let cells = |row: Node| tree.children(row).filter(|child| matches!(tree.name(*child), "td" | "th"));
    let span = |cell: Node| {
        tree.attribute(cell, "colspan").and_then(|span| span.trim().parse().ok()).unwrap_or(1usize).clamp(1, 100)
    };
    let mut column = 0;
    for cell in cells(row) {
        if cell == piece || tree.holds(cell, piece) {
            break;
        }
        column += span(cell);
    }
    let is_head =
        |other: &&Node| **other < row && tree.children(**other).filter(|child| tree.name(*child) == "th").count() > 0;
    let head = group.siblings.iter().filter(|other| group.rows.binary_search(other).is_err()).rev().find(is_head)?;
    let mut at = 0;
    for cell in cells(*head) {
        at += span(cell);
        if column < at {
            return tree.txt(cell, 200).filter(|text| !text.is_empty());
        }
    }
    None
}

/// A name that fits into a tag and that no other attribute has.
fn unique(name: &str, names: &mut HashSet<String>) -> String {
    let plain: String =
        name.trim().chars().take(40).map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let plain = plain.trim_matches('_').to_owned();
    let plain = if plain.is_empty() { format!("value{}", names.len() + 1) } else { plain };
    let mut own = plain.clone();
    let mut nth = 2;
    while !names.insert(own.clone()) {
        own = format!("{plain}{nth}");
        nth += 1;
    }
    own
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
