//! Do two pages come from the same template? The sets of their elements, named by tag and classes within tag and classes, compared.
//!
//! ```text
//! skeleton(page)   = { hash(name and classes of the parent, name and classes) : elements of the page }
//! similarity(a, b) = |a ∩ b| / |a ∪ b|          (P. Jaccard, 1901)
//! ```
//!
//! How often an element comes does not count, so lists may be long or short; classes with digits are left out, for they are numbered or
//! made by a program. Pages are of one template from [`SAME_TEMPLATE`] on. Cost: linear in the elements, then in the sets.
//! Not guaranteed: a page whose optional parts are most of it is far from its kin; sites that name nothing by classes have pages that are alike
//! by their tags alone.

use std::collections::BTreeSet;
use std::hash::Hasher;

use groma_hel::{Node, Tree};
use xxhash_rust::xxh3::Xxh3;

use crate::page::Page;

/// From this similarity on two pages are of the same template.
pub const SAME_TEMPLATE: f64 = 0.5;

/// The elements of a page that its template has put there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton(BTreeSet<u64>);

impl Skeleton {
    /// Of a page.
    pub fn new(page: &Page<'_>) -> Skeleton {
        let tree = page.tree();
        let elements = (1..tree.len() as Node).filter(|node| !tree.is_text(*node));
        Skeleton(
            elements
                .map(|node| {
                    let mut hash = Xxh3::new();
                    if let Some(parent) = tree.parent(node) {
                        name(tree, parent, &mut hash);
                    }
                    hash.write_u8(b'>');
                    name(tree, node, &mut hash);
                    hash.finish()
                })
                .collect(),
        )
    }

    /// How similar two pages are, from 0 to 1.
    pub fn similarity(&self, other: &Skeleton) -> f64 {
        let common = self.0.intersection(&other.0).count();
        let all = self.0.len() + other.0.len() - common;
        if all == 0 { 1.0 } else { common as f64 / all as f64 }
    }
}

fn name(tree: &Tree, node: Node, hash: &mut Xxh3) {
    hash.update(tree.name(node).as_bytes());
    let classes = tree.attribute(node, "class").unwrap_or_default().split_ascii_whitespace();
    for class in classes.filter(|class| !class.bytes().any(|byte| byte.is_ascii_digit())).take(4) {
        hash.write_u8(b'.');
        hash.update(class.as_bytes());
    }
}
