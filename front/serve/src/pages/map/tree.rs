//! Which part of a branch is shown as a list that folds, and what is said where more is hidden?
//!
//! Layer by layer below the top: what is left of the rows is shared out evenly among the pages of the layer above, each showing its
//! best children. Nothing is cut silently: whoever has hidden children says how many, with a link to them.

use groma_graph::Tree;

/// Pages shown at most, and children of one page at most.
const ROWS: usize = 300;
const FAMILY: usize = 100;

/// A step through the list, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WalkStep {
    /// A page; `shown` of its children follow.
    Enter { place: u32, shown: u32 },
    /// All shown children of a page have been told; so many more, with so many pages at and below them, are not shown.
    Leave { place: u32, shown: u32, hidden: u32, pages: u32 },
}

/// The choice: for each shown place its shown children, as a range of places.
pub(super) struct Shown<'a> {
    tree: &'a Tree,
    sizes: &'a [u32],
    top: u32,
    /// By place, in ascending order.
    families: Vec<(u32, std::ops::Range<u32>)>,
}

impl<'a> Shown<'a> {
    /// Chooses what is shown below `top`: so many layers, the children of the top from the `skip`th on.
    pub(super) fn choose(tree: &'a Tree, sizes: &'a [u32], top: u32, layers: u32, skip: u32) -> Shown<'a> {
        let mut families = Vec::new();
        let mut left = ROWS;
        let mut parents = vec![top];
        for layer in 0..layers {
            let each = (left / parents.len().max(1)).min(FAMILY);
            let mut next = Vec::new();
            for &parent in &parents {
                let children = tree.children(parent);
                let from =
                    if layer == 0 { children.start.saturating_add(skip).min(children.end) } else { children.start };
                let some = (children.end - from).min(each as u32);
                if some > 0 {
                    families.push((parent, from..from + some));
                    left -= some as usize;
                    next.extend(from..from + some);
                }
            }
            if next.is_empty() {
                break;
            }
            parents = next;
        }
        families.sort_unstable_by_key(|(parent, _)| *parent);
        Shown { tree, sizes, top, families }
    }

    /// The shown children of a place.
    pub(super) fn children(&self, place: u32) -> std::ops::Range<u32> {
        match self.families.binary_search_by_key(&place, |(parent, _)| *parent) {
            Ok(at) => self.families[at].1.clone(),
            Err(_) => 0..0,
        }
    }

    /// All steps, the top first.
    pub(super) fn walk(&self) -> Vec<WalkStep> {
        let mut steps = Vec::new();
        let mut open = vec![self.enter(self.top, &mut steps)];
        while let Some((place, rest)) = open.last_mut() {
            match rest.next() {
                Some(child) => {
                    let entered = self.enter(child, &mut steps);
                    open.push(entered);
                }
                None => {
                    steps.push(self.leave(*place));
                    open.pop();
                }
            }
        }
        steps
    }

    fn enter(&self, place: u32, steps: &mut Vec<WalkStep>) -> (u32, std::ops::Range<u32>) {
        let children = self.children(place);
        steps.push(WalkStep::Enter { place, shown: children.len() as u32 });
        (place, children)
    }

    /// What is hidden of a place: those after its shown children (those before were skipped on purpose).
    fn leave(&self, place: u32) -> WalkStep {
        let (all, shown) = (self.tree.children(place), self.children(place));
        let after = if shown.is_empty() { all.start } else { shown.end };
        let pages = (after..all.end).map(|child| self.sizes[child as usize]).sum();
        WalkStep::Leave { place, shown: shown.len() as u32, hidden: all.end - after, pages }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with so many children, each with so many.
    fn tree(children: u32, each: u32) -> Tree {
        let mut parents = vec![0];
        parents.extend((0..children).map(|_| 0));
        parents.extend((0..children).flat_map(|child| (0..each).map(move |_| child + 1)));
        Tree::of_places((0..parents.len() as u32).collect(), parents).unwrap()
    }

    /// Pages told and pages counted as hidden.
    fn told(shown: &Shown<'_>) -> (u32, u32) {
        shown.walk().iter().fold((0, 0), |(seen, hidden), step| match step {
            WalkStep::Enter { .. } => (seen + 1, hidden),
            WalkStep::Leave { pages, .. } => (seen, hidden + pages),
        })
    }

    #[test]
    fn every_page_is_shown_or_counted() {
        for (children, each) in [(0, 0), (3, 2), (50, 50), (500, 3), (1, 400)] {
            let tree = tree(children, each);
            let sizes = tree.sizes();
            for layers in 0..4 {
                let shown = Shown::choose(&tree, &sizes, 0, layers, 0);
                let (seen, hidden) = told(&shown);
                assert_eq!(seen + hidden, tree.len(), "{children} {each} {layers}");
                assert!(seen as usize <= ROWS + 1);
            }
        }
    }

    #[test]
    fn steps_are_nested_and_a_branch_can_be_read_page_by_page() {
        let tree = tree(250, 0);
        let sizes = tree.sizes();
        let first = Shown::choose(&tree, &sizes, 0, 1, 0);
        assert_eq!(first.children(0), 1..101);
        assert_eq!(first.walk().last(), Some(&WalkStep::Leave { place: 0, shown: 100, hidden: 150, pages: 150 }));
        let last = Shown::choose(&tree, &sizes, 0, 1, 200);
        assert_eq!(last.children(0), 201..251);
        assert_eq!(Shown::choose(&tree, &sizes, 0, 1, u32::MAX).walk().len(), 2);
    }
}
