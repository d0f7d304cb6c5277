//! Which of many keys start, or occur, in a text?
//!
//! [`Trie`]: the keys as a tree of bytes, numbered breadth first, so that the children of a node are neighbors and a
//! step is a byte search among them. [`Finder`]: the tree with the failure links of Aho and Corasick (1975,
//! doi:10.1145/360825.360855), which reports every key that ends at each byte of a text.
//!
//! Cost: building is linear in the bytes of the sorted keys; a text of n bytes is walked in O(n) steps plus one for
//! each occurrence. Keys that end at the same byte differ in length, hence keys of p bytes together give at most
//! sqrt(2 p) occurrences for one byte.

use memchr::memchr;

/// No key ends here.
const NONE: u32 = u32::MAX;

/// The root of the tree.
pub(super) const ROOT: u32 = 0;

/// A set of keys as a tree of bytes.
#[derive(Default)]
pub(super) struct Trie {
    /// The children of `node` are numbered `first[node]..first[node + 1]`.
    first: Vec<u32>,
    /// The byte that leads into each node; the root's is never looked at.
    label: Vec<u8>,
    /// The key that ends at each node.
    key: Vec<u32>,
}

impl Trie {
    /// `keys` must be sorted and each be there once.
    pub(super) fn from_sorted(keys: &[&[u8]]) -> Trie {
        let mut trie = Trie { first: Vec::new(), label: vec![0], key: Vec::new() };
        // Node number -> the keys below it, and how many of their bytes are used up.
        let mut below = vec![(0, keys.len(), 0)];
        let mut node = 0;
        while let Some(&(mut from, to, depth)) = below.get(node) {
            trie.first.push(number(below.len()));
            trie.key.push(NONE);
            if from < to && keys[from].len() == depth {
                trie.key[node] = number(from);
                from += 1;
            }
            while from < to {
                let byte = keys[from][depth];
                let end = from + keys[from..to].iter().take_while(|key| key[depth] == byte).count();
                below.push((from, end, depth + 1));
                trie.label.push(byte);
                from = end;
            }
            node += 1;
        }
        trie.first.push(number(below.len()));
        trie
    }

    /// The node that `byte` leads to.
    pub(super) fn child(&self, node: u32, byte: u8) -> Option<u32> {
        let from = self.first[node as usize];
        let to = self.first[node as usize + 1];
        memchr(byte, &self.label[from as usize..to as usize]).map(|at| from + number(at))
    }

    /// The key that ends at `node`, by its place in the sorted list.
    pub(super) fn key(&self, node: u32) -> Option<usize> {
        Some(self.key[node as usize]).filter(|&key| key != NONE).map(|key| key as usize)
    }
}

/// A set of keys, none empty, to be found anywhere in a text.
pub(super) struct Finder {
    trie: Trie,
    /// The node of the longest proper suffix that is in the tree.
    fail: Vec<u32>,
    /// The nearest node where a key ends, from here along `fail`, this one not included; the root for none.
    shorter: Vec<u32>,
}

impl Finder {
    /// `keys` must be sorted, each be there once, and none be empty.
    pub(super) fn from_sorted(keys: &[&[u8]]) -> Finder {
        let trie = Trie::from_sorted(keys);
        let nodes = trie.key.len();
        let mut finder = Finder { trie, fail: vec![ROOT; nodes], shorter: vec![ROOT; nodes] };
        for node in 0..nodes {
            // Breadth-first numbers: all that is nearer to the root, and so all that `fail` can name, is done.
            for child in finder.trie.first[node] as usize..finder.trie.first[node + 1] as usize {
                if node != ROOT as usize {
                    finder.fail[child] = finder.step(finder.fail[node], finder.trie.label[child]);
                }
                finder.shorter[child] = finder.nearest(finder.fail[child]);
            }
        }
        finder
    }

    /// The state after one more byte of the text.
    pub(super) fn step(&self, mut state: u32, byte: u8) -> u32 {
        loop {
            match self.trie.child(state, byte) {
                Some(child) => return child,
                None if state == ROOT => return ROOT,
                None => state = self.fail[state as usize],
            }
        }
    }

    /// The nearest node where a key ends, this one included.
    fn nearest(&self, node: u32) -> u32 {
        if self.trie.key[node as usize] == NONE { self.shorter[node as usize] } else { node }
    }

    /// The keys that end where the text was read to, the longest first.
    pub(super) fn hits(&self, state: u32) -> impl Iterator<Item = usize> {
        let mut node = self.nearest(state);
        std::iter::from_fn(move || {
            let key = self.trie.key(node)?;
            node = self.shorter[node as usize];
            Some(key)
        })
    }
}

/// A place as it is kept. Keys come from at most `robots_bytes` bytes; a larger number could not be reached in memory.
fn number(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 2^32 nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_set_is_a_lone_root() {
        assert_eq!(Trie::from_sorted(&[]).key(ROOT), None);
        assert_eq!(Trie::from_sorted(&[]).child(ROOT, b'a'), None);
        assert_eq!(Trie::from_sorted(&[b""]).key(ROOT), Some(0));
    }

    proptest! {
        #[test]
        fn finds_each_key_wherever_it_ends(
            keys in proptest::collection::btree_set("[ab]{1,4}", 0..12),
            text in "[abc]{0,40}",
        ) {
            let keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
            let finder = Finder::from_sorted(&keys);
            let mut state = ROOT;
            for (at, &byte) in text.as_bytes().iter().enumerate() {
                state = finder.step(state, byte);
                let mut found: Vec<usize> = finder.hits(state).collect();
                found.sort_unstable();
                let read = &text.as_bytes()[..=at];
                let expected: Vec<usize> = (0..keys.len()).filter(|&key| read.ends_with(keys[key])).collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
