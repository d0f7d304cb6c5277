//! From the highest price to the lowest: one preflow, one cut for each price.
//!
//! Rule: prices are sorted, highest first; those that are not numbers are left out, negative ones count as 0. After each price the
//! nodes that came inside are marked with it, and the boundary is brought up to date by their arcs alone.
//! Source: Gallo, Grigoriadis and Tarjan 1989; here without their freezing of nodes, since whoever is inside is out of the work.
//! Cost: O(nodes) for each price, O(arcs) for all of them together, and the flow (`preflow.rs`).

use super::family::{Cut, Family};
use super::fixed::Scale;
use super::network::Network;
use super::preflow::{Preflow, row};

/// How many times the whole network may be looked at for one price. Measured: at most 40 times for a whole sweep.
const PATIENCE: u64 = 1000;

/// The nested sites around some seeds, for each price one.
///
/// `weights`: the page u costs `price * weights[u]`; nothing, or a weight that is missing or not a number, counts as 1, and one
/// that is not positive as next to nothing. `go_on` is asked after each price with the cuts so far; no ends the sweep.
/// Seeds may come twice, and those that are not in the network are left out. Without seeds there are no cuts.
pub fn sweep(
    network: &Network,
    seeds: &[u32],
    prices: &[f64],
    weights: Option<&[f32]>,
    go_on: &mut dyn FnMut(&[Cut]) -> bool,
) -> Family {
    let pulls: Vec<(u32, f64)> = seeds.iter().map(|&seed| (seed, f64::INFINITY)).collect();
    sweep_soft(network, &pulls, prices, weights, go_on)
}

/// The site at one price, and for each node whether it is inside. Without seeds, or if the price is not a number, nobody is.
pub fn cut(network: &Network, seeds: &[u32], price: f64) -> (Cut, Vec<bool>) {
    let family = sweep(network, seeds, &[price], None, &mut |_| true);
    let nothing = Cut { price, value: 0.0, size: 0, boundary: 0.0, exact: true };
    (family.cuts.first().copied().unwrap_or(nothing), family.since.iter().map(|&since| since == 0).collect())
}

/// As [`sweep`], but a seed's source arc can carry its pull only, so that a seed may be left outside if it does not belong.
///
/// Pulls of the same node add up; a pull that is not positive is none, and an infinite one makes a seed as in [`sweep`].
pub fn sweep_soft(
    network: &Network,
    pulls: &[(u32, f64)],
    prices: &[f64],
    weights: Option<&[f32]>,
    go_on: &mut dyn FnMut(&[Cut]) -> bool,
) -> Family {
    let size = network.heads().len() as u64 + u64::from(network.node_count());
    Sweep { network, pulls: &merged(network, pulls), weights, patience: PATIENCE.saturating_mul(size) }
        .run(prices, go_on)
}

/// One entry for each node that is pulled at all, ascending.
fn merged(network: &Network, pulls: &[(u32, f64)]) -> Vec<(u32, f64)> {
    let sound = |pull: &&(u32, f64)| pull.0 < network.node_count() && pull.1 > 0.0;
    let mut pulls: Vec<(u32, f64)> = pulls.iter().filter(sound).copied().collect();
    pulls.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    pulls.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    pulls
}

/// What a sweep is about.
struct Sweep<'a> {
    network: &'a Network,
    pulls: &'a [(u32, f64)],
    weights: Option<&'a [f32]>,
    patience: u64,
}

impl Sweep<'_> {
    fn run(&self, prices: &[f64], go_on: &mut dyn FnMut(&[Cut]) -> bool) -> Family {
        let count = self.network.node_count() as usize;
        let mut family = Family { cuts: Vec::new(), since: vec![u32::MAX; count] };
        let mut prices: Vec<f64> = prices.iter().filter(|price| !price.is_nan()).map(|price| price.max(0.0)).collect();
        prices.sort_unstable_by(|a, b| b.total_cmp(a));
        let (Some(&highest), false) = (prices.first(), self.pulls.is_empty()) else { return family };
        let pulls = self.soft_pulls();
        let mut rooms = Rooms::at(highest, self, &pulls);
        let mut preflow = self.begin(&rooms);
        let mut border = Border::default();
        for &price in &prices {
            let before = std::mem::replace(&mut rooms, Rooms::at(price, self, &pulls));
            preflow.lower(|node| before.sink_capacity(node) - rooms.sink_capacity(node));
            let exact = if price > 0.0 {
                preflow.settle(self.patience)
            } else {
                preflow.put_all_inside();
                true
            };
            let came = &preflow.inside[border.size..];
            border.take_in(self.network, came, family.cuts.len() as u32, &mut family.since);
            border.weight += came.iter().map(|&node| self.weight(node as usize)).sum::<f64>();
            family.cuts.push(self.cut(price, &border, &family.since, exact));
            if !go_on(&family.cuts) {
                break;
            }
        }
        family
    }

    /// The finite pull of each node; nothing at all if no node has one.
    fn soft_pulls(&self) -> Vec<f64> {
        let soft = || self.pulls.iter().filter(|pull| pull.1.is_finite());
        let mut found = vec![0.0; if soft().next().is_some() { self.network.node_count() as usize } else { 0 }];
        for &(node, pull) in soft() {
            found[node as usize] = pull;
        }
        found
    }

    /// The preflow at the first price, seeds flooded.
    fn begin(&self, rooms: &Rooms<'_>) -> Preflow<'_> {
        let nodes = 0..self.network.node_count() as usize;
        let mut preflow = Preflow::new(self.network, nodes.map(|node| rooms.sink_capacity(node)).collect());
        for &(seed, _) in self.pulls.iter().filter(|pull| pull.1.is_infinite()) {
            preflow.flood(seed);
        }
        preflow
    }

    fn scale(&self) -> Scale {
        self.network.scale()
    }

    fn weight(&self, node: usize) -> f64 {
        let given = self.weights.and_then(|weights| weights.get(node)).filter(|weight| !weight.is_nan());
        given.map_or(1.0, |&weight| f64::from(weight).max(0.0))
    }

    fn cut(&self, price: f64, border: &Border, since: &[u32], exact: bool) -> Cut {
        let boundary = self.scale().amount(border.capacity);
        let left: f64 = self.pulls.iter().filter(|pull| since[pull.0 as usize] == u32::MAX).map(|pull| pull.1).sum();
        Cut { price, value: boundary + product(price, border.weight) + left, size: border.size as u32, boundary, exact }
    }
}

/// What the sink arc of each node can carry at a price: what the page costs, less what it is pulled by.
struct Rooms<'a> {
    price: f64,
    sweep: &'a Sweep<'a>,
    pulls: &'a [f64],
    /// The same for all where nothing tells them apart.
    plain: i64,
}

impl<'a> Rooms<'a> {
    fn at(price: f64, sweep: &'a Sweep<'a>, pulls: &'a [f64]) -> Rooms<'a> {
        Rooms { price, sweep, pulls, plain: sweep.scale().whole_price(price) }
    }

    fn sink_capacity(&self, node: usize) -> i64 {
        let pull = self.pulls.get(node).copied().unwrap_or(0.0);
        if self.sweep.weights.is_none() && pull == 0.0 {
            return self.plain;
        }
        let cost = product(self.price, self.sweep.weight(node));
        let room = self.sweep.scale().whole(cost - pull);
        // A price stays one where it is lost in rounding.
        if pull > 0.0 { room } else { room.max(i64::from(self.price > 0.0)) }
    }
}

/// Nothing times whatever is nothing: nobody inside costs nothing at an infinite price.
fn product(price: f64, weight: f64) -> f64 {
    if price > 0.0 && weight > 0.0 { price * weight } else { 0.0 }
}

/// How large the site is by now, what its pages weigh, and what the arcs that leave it can carry.
#[derive(Debug, Default)]
struct Border {
    size: usize,
    weight: f64,
    capacity: i128,
}

impl Border {
    /// Marks the nodes that came inside and moves the border behind them.
    fn take_in(&mut self, network: &Network, came: &[u32], index: u32, since: &mut [u32]) {
        for &node in came {
            since[node as usize] = index;
        }
        for &node in came {
            for arc in row(network, node as usize) {
                let head = network.heads()[arc] as usize;
                if since[head] == u32::MAX {
                    self.capacity += i128::from(network.capacities()[arc]);
                } else if since[head] < index {
                    self.capacity -= i128::from(network.capacities()[network.reverse(arc, head)]);
                }
            }
        }
        self.size += came.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path along which the price can be paid for every node but the last.
    fn path(count: u32) -> Network {
        let edges: Vec<(u32, u32, f64, f64)> =
            (1..count).map(|node| (node - 1, node, f64::from(count - node), f64::from(count - node))).collect();
        Network::of_edges(count, &edges)
    }

    #[test]
    fn work_out_of_proportion_is_broken_off_and_said() {
        let network = path(20_000);
        let pulls = [(0, f64::INFINITY)];
        let run =
            |patience| Sweep { network: &network, pulls: &pulls, weights: None, patience }.run(&[0.5], &mut |_| true);
        let (patient, hasty) = (run(u64::MAX), run(0));
        assert!(patient.cuts[0].exact && !hasty.cuts[0].exact);
        assert!(hasty.cuts[0].size <= patient.cuts[0].size && hasty.cuts[0].value >= patient.cuts[0].value);
        assert!(hasty.inside(0).all(|node| patient.contains(0, node)));
        // Going on from there leads to the same.
        let both = Sweep { network: &network, pulls: &pulls, weights: None, patience: 0 };
        let prices = vec![0.5; 2000];
        let family = both.run(&prices, &mut |cuts| cuts.last().is_some_and(|cut| !cut.exact));
        assert_eq!(family.cuts.last().map(|cut| cut.size), Some(patient.cuts[0].size));
    }

    #[test]
    fn pulls_of_a_node_add_up_and_strange_ones_are_dropped() {
        let network = path(4);
        let pulls = [(3, 1.0), (9, 1.0), (1, f64::NAN), (3, 0.5), (0, -1.0), (2, 0.0), (1, f64::INFINITY)];
        assert_eq!(merged(&network, &pulls), [(1, f64::INFINITY), (3, 1.5)]);
    }
}
