//! The map is the tree that the paper's conditions P1 to P4 define.

use std::cmp::Ordering;

use groma_graph::pagerank::{Settings, rank};
use groma_graph::{Csr, Order, Tree};
use proptest::prelude::*;

/// A small survey: arcs, coarse ranks (many are equal), names that have nothing to do with the numbers, and who belongs to it.
#[derive(Clone, Debug)]
struct Survey {
    arcs: Vec<(u32, u32)>,
    ranks: Vec<f64>,
    names: Vec<u32>,
    members: Vec<bool>,
}

impl Survey {
    fn count(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn graph(&self) -> Csr {
        Csr::of_arcs(self.count(), self.arcs.iter().copied())
    }

    fn order(&self) -> Order {
        Order::new(&self.ranks, &|a, b| self.by_name(a, b))
    }

    fn by_name(&self, a: u32, b: u32) -> Ordering {
        self.names[a as usize].cmp(&self.names[b as usize])
    }

    fn tree(&self) -> Tree {
        let is_member = |node: u32| self.members[node as usize];
        Tree::grow(&self.graph(), &self.ranks, 0, &is_member, &|a, b| self.by_name(a, b))
    }

    /// Rank down, then name, by definition.
    fn better(&self, a: u32, b: u32) -> bool {
        let (one, other) = (self.ranks[a as usize], self.ranks[b as usize]);
        one > other || (one == other && self.by_name(a, b) == Ordering::Less)
    }

    /// Link distances from node 0 over members: as many rounds of relaxation as there are nodes.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.ranks.len()];
        distances[0] = self.members[0].then_some(0);
        for _ in 0..self.ranks.len() {
            for &(from, to) in &self.arcs {
                let Some(near) = distances[from as usize] else { continue };
                let far = &mut distances[to as usize];
                if self.members[to as usize] && far.is_none_or(|far| far > near + 1) {
                    *far = Some(near + 1);
                }
            }
        }
        distances
    }
}

fn surveys() -> impl Strategy<Value = Survey> {
    (1usize..30).prop_flat_map(|count| {
        let node = 0..count as u32;
        let arcs = prop::collection::vec((node.clone(), node.clone()), 0..count * 4);
        let ranks = prop::collection::vec((0u8..4).prop_map(f64::from), count);
        let names = Just(node.collect::<Vec<u32>>()).prop_shuffle();
        let members = prop::collection::vec(prop::bool::weighted(0.9), count);
        (arcs, ranks, names, members).prop_map(|(arcs, ranks, names, members)| Survey { arcs, ranks, names, members })
    })
}

proptest! {
    #[test]
    fn the_map_keeps_p1_to_p4(survey in surveys()) {
        let (tree, distances, graph) = (survey.tree(), survey.distances(), survey.graph());
        // P2: every member that can be reached, exactly once.
        let mut placed: Vec<u32> = (0..tree.len()).map(|place| tree.node(place)).collect();
        placed.sort_unstable();
        let reached: Vec<u32> = (0..survey.count()).filter(|node| distances[*node as usize].is_some()).collect();
        prop_assert_eq!(placed, reached.clone());
        // P1: the root alone is on top.
        prop_assert_eq!(tree.is_empty(), !survey.members[0]);
        prop_assert!(tree.is_empty() || (tree.node(0) == 0 && tree.parent(0).is_none() && tree.layer(0) == (0..1)));
        for place in 0..tree.len() {
            let node = tree.node(place);
            // P3: layers are link distances.
            prop_assert_eq!(Some(tree.depth(place)), distances[node as usize]);
            let Some(parent) = tree.parent(place) else { continue };
            prop_assert!(graph.links(tree.node(parent), node) && tree.depth(parent) + 1 == tree.depth(place));
            // P4: no page of the layer before that links here is better than the parent.
            let before = |from: u32| distances[from as usize] == Some(tree.depth(parent));
            for &(from, _) in survey.arcs.iter().filter(|arc| arc.1 == node && before(arc.0)) {
                prop_assert!(from == tree.node(parent) || survey.better(tree.node(parent), from));
            }
            prop_assert!(tree.children(parent).contains(&place));
        }
        for place in 0..tree.len() {
            let siblings: Vec<u32> = tree.children(place).map(|child| tree.node(child)).collect();
            prop_assert!(siblings.windows(2).all(|pair| survey.better(pair[0], pair[1])));
        }
        let members = survey.members.iter().filter(|member| **member).count();
        let unreached = tree.unreached(survey.count(), &|node| survey.members[node as usize]);
        prop_assert_eq!(unreached, (members - reached.len()) as u64);
    }

    #[test]
    fn a_scan_of_the_arcs_gives_the_same_map(survey in surveys()) {
        let (graph, order) = (survey.graph(), survey.order());
        let member = |node: u32| survey.members[node as usize];
        let scanned = Tree::grow_by_scan(&graph, &order, 0, &member);
        prop_assert_eq!(scanned, Tree::grow_by(&graph, &order, 0, &member));
    }

    #[test]
    fn candidates_are_the_linking_pages_of_the_layer_before_best_first(survey in surveys()) {
        let (tree, graph, order) = (survey.tree(), survey.graph(), survey.order());
        for place in 0..tree.len() {
            let found = tree.candidates(&graph, &order, place);
            prop_assert_eq!(found.first().copied(), tree.parent(place));
            let nodes: Vec<u32> = found.iter().map(|place| tree.node(*place)).collect();
            prop_assert!(nodes.windows(2).all(|pair| survey.better(pair[0], pair[1])));
            let above = |from: u32| tree.depth(from) + 1 == tree.depth(place);
            let linking = |from: &u32| above(*from) && graph.links(tree.node(*from), tree.node(place));
            let mut sorted = found;
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..tree.len()).filter(linking).collect::<Vec<_>>());
        }
        prop_assert!(tree.candidates(&graph, &order, tree.len()).is_empty());
    }

    #[test]
    fn other_numbers_for_the_same_pages_give_the_same_map(survey in surveys(), seed in any::<u64>()) {
        // New numbers: sorted by a scramble of the old ones; the root is found again by its name.
        let count = survey.count();
        let mut old: Vec<u32> = (0..count).collect();
        let scramble = |node: u32| (u64::from(node) + 1).wrapping_mul(seed | 1).rotate_left(29);
        old.sort_by_key(|node| scramble(*node).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut new = vec![0u32; count as usize];
        for (number, node) in (0u32..).zip(&old) {
            new[*node as usize] = number;
        }
        let names = |numbers: &[u32], node: u32| survey.names[numbers[node as usize] as usize];
        let grow = |numbers: &[u32], arcs: Vec<(u32, u32)>, root: u32| {
            let graph = Csr::of_arcs(count, arcs);
            let ranks = rank(&graph, &Settings::default()).values;
            let by_name = |a: u32, b: u32| names(numbers, a).cmp(&names(numbers, b));
            let is_member = |node: u32| survey.members[numbers[node as usize] as usize];
            let tree = Tree::grow(&graph, &ranks, root, &is_member, &by_name);
            (0..tree.len()).map(|place| (names(numbers, tree.node(place)), tree.parent(place))).collect::<Vec<_>>()
        };
        let same: Vec<u32> = (0..count).collect();
        let renumbered = survey.arcs.iter().map(|arc| (new[arc.0 as usize], new[arc.1 as usize])).collect();
        prop_assert_eq!(grow(&same, survey.arcs.clone(), 0), grow(&old, renumbered, new[0]));
    }
}

/// The example of the paper, section 3.4. Its edges by the letters of figure 1: a, b, c from the home page; d, e from A,
/// f from B, g, g' from C; i and i' to B, which is in the map; h from the third layer to a page that is in it already.
/// Where i, i' and h begin and end is our choice among what its words allow.
#[test]
fn figure_1_of_the_paper() {
    const NAMES: [&str; 8] = ["HP", "A", "B", "C", "D", "E", "G", "G'"];
    let node = |name: &str| NAMES.iter().position(|known| *known == name).unwrap() as u32;
    let (a, b, c) = (("HP", "A"), ("HP", "B"), ("HP", "C"));
    let (d, e, f, g, g_) = (("A", "D"), ("A", "E"), ("B", "E"), ("C", "G"), ("C", "G'"));
    let (h, i, i_) = (("D", "E"), ("A", "B"), ("C", "B"));
    let arcs = [a, b, c, d, e, f, g, g_, h, i, i_].map(|(from, to)| (node(from), node(to)));
    let graph = Csr::of_arcs(8, arcs);
    // The figure shows the ranks after one round; the map is the same when they have settled.
    for rounds in [1, 200] {
        let ranks = rank(&graph, &Settings { rounds, ..Settings::default() }).values;
        assert!(ranks[node("B") as usize] > ranks[node("A") as usize], "f wins over e for this reason");
        let tree = Tree::grow(&graph, &ranks, 0, &|_| true, &|a, b| NAMES[a as usize].cmp(NAMES[b as usize]));
        let mut edges: Vec<(&str, &str)> = (1..tree.len())
            .filter_map(|place| Some((tree.node(tree.parent(place)?), tree.node(place))))
            .map(|(from, to)| (NAMES[from as usize], NAMES[to as usize]))
            .collect();
        edges.sort_unstable();
        let mut bold = [a, b, c, d, f, g, g_];
        bold.sort_unstable();
        assert_eq!(edges, bold);
        assert_eq!((tree.layer_count(), tree.node(tree.layer(1).start)), (3, node("B")));
    }
}

#[test]
fn roots_and_orders_that_do_not_fit_give_no_map_or_a_smaller_one() {
    let graph = Csr::of_arcs(4, [(0, 1), (1, 2), (2, 3)]);
    let by_number = |a: u32, b: u32| a.cmp(&b);
    assert!(Tree::grow(&graph, &[1.0; 4], 9, &|_| true, &by_number).is_empty());
    assert!(Tree::grow(&graph, &[1.0; 4], 0, &|node| node != 0, &by_number).is_empty());
    assert_eq!(Tree::grow(&graph, &[1.0], 0, &|_| true, &by_number).len(), 4);
    assert_eq!(Tree::grow(&graph, &[1.0; 9], 0, &|_| true, &by_number).len(), 4);
    let (short, long) = (Order::new(&[1.0; 3], &by_number), Order::new(&[1.0; 9], &by_number));
    assert_eq!(Tree::grow_by(&graph, &short, 0, &|_| true).len(), 3);
    assert_eq!(Tree::grow_by(&graph, &long, 0, &|_| true).len(), 4);
    assert_eq!(Tree::grow(&graph, &[f64::NAN; 4], 1, &|_| true, &by_number).unreached(4, &|_| true), 1);
}

#[test]
fn a_path_of_a_hundred_thousand_layers_is_no_burden() {
    let count = 100_000u32;
    let graph = Csr::of_arcs(count, (1..count).map(|node| (node - 1, node)));
    let tree = Tree::grow(&graph, &vec![1.0; count as usize], 0, &|_| true, &|a, b| a.cmp(&b));
    assert_eq!((tree.len(), tree.layer_count(), tree.walk().count()), (count, count, 2 * count as usize));
}
