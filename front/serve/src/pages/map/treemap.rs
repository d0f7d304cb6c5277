//! How does a branch of the map fill a rectangle, so that each page below it has the same area?
//!
//! Squarified treemap (Bruls, Huizing, van Wijk, "Squarified Treemaps", 2000): children, the largest first, are put into rows along
//! the shorter side while that makes the worst of their aspect ratios better. Branches are opened by their area, the largest first,
//! until the number of cells is used up; what would be too small to be seen is joined into one cell that says how many pages it is.
//! Cost: O(n log n) in the children looked at. Not guaranteed: that siblings stand in the order of the tree.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use groma_graph::Tree;

/// A smaller cell cannot be pointed at.
const LEAST: f64 = 36.0;
/// A smaller branch is not opened.
const OPENED: f64 = 1_000.0;
/// However many branches there are, an opened one shows as many children, if it has them.
const FAMILY: usize = 24;
/// Room around the cells of an opened branch, and above them for its name.
const EDGE: f64 = 2.0;
const HEAD: f64 = 16.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

/// What a cell stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellContent {
    /// A place of the tree; its children are in it, or it has none.
    Place(u32),
    /// A place of the tree, opened: its children are cells of their own.
    Opened(u32),
    /// Children of a place that are too small to be shown: how many, and pages at and below them.
    Rest { parent: u32, children: u32, pages: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) content: CellContent,
    pub(super) area: Area,
}

/// A branch that may be opened: the larger its area, the sooner.
struct Branch {
    cell: usize,
    area: f64,
}

impl PartialEq for Branch {
    fn eq(&self, other: &Branch) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Branch {}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Branch) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Branch {
    fn cmp(&self, other: &Branch) -> Ordering {
        self.area.total_cmp(&other.area).then(other.cell.cmp(&self.cell))
    }
}

/// The cells of what is below `top`, at most about `most`; cells come after those they stand in.
pub(super) fn lay_out(tree: &Tree, sizes: &[u32], top: u32, whole: Area, most: usize) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut open = BinaryHeap::new();
    let budget = (most, whole.w * whole.h);
    fill(tree, sizes, top, whole, budget, &mut cells, &mut open);
    while let Some(branch) = open.pop() {
        if cells.len() >= most {
            break;
        }
        let CellContent::Place(place) = cells[branch.cell].content else { continue };
        let inside = inside(cells[branch.cell].area);
        let before = cells.len();
        fill(tree, sizes, place, inside, budget, &mut cells, &mut open);
        if cells.len() > before {
            cells[branch.cell].content = CellContent::Opened(place);
        }
    }
    cells
}

/// Puts the children of a place into a rectangle. The budget: cells at most, and the area of the whole.
fn fill(
    tree: &Tree,
    sizes: &[u32],
    place: u32,
    area: Area,
    (most, whole): (usize, f64),
    cells: &mut Vec<Cell>,
    open: &mut BinaryHeap<Branch>,
) {
    let mut children: Vec<u32> = tree.children(place).collect();
    let all: u64 = children.iter().map(|&child| u64::from(sizes[child as usize])).sum();
    if all == 0 || area.w <= 1.0 || area.h <= 1.0 {
        return;
    }
    children.sort_by_key(|&child| (std::cmp::Reverse(sizes[child as usize]), child));
    let scale = area.w * area.h / all as f64;
    // Others need cells too: each branch has its share of them, as of the area.
    let left = most.saturating_sub(cells.len()).max(1);
    let share = (most as f64 * area.w * area.h / whole) as usize;
    let room = share.max(FAMILY).min(left);
    let seen = |child: &&u32| f64::from(sizes[**child as usize]) * scale >= LEAST;
    let mut shown = children.iter().take_while(seen).count();
    if shown > room {
        shown = room;
    }
    if shown == 0 {
        return;
    }
    let rest = &children[shown..];
    let pages: u32 = rest.iter().map(|&child| sizes[child as usize]).sum();
    let mut parts: Vec<(CellContent, f64)> = children[..shown]
        .iter()
        .map(|&child| (CellContent::Place(child), f64::from(sizes[child as usize]) * scale))
        .collect();
    if !rest.is_empty() {
        parts.push((CellContent::Rest { parent: place, children: rest.len() as u32, pages }, f64::from(pages) * scale));
        // The rest may be more than each of them.
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    let first = cells.len();
    squarify(&parts, area, cells);
    for (at, cell) in cells.iter().enumerate().skip(first) {
        let size = cell.area.w * cell.area.h;
        if let CellContent::Place(child) = cell.content
            && !tree.children(child).is_empty()
            && size >= OPENED
            && inside(cell.area).h > 12.0
        {
            open.push(Branch { cell: at, area: size });
        }
    }
}

/// Where the cells of an opened branch stand: below its name, if there is room for one.
fn inside(area: Area) -> Area {
    let head = if has_head(area) { HEAD } else { EDGE };
    Area { x: area.x + EDGE, y: area.y + head, w: (area.w - 2.0 * EDGE).max(0.0), h: (area.h - head - EDGE).max(0.0) }
}

/// Is there room for the name of an opened branch?
pub(super) fn has_head(area: Area) -> bool {
    area.w >= 48.0 && area.h >= 40.0
}

/// Rows along the shorter side.
fn squarify(parts: &[(CellContent, f64)], mut free: Area, cells: &mut Vec<Cell>) {
    let mut at = 0;
    while at < parts.len() {
        let side = free.w.min(free.h);
        if side <= 0.0 {
            return;
        }
        let (mut end, mut sum, mut worst) = (at, 0.0, f64::INFINITY);
        while end < parts.len() {
            let next = sum + parts[end].1;
            let ratio = worst_ratio(parts[at].1, parts[end].1, next, side);
            if ratio > worst {
                break;
            }
            (sum, worst, end) = (next, ratio, end + 1);
        }
        let thick = sum / side;
        let mut along = 0.0;
        for (content, size) in &parts[at..end] {
            let long = size / thick;
            let area = if free.w >= free.h {
                Area { x: free.x, y: free.y + along, w: thick, h: long }
            } else {
                Area { x: free.x + along, y: free.y, w: long, h: thick }
            };
            cells.push(Cell { content: *content, area });
            along += long;
        }
        free = if free.w >= free.h {
            Area { x: free.x + thick, w: (free.w - thick).max(0.0), ..free }
        } else {
            Area { y: free.y + thick, h: (free.h - thick).max(0.0), ..free }
        };
        at = end;
    }
}

/// The worst aspect ratio of a row of this sum along this side, by its largest and smallest part.
fn worst_ratio(largest: f64, smallest: f64, sum: f64, side: f64) -> f64 {
    let (square, sums) = (side * side, sum * sum);
    (square * largest / sums).max(sums / (square * smallest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Area = Area { x: 0.0, y: 0.0, w: 600.0, h: 400.0 };

    fn flat(families: &[u32]) -> Tree {
        let mut parents = vec![0];
        parents.extend(families.iter().map(|_| 0));
        for (at, size) in families.iter().enumerate() {
            parents.extend(std::iter::repeat_n(at as u32 + 1, *size as usize));
        }
        Tree::of_places((0..parents.len() as u32).collect(), parents).unwrap()
    }

    fn overlap(a: Area, b: Area) -> f64 {
        let wide = (a.x + a.w).min(b.x + b.w) - a.x.max(b.x);
        let high = (a.y + a.h).min(b.y + b.h) - a.y.max(b.y);
        if wide > 1e-6 && high > 1e-6 { wide * high } else { 0.0 }
    }

    #[test]
    fn siblings_fill_the_whole_and_do_not_overlap() {
        let tree = flat(&[40, 20, 10, 5, 1, 0, 0]);
        let sizes = tree.sizes();
        let cells = lay_out(&tree, &sizes, 0, WHOLE, 1);
        let all = lay_out(&tree, &sizes, 0, WHOLE, 500);
        let top: Vec<&Cell> = all.iter().take(7).collect();
        let sum: f64 = top.iter().map(|cell| cell.area.w * cell.area.h).sum();
        assert!((sum - 240_000.0).abs() < 1e-6, "{sum}");
        for (at, one) in top.iter().enumerate() {
            let area = one.area.w * one.area.h;
            let (CellContent::Place(place) | CellContent::Opened(place)) = one.content else {
                panic!("all are large enough")
            };
            let share = f64::from(sizes[place as usize]) / 83.0 * 240_000.0;
            assert!((area - share).abs() < 1e-6, "{place}: {area} is not {share}");
            assert!(top.iter().skip(at + 1).all(|other| overlap(one.area, other.area) == 0.0));
        }
        // One cell only: the largest, and the rest together.
        assert_eq!(cells.len(), 2);
        assert!(cells.iter().any(|cell| cell.content == CellContent::Rest { parent: 0, children: 6, pages: 42 }));
    }

    #[test]
    fn children_stand_inside_their_branch() {
        let tree = flat(&[40, 30]);
        let cells = lay_out(&tree, &tree.sizes(), 0, WHOLE, 500);
        let branch = cells.iter().find(|cell| cell.content == CellContent::Opened(1)).unwrap().area;
        let inner: Vec<Area> = cells
            .iter()
            .filter(|cell| matches!(cell.content, CellContent::Place(place) if tree.parent(place) == Some(1)))
            .map(|cell| cell.area)
            .collect();
        assert_eq!(inner.len(), 40);
        for area in inner {
            assert!(area.x >= branch.x && area.y >= branch.y + HEAD - 1e-6);
            assert!(area.x + area.w <= branch.x + branch.w + 1e-6 && area.y + area.h <= branch.y + branch.h + 1e-6);
        }
    }

    #[test]
    fn no_page_is_lost_and_the_number_of_cells_is_kept() {
        let tree = flat(&(0..300).map(|n| n % 17).collect::<Vec<_>>());
        let sizes = tree.sizes();
        for most in [1, 10, 100, 1_000] {
            let cells = lay_out(&tree, &sizes, 0, WHOLE, most);
            assert!(cells.len() <= most + 20, "{most}: {}", cells.len());
            let pages: u64 = cells
                .iter()
                .map(|cell| match cell.content {
                    CellContent::Place(place) => u64::from(sizes[place as usize]),
                    // Its own page; the others are cells.
                    CellContent::Opened(_) => 1,
                    CellContent::Rest { pages, .. } => u64::from(pages),
                })
                .sum();
            assert_eq!(pages + 1, u64::from(tree.len()), "{most}");
        }
    }

    #[test]
    fn a_root_alone_has_no_cells() {
        let tree = Tree::of_places(vec![3], vec![0]).unwrap();
        assert!(lay_out(&tree, &tree.sizes(), 0, WHOLE, 100).is_empty());
    }
}
