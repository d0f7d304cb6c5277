//! Which structure repeats? Rows of a table, items of a list, blocks of one kind beside each other.
//!
//! ```text
//! group(parent, label, class) = children of one parent with the same name and first class (rows: the same number of cells)
//! score(group) = new rows * pieces per row * min(letters per row, 200)
//! ```
//!
//! New rows are those whose text does not stand in the other page: menus stand in both. Rows of a group have to be alike: on average the
//! names of the elements in two neighbors have to overlap by [`ALIKE`] (Jaccard). Groups in `nav`, `header`, `footer` and fields are
//! passed over; what leads through a site, facets, and rows of which one alone holds a larger list count less. Rows that are no
//! records (counters, headings) are taken out first ([`outsiders`](super::outsiders)). Cost: bounded by [`WORK`] nodes looked at. Not guaranteed: where another structure is larger than
//! that of the records, it is taken; people confirm the proposal.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use groma_hel::{Node, Tree};

use super::outsiders::without_outsiders;

/// Nodes that are looked at.
const WORK: usize = 8_000_000;

/// How much neighbors have in common, at least.
const ALIKE: f64 = 0.4;

/// Rows of a group that are looked at closely.
const ROWS: usize = 2_000;

/// Groups that are worth a closer look.
const GROUPS: usize = 12;

/// Rows that look like records.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// What holds them; for rows of a table the table itself.
    pub(super) parent: Node,
    /// Children with the same name, whether of the group or not.
    pub(super) siblings: Vec<Node>,
    /// Those of the group.
    pub(super) rows: Vec<Node>,
    /// A row of headings that is built like the others.
    pub(super) heading: Option<Node>,
    /// Its rows stand in several containers beside each other.
    pub(super) is_scattered: bool,
    pub(super) score: f64,
}

/// The groups of a page that may be records, the best first.
pub(super) fn groups(tree: &Tree, other: Option<&Tree>) -> Vec<Group> {
    let known = other.map(texts).unwrap_or_default();
    let mut work = 0;
    let mut found: Vec<Group> = Vec::new();
    for parent in 1..tree.len() as Node {
        if work > WORK {
            break;
        }
        if tree.is_text(parent)
            || matches!(tree.name(parent), "tbody" | "thead" | "tfoot" | "tr" | "select" | "html" | "head")
        {
            continue;
        }
        let children = rows_of(tree, parent);
        work += children.len();
        if children.len() < 2 || is_passed_over(tree, parent) {
            continue;
        }
        let mut by_label: BTreeMap<&str, Vec<Node>> = BTreeMap::new();
        for child in children.into_iter().filter(|child| !tree.is_text(*child)) {
            by_label.entry(tree.name(child)).or_default().push(child);
        }
        for (label, siblings) in by_label {
            if matches!(
                label,
                "br" | "hr"
                    | "script"
                    | "style"
                    | "option"
                    | "input"
                    | "link"
                    | "meta"
                    | "img"
                    | "td"
                    | "th"
                    | "dt"
                    | "dd"
                    | "col"
            ) {
                continue;
            }
            let mut by_kind: BTreeMap<String, Vec<Node>> = BTreeMap::new();
            for node in &siblings {
                by_kind.entry(kind(tree, *node)).or_default().push(*node);
            }
            for (kind, rows) in by_kind {
                if rows.len() < 2 || (label == "tr" && kind == "0") {
                    continue;
                }
                work += rows.iter().map(|row| (tree.end(*row) - row) as usize).sum::<usize>();
                if work > WORK {
                    break;
                }
                let kept = without_outsiders(tree, &rows);
                if let Some(score) = score(tree, &kept.rows, &known, &mut work) {
                    let (rows, heading) = (kept.rows, kept.heading);
                    found.push(Group { parent, siblings: siblings.clone(), rows, heading, is_scattered: false, score });
                }
            }
        }
    }
    found.extend(scattered(tree, &found, &known, &mut work));
    discount(tree, &mut found);
    let order = |group: &Group| (group.is_scattered, group.parent);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(order(a).cmp(&order(b))));
    found.truncate(GROUPS);
    found
}

/// Groups whose rows stand in several containers of one kind beside each other: grids, three records to a line.
fn scattered(tree: &Tree, found: &[Group], known: &HashSet<u64>, work: &mut usize) -> Vec<Group> {
    let mut lines: BTreeMap<(Node, String, String, String), Vec<Node>> = BTreeMap::new();
    for group in found.iter().take(2_000) {
        let (Some(above), Some(row)) = (tree.parent(group.parent), group.rows.first()) else { continue };
        let class = kind(tree, *row);
        if tree.name(*row) != "tr" && !class.is_empty() {
            let line = format!("{} {}", tree.name(group.parent), kind(tree, group.parent));
            lines.entry((above, line, tree.name(*row).to_owned(), class)).or_default().push(group.parent);
        }
    }
    let mut all = Vec::new();
    for ((above, line, label, class), parents) in lines.into_iter().filter(|(_, parents)| parents.len() > 1) {
        let is_line = |node: &Node| format!("{} {}", tree.name(*node), kind(tree, *node)) == line;
        // The last line may have one record only.
        let of_line = tree.children(above).filter(is_line).flat_map(|parent| tree.children(parent));
        let rows: Vec<Node> = of_line.filter(|row| tree.name(*row) == label && kind(tree, *row) == class).collect();
        let Some(parent) = parents.first().copied() else { continue };
        if let Some(score) = score(tree, &rows, known, work) {
            all.push(Group { parent, siblings: rows.clone(), rows, heading: None, is_scattered: true, score });
        }
    }
    all
}

/// Words of the names of what leads through a site and filters a list.
const LEADING: [&str; 16] = [
    "menu",
    "nav",
    "navbar",
    "breadcrumb",
    "breadcrumbs",
    "pagination",
    "pager",
    "paging",
    "facet",
    "facets",
    "filter",
    "filters",
    "sidebar",
    "footer",
    "toolbar",
    "tabs",
];

/// Groups that are hardly records count less: what leads through the site, facets, and what holds a larger list in a single row.
fn discount(tree: &Tree, found: &mut [Group]) {
    let is_leading = |node: Node| {
        ["class", "id", "role"].iter().filter_map(|name| tree.attribute(node, name)).any(|said| {
            let said = said.to_ascii_lowercase();
            let mut words = said.split(|c: char| !c.is_ascii_alphanumeric()).take(32);
            words.any(|word| LEADING.contains(&word) || word == "navigation")
        })
    };
    let spans: Vec<(Node, usize)> = found.iter().map(|group| (group.parent, group.rows.len())).collect();
    let tables: Vec<(Node, usize, usize)> =
        found.iter().take(500).map(|group| (group.parent, group.rows.len(), cells(tree, group))).collect();
    for group in found.iter_mut() {
        let above = tree.ancestors(group.parent).take_while(|above| !matches!(tree.name(*above), "body" | "main"));
        if std::iter::once(group.parent).chain(above.take(4)).any(is_leading) {
            group.score *= 0.1;
        }
        if are_facets(tree, &group.rows) {
            group.score *= 0.1;
        }
        // Of two rows for each record the one with more cells says what it is, however long the other is.
        let cells = cells(tree, group);
        if cells > 0
            && tables
                .iter()
                .any(|(parent, rows, more)| *parent == group.parent && *rows == group.rows.len() && *more > cells)
        {
            group.score *= 0.05;
        }
        // In which row each other list stands: one alone holds the records.
        let mut lists: BTreeMap<Node, usize> = BTreeMap::new();
        for (parent, rows) in spans.iter().take(500) {
            let at = group.rows.partition_point(|row| row <= parent);
            if let Some(row) = at.checked_sub(1).map(|at| group.rows[at]).filter(|row| *parent < tree.end(*row)) {
                let most = lists.entry(row).or_default();
                *most = (*most).max(*rows);
            }
        }
        let large = lists.values().filter(|rows| **rows > group.rows.len().max(2)).count();
        if large > 0 && large * 2 <= group.rows.len() {
            group.score *= 0.05;
        }
    }
}

/// Cells of a row, if it is one of a table.
fn cells(tree: &Tree, group: &Group) -> usize {
    let row = group.rows.first().filter(|row| tree.name(**row) == "tr");
    row.map_or(0, |row| tree.children(*row).filter(|child| tree.name(*child) == "td").count())
}

/// Are most rows a link of few words with a number behind it, or a number alone?
fn are_facets(tree: &Tree, rows: &[Node]) -> bool {
    let is_facet = |row: &&Node| {
        let text = tree.txt(**row, 200).unwrap_or_default();
        let words = text.split_whitespace().count();
        let last = text.trim_end_matches([')', ']']).chars().next_back();
        let links = (**row..tree.end(**row)).take(20).filter(|at| tree.name(*at) == "a").count();
        words <= 4
            && links == 1
            && last.is_some_and(|c| c.is_ascii_digit())
            && (text.ends_with([')', ']']) || words == 1)
    };
    rows.iter().filter(is_facet).count() * 10 > rows.len() * 6
}

/// Children; of a table its rows, sections aside.
pub(super) fn rows_of(tree: &Tree, parent: Node) -> Vec<Node> {
    let mut children: Vec<Node> = Vec::new();
    for child in tree.children(parent) {
        if tree.name(parent) == "table" && matches!(tree.name(child), "thead" | "tbody" | "tfoot") {
            children.extend(tree.children(child));
        } else {
            children.push(child);
        }
    }
    children
}

fn is_passed_over(tree: &Tree, node: Node) -> bool {
    let own = std::iter::once(node).chain(tree.ancestors(node));
    own.take(512).any(|above| matches!(tree.name(above), "nav" | "footer" | "select" | "svg" | "menu"))
}

/// What rows of one kind have in common: cells, or the first class.
fn kind(tree: &Tree, node: Node) -> String {
    if tree.name(node) == "tr" {
        return tree.children(node).filter(|child| tree.name(*child) == "td").count().to_string();
    }
    telling(tree, node).next().unwrap_or_default().to_owned()
}

/// The classes of an element but for those that only say which row it is.
pub(super) fn telling(tree: &Tree, node: Node) -> impl Iterator<Item = &str> {
    let classes = tree.attribute(node, "class").unwrap_or_default().split_ascii_whitespace().take(16);
    classes.filter(|class| {
        let counts = class.chars().any(|c| c.is_ascii_digit());
        !counts && !matches!(*class, "odd" | "even" | "alt" | "first" | "last" | "active" | "selected" | "highlight")
    })
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The texts of the elements of a page, up to a size, as hashes.
fn texts(tree: &Tree) -> HashSet<u64> {
    let mut known = HashSet::new();
    let mut work = 0usize;
    for node in 1..tree.len() as Node {
        let size = (tree.end(node) - node) as usize;
        // What is large is no row, and would make this quadratic.
        if size > 400 || tree.is_text(node) || work > WORK {
            continue;
        }
        work += size;
        if let Some(text) = tree.txt(node, 4_000).filter(|text| !text.is_empty()) {
            known.insert(hash(&text));
        }
    }
    known
}

fn names(tree: &Tree, row: Node) -> HashSet<&str> {
    (row + 1..tree.end(row)).take(200).map(|node| if tree.is_text(node) { "#" } else { tree.name(node) }).collect()
}

fn score(tree: &Tree, rows: &[Node], known: &HashSet<u64>, work: &mut usize) -> Option<f64> {
    let (mut new, mut letters, mut pieces, mut alike) = (0usize, 0usize, 0usize, 0.0);
    let mut last: Option<HashSet<&str>> = None;
    let looked: Vec<Node> = rows.iter().copied().take(ROWS).collect();
    let mut seen = HashSet::new();
    for row in &looked {
        *work += (tree.end(*row) - row) as usize;
        if *work > WORK {
            return None;
        }
        let text = tree.txt(*row, 20_000)?;
        if !text.is_empty() && !known.contains(&hash(&text)) && seen.insert(hash(&text)) {
            new += 1;
        }
        letters += text.len().min(400);
        pieces += (*row..tree.end(*row)).take(400).filter(|node| tree.is_text(*node)).count().min(12);
        let own = names(tree, *row);
        if let Some(last) = &last {
            let common = own.intersection(last).count() as f64;
            let all = own.union(last).count().max(1) as f64;
            alike += if own.is_empty() && last.is_empty() { 1.0 } else { common / all };
        }
        last = Some(own);
    }
    let count = looked.len() as f64;
    if new < 2 || alike / (count - 1.0).max(1.0) < ALIKE {
        return None;
    }
    let per_row = (letters as f64 / count).min(200.0);
    Some(new as f64 * (pieces as f64 / count).max(1.0) * per_row)
}
