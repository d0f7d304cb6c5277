//! The tree in reading order, with what an entry must know of where it stands.

use groma_graph::{Tree, WalkStep};

use super::columns::DEEPEST;
use crate::View;

/// Goes through the shown places, from one entry to the next.
pub(super) struct Reading<'a, W> {
    tree: &'a Tree,
    shown: View<'a>,
    walk: W,
    depth: u32,
    /// For each layer from 1 on, as far as lines are drawn: does a sibling of the one who stands there follow?
    pub(super) follows: [bool; DEEPEST as usize],
    /// The place below the root under which the reading stands.
    pub(super) first: u32,
}

impl<'a, W: Iterator<Item = WalkStep>> Reading<'a, W> {
    pub(super) fn new(tree: &'a Tree, shown: View<'a>, walk: W) -> Reading<'a, W> {
        Reading { tree, shown, walk, depth: 0, follows: [false; DEEPEST as usize], first: 0 }
    }

    /// The next place and its depth.
    pub(super) fn next(&mut self) -> Option<(u32, u32)> {
        loop {
            match self.walk.next()? {
                WalkStep::Leave(_) => self.depth -= 1,
                WalkStep::Enter(place) => {
                    let depth = self.depth;
                    self.depth += 1;
                    if depth == 1 {
                        self.first = place;
                    }
                    if let Some(follows) = depth.checked_sub(1).and_then(|layer| self.follows.get_mut(layer as usize)) {
                        let siblings = self.tree.parent(place).map_or(0..0, |parent| self.shown.shown_children(parent));
                        *follows = siblings.contains(&(place + 1));
                    }
                    return Some((place, depth));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_know_who_follows_above_them() {
        let tree = Tree::of_places((0..6).collect(), vec![0, 0, 0, 1, 1, 2]).unwrap();
        let sizes = tree.sizes();
        let shown = View::select(&tree, &sizes, None, None);
        let mut reading = Reading::new(&tree, shown, shown.walk());
        let mut seen = Vec::new();
        while let Some((place, depth)) = reading.next() {
            seen.push((place, depth, reading.follows[0], reading.follows[1], reading.first));
        }
        let expected = [
            (0, 0, false, false, 0),
            (1, 1, true, false, 1),
            (3, 2, true, true, 1),
            (4, 2, true, false, 1),
            (2, 1, false, false, 2),
            (5, 2, false, false, 2),
        ];
        assert_eq!(seen, expected);
    }
}
