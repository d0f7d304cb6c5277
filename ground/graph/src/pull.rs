//! The transposed graph laid out so that a round of PageRank runs straight through memory.
//!
//! Rule: rows are cut into stretches of about equal work; within a stretch, nodes are numbered anew by their number of arcs, so
//! that rows of equal length stand together and the processor foresees the end of each. Neighbors stay near: a new number is
//! in the same stretch as the old one. An arc is kept as the place of its source's weight, and a node has two weights if
//! there is navigation, one for each kind of link. The arcs of a row keep their order, so the sums do not depend on any of this.
//! Source: own; sorting rows by length within windows is known from sliced sparse matrices (SELL-C-sigma, Kreutzer et al. 2014).
//! Cost: O(nodes + arcs) to lay out, a round reads 4 bytes an arc and 16 a node (rank, share) and writes 16 (rank, weight).
//! Not guaranteed: an even load if one row is most of the graph; a row is never cut.

use std::ops::Range;

use rayon::join;
use rayon::prelude::*;

use crate::Csr;
use crate::transpose::stretches;

/// Arcs and rows of a stretch: small enough that its weights stay in the first cache and work can be shared out, large enough
/// not to notice the sharing.
const WEIGHT_OF_A_STRETCH: u64 = 1 << 15;

/// Neighboring nodes, in the new numbering, with as many arcs each.
struct Run {
    arcs: usize,
    nodes: usize,
}

/// A piece of work.
struct Stretch {
    first_arc: usize,
    nodes: Range<u32>,
    runs: Vec<Run>,
}

/// Backlinks in the new numbering.
pub(crate) struct Backlinks {
    stretches: Vec<Stretch>,
    /// Where the weight of each arc's source stands.
    sources: Vec<u32>,
    /// The old number of each node.
    old: Vec<u32>,
    /// Weights a node has: 2 if navigation links weigh differently.
    weights_a_node: usize,
}

/// What a round needs to know.
pub(crate) struct Round<'a> {
    pub(crate) backlinks: &'a Backlinks,
    /// What each rank begins with: 1 - k.
    pub(crate) base: f64,
    /// What a navigation link counts.
    pub(crate) navigation: f64,
    /// k / C(q) of each node.
    pub(crate) shares: &'a [f64],
    /// What each node gives along a link, from the round before.
    pub(crate) weights: &'a [f64],
}

impl Backlinks {
    /// Lays out the arcs that lead to each node. Nothing if the numbers of the weights do not fit into 32 bits.
    pub(crate) fn from_graph(graph: &Csr, marked: bool) -> Option<Backlinks> {
        let weights_a_node = if marked { 2 } else { 1 };
        if u64::from(graph.node_count()) * weights_a_node as u64 > u64::from(u32::MAX) {
            return None;
        }
        let backlinks = graph.transpose();
        let offsets = backlinks.offsets();
        let mut old: Vec<u32> = (0..graph.node_count()).collect();
        let cuts = stretches(offsets, WEIGHT_OF_A_STRETCH);
        let parts = slices(&mut old, cuts.iter().map(|nodes| nodes.len()));
        let laid: Vec<Stretch> = cuts
            .into_par_iter()
            .zip(parts)
            .map(|(nodes, old)| {
                old.sort_by_key(|&node| backlinks.successors(node).len());
                let equal = old.chunk_by(|&a, &b| backlinks.successors(a).len() == backlinks.successors(b).len());
                let runs =
                    equal.map(|run| Run { arcs: backlinks.successors(run[0]).len(), nodes: run.len() }).collect();
                Stretch { first_arc: offsets[nodes.start as usize] as usize, nodes, runs }
            })
            .collect();
        let mut new = vec![0u32; old.len()];
        for (number, &node) in (0u32..).zip(&old) {
            new[node as usize] = number;
        }
        let mut sources = vec![0u32; backlinks.targets().len()];
        let arcs_of = |stretch: &Stretch| stretch.runs.iter().map(|run| run.arcs * run.nodes).sum();
        let parts = slices(&mut sources, laid.iter().map(arcs_of));
        laid.par_iter().zip(parts).for_each(|(stretch, sources)| {
            let nodes = &old[stretch.nodes.start as usize..stretch.nodes.end as usize];
            let arcs = nodes.iter().flat_map(|&node| backlinks.marked_successors(node));
            for (place, (source, mark)) in sources.iter_mut().zip(arcs) {
                *place = new[source as usize] * weights_a_node as u32 + u32::from(marked && mark);
            }
        });
        Some(Backlinks { stretches: laid, sources, old, weights_a_node })
    }

    /// The old number of each node.
    pub(crate) fn old(&self) -> &[u32] {
        &self.old
    }

    /// How many weights a node has.
    pub(crate) fn weights_a_node(&self) -> usize {
        self.weights_a_node
    }
}

impl Round<'_> {
    /// Makes all ranks and the weights for the next round from the weights of the last. Returns the largest change of a rank.
    pub(crate) fn make(&self, ranks: &mut [f64], fresh: &mut [f64]) -> f64 {
        self.share_out(&self.backlinks.stretches, ranks, fresh)
    }

    fn share_out(&self, stretches: &[Stretch], ranks: &mut [f64], fresh: &mut [f64]) -> f64 {
        let [only] = stretches else {
            let (left, right) = stretches.split_at(stretches.len() / 2);
            let Some(last) = left.last() else { return 0.0 };
            let nodes = (last.nodes.end - left[0].nodes.start) as usize;
            let (left_ranks, right_ranks) = ranks.split_at_mut(nodes);
            let (left_fresh, right_fresh) = fresh.split_at_mut(nodes * self.backlinks.weights_a_node);
            let one = || self.share_out(left, left_ranks, left_fresh);
            let other = || self.share_out(right, right_ranks, right_fresh);
            let (one, other) = join(one, other);
            return one.max(other);
        };
        self.pull(only, ranks, fresh)
    }

    /// The runs of a stretch, one after the other. Short rows, which most are, have their length known to the compiler.
    fn pull(&self, stretch: &Stretch, ranks: &mut [f64], fresh: &mut [f64]) -> f64 {
        let shares = &self.shares[stretch.nodes.start as usize..];
        let wide = self.backlinks.weights_a_node;
        let mut change = 0.0f64;
        let (mut node, mut arc) = (0, stretch.first_arc);
        for run in &stretch.runs {
            let (nodes, arcs) = (node..node + run.nodes, arc..arc + run.arcs * run.nodes);
            (node, arc) = (nodes.end, arcs.end);
            let here = &self.backlinks.sources[arcs];
            let slots = Slots {
                fresh: &mut fresh[nodes.start * wide..nodes.end * wide],
                ranks: &mut ranks[nodes.clone()],
                shares: &shares[nodes],
            };
            let largest = match run.arcs {
                0 => slots.fill(self, std::iter::repeat_n(0.0, run.nodes)),
                1 => self.short::<1>(slots, here),
                2 => self.short::<2>(slots, here),
                3 => self.short::<3>(slots, here),
                4 => self.short::<4>(slots, here),
                5 => self.short::<5>(slots, here),
                6 => self.short::<6>(slots, here),
                7 => self.short::<7>(slots, here),
                8 => self.short::<8>(slots, here),
                arcs => slots.fill(self, here.chunks_exact(arcs).map(|row| self.sum(row))),
            };
            change = change.max(largest);
        }
        change
    }

    fn short<const ARCS: usize>(&self, slots: Slots<'_>, sources: &[u32]) -> f64 {
        let (rows, _) = sources.as_chunks::<ARCS>();
        slots.fill(self, rows.iter().map(|row| row.iter().map(|&place| self.weights[place as usize]).sum()))
    }

    /// The weights at these places together. Four sums side by side, since one would wait for each addition before the next;
    /// always the same four.
    fn sum(&self, places: &[u32]) -> f64 {
        let at = |place: u32| self.weights[place as usize];
        let mut sums = [0.0f64; 4];
        let (fours, rest) = places.as_chunks::<4>();
        for four in fours {
            for (sum, &place) in sums.iter_mut().zip(four) {
                *sum += at(place);
            }
        }
        let rest: f64 = rest.iter().map(|&place| at(place)).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }
}

/// Where the ranks and weights of a run of nodes go.
struct Slots<'a> {
    ranks: &'a mut [f64],
    fresh: &'a mut [f64],
    shares: &'a [f64],
}

impl Slots<'_> {
    /// Makes ranks and weights from what the rows sum up to. Returns the largest change of a rank.
    #[inline]
    fn fill(self, round: &Round<'_>, sums: impl Iterator<Item = f64>) -> f64 {
        let nodes = self.ranks.iter_mut().zip(self.shares).zip(sums);
        if round.backlinks.weights_a_node == 1 {
            return renew(round.base, nodes.zip(self.fresh), |fresh, weight| *fresh = weight);
        }
        let (pairs, _) = self.fresh.as_chunks_mut::<2>();
        renew(round.base, nodes.zip(pairs), |fresh, weight| *fresh = [weight, weight * round.navigation])
    }
}

/// A node of a round: its rank, its share, the sum of its row, and where its weights go.
type Node<'a, W> = (((&'a mut f64, &'a f64), f64), &'a mut W);

#[inline]
fn renew<'a, W: 'a>(base: f64, nodes: impl Iterator<Item = Node<'a, W>>, put: impl Fn(&mut W, f64)) -> f64 {
    let mut change = 0.0f64;
    for (((rank, share), sum), fresh) in nodes {
        let new = base + sum;
        // Not `max`, which spends time on numbers that are none; there are none here.
        let step = (new - *rank).abs();
        change = if step > change { step } else { change };
        *rank = new;
        put(fresh, new * share);
    }
    change
}

/// Cuts a vector into parts of these lengths.
fn slices<T>(whole: &mut [T], lengths: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    let mut rest = whole;
    lengths
        .map(|length| {
            let (part, later) = std::mem::take(&mut rest).split_at_mut(length);
            rest = later;
            part
        })
        .collect()
}
