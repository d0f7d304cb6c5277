//! Which part of a map is shown when all of it would be too much, and how much is hidden where.
//!
//! Rule: whole layers are shown while they fit into the number of rows. In the first layer that does not fit, every page of
//! the layer above shows its k best children, k as large as fits, and the first pages one more until the rows are used up
//! (if not even one child each fits, the first pages show one). Below that, nothing. A layer limit hides what is below it.
//!
//! Nothing is lost: a shown page counts what is hidden directly behind it, and
//! `shown_count() + sum of hidden_pages(place) over all shown places = pages of the tree`.
//!
//! Source: ours. Cost: O(pages of the cut layer · log of the largest family) once, O(1) a question but `hidden_pages`, which
//! is O(children of that place); memory: a few numbers. Not guaranteed: that the lines which say "and so many more" fit into
//! the rows too (at most one a shown page), or that the parts shown are balanced by what is below them.

use std::ops::Range;

use groma_graph::{Tree, WalkStep};

/// A choice of places: each shown place but the root has its parent shown, and shown siblings stand before hidden ones.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    tree: &'a Tree,
    sizes: &'a [u32],
    /// Places before this one stand in layers that are shown whole.
    whole: u32,
    /// How many children a place of the last whole layer shows.
    each: u32,
    /// Places of the last whole layer before this one may show one child more.
    favoured: u32,
    shown: u32,
}

impl<'a> View<'a> {
    /// Selects what is shown. `sizes` are those of the tree ([`Tree::sizes`]); `depth` is the last layer shown (the root is layer 0),
    /// `rows` how many pages may be shown. The root is always shown.
    pub fn select(tree: &'a Tree, sizes: &'a [u32], depth: Option<u32>, rows: Option<u32>) -> View<'a> {
        let rows = rows.unwrap_or(u32::MAX).max(1);
        let allowed = tree.layer_count().min(depth.unwrap_or(u32::MAX).saturating_add(1));
        let fitting = (0..allowed).take_while(|&layer| tree.layer(layer).end <= rows).count() as u32;
        let whole = fitting.checked_sub(1).map_or(0, |last| tree.layer(last).end);
        let mut view = View { tree, sizes, whole, each: 0, favoured: 0, shown: whole };
        if fitting > 0 && fitting < allowed {
            view.cut(tree.layer(fitting - 1), rows - whole);
        }
        view
    }

    /// Shares out the rest of the rows among the pages of the last whole layer.
    fn cut(&mut self, parents: Range<u32>, rest: u32) {
        let tree = self.tree;
        let family = |place: u32| tree.children(place).len() as u64;
        let taken = |each: u32| parents.clone().map(|place| family(place).min(u64::from(each))).sum::<u64>();
        let (mut fits, mut too_many) = (0u32, rest.saturating_add(1));
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            if taken(middle) <= u64::from(rest) { fits = middle } else { too_many = middle }
        }
        let used = taken(fits) as u32;
        let mut left = rest - used;
        self.each = fits;
        self.shown = self.whole + rest;
        for place in parents {
            self.favoured = place;
            if left == 0 {
                break;
            }
            left -= u32::from(family(place) > u64::from(fits));
        }
    }

    /// Is this place shown?
    pub fn is_shown(&self, place: u32) -> bool {
        place < self.whole || self.tree.parent(place).is_some_and(|parent| self.shown_children(parent).contains(&place))
    }

    /// The children of a place that are shown: the first of them, in the order of the tree. Empty for a hidden place.
    pub fn shown_children(&self, place: u32) -> Range<u32> {
        let children = self.tree.children(place);
        if children.end <= self.whole {
            return children;
        }
        let each = if place < self.favoured { self.each + 1 } else { self.each };
        let some = if place < self.whole { (children.len() as u32).min(each) } else { 0 };
        children.start..children.start + some
    }

    /// How many children of a shown place are hidden.
    pub fn hidden_children(&self, place: u32) -> u32 {
        (self.tree.children(place).len() - self.shown_children(place).len()) as u32
    }

    /// How many pages stand at and below the hidden children of a shown place. What is hidden behind its shown children is
    /// counted there.
    pub fn hidden_pages(&self, place: u32) -> u32 {
        let hidden = self.shown_children(place).end..self.tree.children(place).end;
        hidden.map(|child| self.sizes[child as usize]).sum()
    }

    /// How many places are shown.
    pub fn shown_count(&self) -> u32 {
        self.shown
    }

    /// Whether places of the tree are left out.
    pub fn is_partial(&self) -> bool {
        self.shown < self.tree.len()
    }

    /// A walk over the shown places in reading order, like [`Tree::walk`]; its cost does not depend on what is hidden.
    pub fn walk(self) -> impl Iterator<Item = WalkStep> + 'a {
        let mut next = (!self.tree.is_empty()).then_some(WalkStep::Enter(0));
        std::iter::from_fn(move || {
            let step = next?;
            next = match step {
                WalkStep::Enter(place) => {
                    let children = self.shown_children(place);
                    Some(if children.is_empty() { WalkStep::Leave(place) } else { WalkStep::Enter(children.start) })
                }
                WalkStep::Leave(place) => self.tree.parent(place).map(|parent| {
                    let sibling = place + 1;
                    if self.shown_children(parent).contains(&sibling) {
                        WalkStep::Enter(sibling)
                    } else {
                        WalkStep::Leave(parent)
                    }
                }),
            };
            Some(step)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A root with three children, which have 4, 1 and 2 children; the first grandchild has two more.
    fn small() -> Tree {
        Tree::of_places((0..13).collect(), vec![0, 0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 4]).unwrap()
    }

    fn shown(tree: &Tree, depth: Option<u32>, rows: Option<u32>) -> Vec<u32> {
        let sizes = tree.sizes();
        let view = View::select(tree, &sizes, depth, rows);
        (0..tree.len()).filter(|&place| view.is_shown(place)).collect()
    }

    #[test]
    fn all_is_shown_without_limits() {
        let tree = small();
        let sizes = tree.sizes();
        let view = View::select(&tree, &sizes, None, None);
        assert_eq!((view.shown_count(), view.is_partial()), (13, false));
        assert_eq!(view.walk().collect::<Vec<_>>(), tree.walk().collect::<Vec<_>>());
    }

    #[test]
    fn the_layer_that_does_not_fit_shows_the_best_of_each_family() {
        let tree = small();
        assert_eq!(shown(&tree, None, Some(7)), [0, 1, 2, 3, 4, 8, 9], "one child each");
        assert_eq!(shown(&tree, None, Some(9)), [0, 1, 2, 3, 4, 5, 8, 9, 10], "two where there are two");
        assert_eq!(shown(&tree, None, Some(8)), [0, 1, 2, 3, 4, 5, 8, 9], "what is left goes to the first");
        assert_eq!(shown(&tree, None, Some(5)), [0, 1, 2, 3, 4], "not even one each fits");
        assert_eq!(shown(&tree, None, Some(0)), [0], "the root is always there");
    }

    #[test]
    fn a_layer_limit_hides_what_is_below_and_counts_it() {
        let tree = small();
        assert_eq!(shown(&tree, Some(1), None), [0, 1, 2, 3]);
        let sizes = tree.sizes();
        let view = View::select(&tree, &sizes, Some(1), None);
        assert_eq!((view.hidden_children(1), view.hidden_pages(1)), (4, 6));
        assert_eq!((view.hidden_children(0), view.hidden_pages(0)), (0, 0));
    }

    #[test]
    fn an_empty_tree_shows_nothing() {
        let tree = Tree::of_places(vec![], vec![]).unwrap();
        let view = View::select(&tree, &[], Some(0), Some(10));
        assert_eq!((view.shown_count(), view.walk().count()), (0, 0));
    }

    proptest! {
        #[test]
        fn shown_and_hidden_are_all(
            steps in prop::collection::vec(0u32..6, 0..120),
            depth in prop::option::of(0u32..8),
            rows in prop::option::of(0u32..140),
        ) {
            let mut parents = vec![0u32];
            for step in steps {
                let last = parents.last().copied().unwrap_or(0);
                parents.push((last + step).min(parents.len() as u32 - 1));
            }
            let tree = Tree::of_places((0..parents.len() as u32).collect(), parents).unwrap();
            let sizes = tree.sizes();
            let view = View::select(&tree, &sizes, depth, rows);
            let places: Vec<u32> = (0..tree.len()).filter(|&place| view.is_shown(place)).collect();
            prop_assert_eq!(places.len() as u32, view.shown_count());
            prop_assert!(view.shown_count() <= rows.unwrap_or(u32::MAX).max(1));
            let hidden: u32 = places.iter().map(|&place| view.hidden_pages(place)).sum();
            prop_assert_eq!(view.shown_count() + hidden, tree.len());
            let mut walked: Vec<u32> =
                view.walk().filter_map(|step| if let WalkStep::Enter(place) = step { Some(place) } else { None }).collect();
            walked.sort_unstable();
            prop_assert_eq!(&walked, &places);
            for &place in &places {
                prop_assert!(tree.depth(place) <= depth.unwrap_or(u32::MAX));
                prop_assert!(tree.parent(place).is_none_or(|parent| view.is_shown(parent)));
                let children = tree.children(place);
                prop_assert_eq!(view.shown_children(place).start, children.start);
                prop_assert_eq!(view.shown_children(place).len() as u32 + view.hidden_children(place), children.len() as u32);
            }
            // Rows are not wasted: if a row is left, nothing within the depth is hidden.
            if view.shown_count() < rows.unwrap_or(u32::MAX) {
                prop_assert!((0..tree.len()).all(|place| view.is_shown(place) || tree.depth(place) > depth.unwrap_or(u32::MAX)));
            }
        }
    }
}
