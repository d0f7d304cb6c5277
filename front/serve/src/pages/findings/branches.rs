//! Where on the map are the findings? Findings are counted at the page they stand on, and added up from branch to branch.

use std::collections::{HashMap, HashSet};

use groma_check::Finding;

use crate::sites::Drawn;

/// A branch of the map with findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) place: u32,
    pub(super) findings: u64,
}

/// The branches at the root with the most findings, and how many findings are on pages that are not on the map. Cost: O(pages).
pub(super) fn worst<'a>(drawn: &Drawn, findings: impl Iterator<Item = &'a Finding>) -> (Vec<Branch>, u64) {
    let mut of_page: HashMap<&str, u64> = HashMap::new();
    findings.for_each(|finding| *of_page.entry(&finding.from).or_default() += 1);
    let all: u64 = of_page.values().sum();
    let tree = &drawn.tree;
    let mut sums = vec![0u64; tree.len() as usize];
    let mut seen = 0;
    for place in (0..tree.len()).rev() {
        let here = of_page.get(drawn.graph.standings.names.url(tree.node(place))).copied().unwrap_or(0);
        seen += here;
        sums[place as usize] += here;
        // Places come layer by layer: whatever stands below a place has been added up before it.
        if let Some(parent) = tree.parent(place).filter(|parent| *parent != 0) {
            let below = sums[place as usize];
            sums[parent as usize] += below;
        }
    }
    if tree.is_empty() {
        return (Vec::new(), all);
    }
    let branches = std::iter::once(0).chain(tree.children(0));
    let mut branches: Vec<Branch> = branches.map(|place| Branch { place, findings: sums[place as usize] }).collect();
    branches.retain(|branch| branch.findings > 0);
    branches.sort_by_key(|branch| (std::cmp::Reverse(branch.findings), branch.place));
    (branches, all - seen)
}

/// The URLs at and below a place.
pub(super) fn addresses(drawn: &Drawn, place: u32) -> HashSet<&str> {
    let (mut addresses, mut open) = (HashSet::new(), vec![place]);
    while let Some(place) = open.pop() {
        addresses.insert(drawn.graph.standings.names.url(drawn.tree.node(place)));
        open.extend(drawn.tree.children(place));
    }
    addresses
}
