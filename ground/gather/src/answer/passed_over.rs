//! Which rows of a page look like records and were not read? A row with a cell less, a cell that spans several, a second table.
//!
//! ```text
//! beside    of the parents of records: children with the name of a record and without a class, that have a text and are neither a
//!           heading nor a counter nor a pager (see `outsiders`)
//! further   of other tables: rows with as many cells as a record
//! ```
//!
//! Where a total says how many records there are, it decides whether these are some; where none does, nobody knows. Records that are told
//! by a class have no such neighbors. Cost: linear in the tables of the page. Not guaranteed: a second list that is no table is not seen.

use std::collections::BTreeSet;

use groma_hel::{Node, Tree};

use super::outsiders::without_outsiders;
use super::repeat::{rows_of, telling};

/// How many rows were passed over; `rows` are the nodes of the records, in order.
pub(super) fn passed_over(tree: &Tree, rows: &[Node]) -> u64 {
    let Some(first) = rows.first() else { return 0 };
    let label = tree.name(*first);
    let is_row = |node: &Node| rows.binary_search(node).is_ok();
    let has_text = |node: &Node| tree.txt(*node, 200).is_some_and(|text| text.contains(char::is_alphanumeric));
    let mut parents: BTreeSet<Node> = BTreeSet::new();
    for row in rows {
        let mut above = tree.ancestors(*row);
        let parent = above.find(|above| !matches!(tree.name(*above), "thead" | "tbody" | "tfoot"));
        parents.extend(parent);
    }
    let is_classed = rows.iter().take(50).any(|row| telling(tree, *row).next().is_some());
    let mut passed = 0;
    for parent in parents.iter().filter(|_| !is_classed) {
        let same = |node: &Node| tree.name(*node) == label && telling(tree, *node).next().is_none();
        let all: Vec<Node> = rows_of(tree, *parent).into_iter().filter(same).collect();
        let kept = without_outsiders(tree, &all).rows;
        passed += kept.iter().filter(|node| !is_row(node) && has_text(node)).count();
    }
    if label == "tr" {
        passed += further(tree, rows, &parents).filter(has_text).count();
    }
    passed as u64
}

/// Rows of tables beside those of the records, with as many cells.
fn further<'t>(tree: &'t Tree, rows: &'t [Node], parents: &'t BTreeSet<Node>) -> impl Iterator<Item = Node> + 't {
    let cells = |row: Node| tree.children(row).filter(|child| tree.name(*child) == "td").count();
    let wanted = rows.first().map_or(0, |row| cells(*row));
    let all = tree.label_of("table").map_or(&[][..], |label| tree.nodes(label));
    let is_apart = move |table: &&Node| {
        let holds = |one: Node, other: Node| one <= other && other < tree.end(one);
        // Only the nearest on either side can hold it or lie within it, besides those around.
        let inside = parents.range(**table..tree.end(**table)).next().is_some();
        let around = parents.range(..=**table).next_back().is_some_and(|parent| holds(*parent, **table));
        !inside && !around
    };
    let rows_within = move |table: &'t Node| rows_of(tree, *table).into_iter().filter(|row| tree.name(*row) == "tr");
    all.iter().filter(is_apart).flat_map(rows_within).filter(move |row| wanted > 1 && cells(*row) == wanted)
}

#[cfg(test)]
mod tests {
    use groma_hel::Bounds;

    use super::*;

    fn passed(html: &str, is_record: impl Fn(&str) -> bool) -> u64 {
        let tree = Tree::parse(html, &Bounds::default());
        let text = |node: &Node| tree.txt(*node, 1000).unwrap_or_default();
        let all = |name| tree.label_of(name).map_or(&[][..], |label| tree.nodes(label));
        let rows: Vec<Node> =
            [all("tr"), all("li")].concat().into_iter().filter(|node| is_record(&text(node))).collect();
        passed_over(&tree, &rows)
    }

    #[test]
    fn rows_with_other_cells_and_other_tables_are_noticed() {
        let rows = "<tr><th>Name<th>Place<tr><td>A<td>Binz<tr><td>B<td>Sellin<tr><td>C<td>Baabe";
        let is_record = |text: &str| ["A ", "B ", "C "].iter().any(|own| text.starts_with(own));
        assert_eq!(passed(&format!("<table>{rows}</table>"), is_record), 0);
        assert_eq!(passed(&format!("<table>{rows}<tr><td colspan=2>D, Binz</table>"), is_record), 1);
        assert_eq!(passed(&format!("<table>{rows}<tr><td>D</table>"), is_record), 1);
        let second = "<h2>Past</h2><table><tr><td>E<td>Binz<tr><td>F<td>Binz</table>";
        assert_eq!(passed(&format!("<table>{rows}</table>{second}"), is_record), 2);
        // Counters and pagers are none, nor what stands around the list.
        let pager = "<tr><td colspan=2><a href=?p=1>1</a> <a href=?p=2>2</a> <a href=?p=3>next</a>";
        assert_eq!(passed(&format!("<table>{rows}{pager}</table>"), is_record), 0);
        assert_eq!(passed(&format!("<table><tr><td>x<td><table>{rows}</table></table>"), is_record), 0);
        let list = "<ul><li>A Binz<li>B Sellin<li>C Baabe</ul><ul class=menu><li>Home<li>Help</ul>";
        assert_eq!(passed(list, is_record), 0);
    }
}
