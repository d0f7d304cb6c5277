//! Which rows beside records are none? Counters, pagers, headings in cells, and rows built unlike all others.
//!
//! ```text
//! counter   its text counts the list: "1 to 10 of 243", "page 2 of 7"
//! pager     its words are numbers and words for further pages, and it has a link
//! heading   the first row, if all its cells are bold or th, and the cells of the others are not
//! unlike    of the elements that at least half of the rows have, it has at most a third
//! ```
//!
//! A rule tells records from them by what all records have and no outsider has ([`telling_apart`]). Cost: linear in the rows.

use std::collections::{BTreeMap, HashSet};

use groma_hel::{Node, Tree};

use super::total::speaks_of_list;

/// Bytes of the text of a counter.
const COUNTER: usize = 160;

/// Nodes of a row that are looked at.
const NODES: usize = 200;

/// Words of pagers, in lower case.
const PAGER: [&str; 36] = [
    "next",
    "previous",
    "prev",
    "first",
    "last",
    "page",
    "pages",
    "weiter",
    "zurück",
    "seite",
    "seiten",
    "vor",
    "erste",
    "letzte",
    "suivant",
    "précédent",
    "suivante",
    "siguiente",
    "anterior",
    "página",
    "successivo",
    "precedente",
    "pagina",
    "volgende",
    "vorige",
    "następna",
    "poprzednia",
    "strona",
    "další",
    "předchozí",
    "далее",
    "назад",
    "of",
    "von",
    "sur",
    "de",
];

/// Rows that are records, and a row of headings.
pub(super) struct Kept {
    pub(super) rows: Vec<Node>,
    pub(super) heading: Option<Node>,
}

/// The rows without those that are no records.
pub(super) fn without_outsiders(tree: &Tree, rows: &[Node]) -> Kept {
    let heading = rows.first().copied().filter(|_| rows.len() > 2 && is_heading(tree, rows));
    let common = common(tree, rows);
    let is_record = |row: &Node| {
        let text = tree.txt(*row, 20_000).unwrap_or_default();
        let is_counter = text.len() <= COUNTER && speaks_of_list(&text);
        Some(*row) != heading && !is_counter && !is_pager(tree, *row, &text) && !is_unlike(tree, *row, &common)
    };
    let kept: Vec<Node> = rows.iter().copied().filter(is_record).collect();
    // Where most would go, they are what this list is made of.
    if kept.len() * 2 < rows.len() { Kept { rows: rows.to_vec(), heading: None } } else { Kept { rows: kept, heading } }
}

fn is_pager(tree: &Tree, row: Node, text: &str) -> bool {
    let has_link = (row..tree.end(row)).take(NODES).any(|at| matches!(tree.name(at), "a" | "button" | "input"));
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.len() <= 5 && word.chars().all(|c| c.is_ascii_digit());
    let pages = words.iter().filter(|word| is_number(word)).count();
    let said = words.iter().filter(|word| PAGER.contains(word)).count();
    has_link && !text.is_empty() && pages + said == words.len() && (said > 0 || pages > 1 || words.is_empty())
}

/// Are these the links of a pager: numbers, words for further pages, and nothing else?
pub(super) fn are_pages(tree: &Tree, rows: &[Node]) -> bool {
    let is_page = |row: &Node| {
        // What is longer is no number.
        let Some(text) = tree.txt(*row, COUNTER) else { return false };
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let is_number = |word: &&&str| word.len() <= 5 && word.chars().all(|c| c.is_ascii_digit());
        let numbers = words.iter().filter(is_number).count();
        let leads = (*row..tree.end(*row)).take(NODES).any(|at| matches!(tree.name(at), "a" | "button" | "input"));
        leads && numbers <= 1 && numbers + words.iter().filter(|word| PAGER.contains(word)).count() == words.len()
    };
    rows.iter().all(is_page)
}

/// Are all cells of the first row bold, and those of the others not?
fn is_heading(tree: &Tree, rows: &[Node]) -> bool {
    let is_bold = |cell: Node| {
        let mut texts = (cell..tree.end(cell)).take(NODES).filter(|at| tree.is_text(*at)).peekable();
        let bold = |text: Node| {
            let within = tree.ancestors(text).take_while(|above| *above >= cell);
            within.take(8).any(|above| matches!(tree.name(above), "b" | "strong" | "th" | "u"))
        };
        texts.peek().is_none() || texts.all(bold)
    };
    let is_all_bold = |row: Node| {
        let mut cells = tree.children(row).filter(|child| matches!(tree.name(*child), "td" | "th")).peekable();
        cells.peek().is_some() && cells.all(is_bold)
    };
    let has_text = |row: Node| tree.txt(row, 2_000).is_some_and(|text| text.contains(char::is_alphabetic));
    match rows {
        [first, others @ ..] if tree.name(*first) == "tr" => {
            let bold = others.iter().take(50).filter(|row| is_all_bold(**row)).count();
            has_text(*first) && is_all_bold(*first) && bold * 4 < others.len().min(50)
        }
        _ => false,
    }
}

/// The steps from a row to the elements in it, two deep.
fn builds(tree: &Tree, row: Node) -> HashSet<(&str, &str)> {
    let mut found = HashSet::new();
    for child in tree.children(row).take(NODES) {
        found.insert((tree.name(child), ""));
        found.extend(tree.children(child).take(NODES).map(|inner| (tree.name(child), tree.name(inner))));
    }
    found
}

/// What at least half of the rows have.
fn common<'t>(tree: &'t Tree, rows: &[Node]) -> HashSet<(&'t str, &'t str)> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in rows.iter().take(2_000) {
        builds(tree, *row).into_iter().for_each(|build| *counts.entry(build).or_default() += 1);
    }
    counts.into_iter().filter(|(_, count)| count * 2 >= rows.len().min(2_000)).map(|(build, _)| build).collect()
}

fn is_unlike(tree: &Tree, row: Node, common: &HashSet<(&str, &str)>) -> bool {
    let own = builds(tree, row);
    common.len() >= 3 && common.intersection(&own).count() * 3 <= common.len()
}

/// Conditions that hold for rows and not for the others of their siblings, the steadiest first.
pub(super) fn telling_apart(tree: &Tree, rows: &[Node], siblings: &[Node], tested: &str) -> Vec<String> {
    let others: Vec<Node> = siblings.iter().copied().filter(|node| rows.binary_search(node).is_err()).collect();
    let counts = |row: Node| {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        tree.children(row).take(NODES).filter(|child| !tree.is_text(*child)).for_each(|child| {
            *counts.entry(tree.name(child)).or_default() += 1;
        });
        counts
    };
    let of_rows: Vec<BTreeMap<&str, usize>> = rows.iter().take(2_000).map(|row| counts(*row)).collect();
    let of_others: Vec<BTreeMap<&str, usize>> = others.iter().take(2_000).map(|row| counts(*row)).collect();
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric());
    let names: Vec<&str> =
        of_rows.first().map(|first| first.keys().copied().filter(|name| is_name(name)).collect()).unwrap_or_default();
    let mut found = Vec::new();
    for name in &names {
        let least = of_rows.iter().map(|row| row.get(name).copied().unwrap_or(0)).min().unwrap_or(0);
        if least > 0 && of_others.iter().all(|other| other.get(name).copied().unwrap_or(0) < least) {
            found.push(format!("{tested}.numberOf({name}) >= {least}"));
        }
    }
    let common = rows.iter().map(|row| builds(tree, *row)).reduce(|a, b| a.intersection(&b).copied().collect());
    for (outer, inner) in common.unwrap_or_default() {
        let is_own = others.iter().all(|other| !builds(tree, *other).contains(&(outer, inner)));
        if is_own && !inner.is_empty() && is_name(inner) && is_name(outer) {
            found.push(format!("{tested}.{outer}[*].numberOf({inner}) >= 1"));
        }
    }
    found.sort();
    found.extend(by_text(tree, &others, tested));
    found
}

/// Not the texts of the outsiders, whatever numbers they have.
fn by_text(tree: &Tree, others: &[Node], tested: &str) -> Option<String> {
    let mut conditions = Vec::new();
    for other in others {
        let text = tree.txt(*other, COUNTER).filter(|text| !text.is_empty())?;
        let mut pattern = String::new();
        for c in text.chars() {
            match c {
                '0'..='9' if pattern.ends_with("[0-9.,]+") => {}
                '0'..='9' => pattern.push_str("[0-9.,]+"),
                ' ' => pattern.push_str("\\s+"),
                _ if c.is_alphanumeric() => pattern.push(c),
                '.' | ',' if pattern.ends_with("[0-9.,]+") => {}
                _ => pattern.push('.'),
            }
        }
        let condition = format!("{tested}.txt !~ /^{pattern}$/");
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    (1..=3).contains(&conditions.len()).then(|| conditions.join(" AND "))
}
