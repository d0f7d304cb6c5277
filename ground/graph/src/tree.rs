//! A tree of pages that can be read in any order at no cost: by layer, by parent, or from top to bottom as people read.
//!
//! How the hierarchical map grows out of links and ranks stands beside it, in `grow.rs`.

/// A tree of pages. Its places are numbered layer by layer from the root (place 0); siblings stand next to each other in the
/// order in which they are shown, so that the children of a place are a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The node at each place.
    nodes: Vec<u32>,
    /// The place of the parent of each place; of the root, its own.
    parents: Vec<u32>,
    /// Where the children of each place begin; one more at the end.
    children: Vec<u32>,
    /// Where each layer begins; one more at the end.
    layers: Vec<u32>,
}

impl Default for Tree {
    /// A tree without a root.
    fn default() -> Tree {
        Tree { nodes: Vec::new(), parents: Vec::new(), children: vec![0], layers: vec![0] }
    }
}

/// A step of a walk through a tree in the order in which people read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkStep {
    /// A place is met for the first time; its children come next.
    Enter(u32),
    /// All below a place has been seen.
    Leave(u32),
}

impl Tree {
    /// How many pages are in it.
    pub fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// A tree without a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node at a place.
    pub fn node(&self, place: u32) -> u32 {
        self.nodes[place as usize]
    }

    /// The place of the parent; nothing for the root.
    pub fn parent(&self, place: u32) -> Option<u32> {
        (place != 0).then(|| self.parents[place as usize])
    }

    /// The places of the children, in the order in which they are shown.
    pub fn children(&self, place: u32) -> std::ops::Range<u32> {
        self.children[place as usize]..self.children[place as usize + 1]
    }

    /// How many layers there are; the root alone is one.
    pub fn layer_count(&self) -> u32 {
        (self.layers.len() - 1) as u32
    }

    /// The places of a layer.
    pub fn layer(&self, layer: u32) -> std::ops::Range<u32> {
        self.layers[layer as usize]..self.layers[layer as usize + 1]
    }

    /// The layer of a place: its link distance from the root.
    pub fn depth(&self, place: u32) -> u32 {
        self.layers.partition_point(|&start| start <= place) as u32 - 1
    }

    /// How many pages stand at and below each place.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![1u32; self.nodes.len()];
        for place in (1..self.nodes.len()).rev() {
            sizes[self.parents[place] as usize] += sizes[place];
        }
        sizes
    }

    /// A tree given as places: for each its node and the place of its parent (the root first, its own parent), layer by layer,
    /// siblings together. Nothing if they are not in that order.
    pub fn of_places(nodes: Vec<u32>, parents: Vec<u32>) -> Option<Tree> {
        let count = nodes.len();
        let rising = parents.windows(2).all(|pair| pair[0] <= pair[1]);
        let above = parents.iter().enumerate().all(|(place, &parent)| (parent as usize) < place.max(1));
        if parents.len() != count || !rising || !above {
            return None;
        }
        let mut children = vec![0u32; count + 1];
        let mut place = 1u32;
        for (parent, first) in children.iter_mut().enumerate().take(count) {
            *first = place;
            while (place as usize) < count && parents[place as usize] as usize == parent {
                place += 1;
            }
        }
        children[count] = count as u32;
        let mut layers = vec![0u32];
        let mut end = count.min(1) as u32;
        while layers.last().is_some_and(|&last| last < end) {
            layers.push(end);
            end = children[end as usize];
        }
        Some(Tree { nodes, parents, children, layers })
    }

    /// A walk in reading order: a place, then all below it, then the next.
    pub fn walk(&self) -> impl Iterator<Item = WalkStep> + '_ {
        let mut next = (!self.is_empty()).then_some(WalkStep::Enter(0));
        std::iter::from_fn(move || {
            let step = next?;
            next = match step {
                WalkStep::Enter(place) if !self.children(place).is_empty() => {
                    Some(WalkStep::Enter(self.children(place).start))
                }
                WalkStep::Enter(place) => Some(WalkStep::Leave(place)),
                WalkStep::Leave(0) => None,
                WalkStep::Leave(place) => {
                    let parent = self.parents[place as usize];
                    let sibling = place + 1;
                    Some(if self.children(parent).contains(&sibling) {
                        WalkStep::Enter(sibling)
                    } else {
                        WalkStep::Leave(parent)
                    })
                }
            };
            Some(step)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_become_a_tree_that_can_be_walked() {
        let tree = Tree::of_places(vec![7, 3, 5, 9, 1], vec![0, 0, 0, 1, 2]).unwrap();
        assert_eq!((tree.layer_count(), tree.layer(1), tree.layer(2)), (3, 1..3, 3..5));
        assert_eq!((tree.depth(0), tree.depth(2), tree.depth(4)), (0, 1, 2));
        assert_eq!(tree.sizes(), [5, 2, 2, 1, 1]);
        let entered: Vec<u32> = tree
            .walk()
            .filter_map(|step| if let WalkStep::Enter(place) = step { Some(tree.node(place)) } else { None })
            .collect();
        assert_eq!(entered, [7, 3, 9, 5, 1]);
        assert_eq!(tree.walk().count(), 10);
        assert!(Tree::of_places(vec![1, 2, 3], vec![0, 1, 0]).is_none());
        assert!(Tree::of_places(vec![1, 2], vec![0, 1]).is_none());
    }

    #[test]
    fn an_empty_tree_and_a_root_alone_are_fine() {
        let none = Tree::of_places(vec![], vec![]).unwrap();
        assert_eq!((none.len(), none.layer_count(), none.walk().count()), (0, 0, 0));
        let root = Tree::of_places(vec![4], vec![0]).unwrap();
        assert_eq!((root.len(), root.layer_count(), root.walk().count()), (1, 1, 2));
    }
}
