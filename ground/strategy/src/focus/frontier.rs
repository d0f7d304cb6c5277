//! Known pages that wait, by weight.
//!
//! A heap with one live entry per page; a page whose weight changes gets a new entry, and old ones are thrown away when they come up,
//! or all at once when they are the most. Equal weights: first known, first served. O(log n) per change or page; 16 bytes
//! per entry, at most twice as many entries as pages known.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Unknown,
    Waiting,
    Taken,
}

/// The pages that wait.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier {
    heap: BinaryHeap<(u64, Reverse<u32>)>,
    /// By node.
    weights: Vec<f64>,
    states: Vec<u8>,
    waiting: usize,
}

/// The bits of a number that is not negative are in the order of the number.
fn key(weight: f64) -> u64 {
    if weight > 0.0 { weight.to_bits() } else { 0 }
}

impl Frontier {
    fn state(&self, node: u32) -> State {
        match self.states.get(node as usize) {
            Some(1) => State::Waiting,
            Some(2) => State::Taken,
            _ => State::Unknown,
        }
    }

    fn set_state(&mut self, node: u32, state: State) {
        let at = node as usize;
        if self.states.len() <= at {
            self.states.resize(at + 1, 0);
            self.weights.resize(at + 1, 0.0);
        }
        self.waiting += usize::from(state == State::Waiting);
        self.waiting -= usize::from(self.states[at] == State::Waiting as u8);
        self.states[at] = state as u8;
    }

    /// The page waits with this weight from now on; one that was taken stays taken.
    pub(crate) fn put(&mut self, node: u32, weight: f64) {
        let weight = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
        match self.state(node) {
            State::Taken => return,
            State::Waiting if self.weight(node) == weight => return,
            _ => self.set_state(node, State::Waiting),
        }
        self.weights[node as usize] = weight;
        self.heap.push((key(weight), Reverse(node)));
        if self.heap.len() > 2 * self.waiting + 64 {
            let (weights, states) = (&self.weights, &self.states);
            let waits = |node: u32| states[node as usize] == State::Waiting as u8;
            // An entry with the page's present weight is live; of equal ones, one.
            let live = (0..states.len() as u32).filter(|node| waits(*node));
            self.heap = live.map(|node| (key(weights[node as usize]), Reverse(node))).collect();
        }
    }

    /// Sets the weight of a page that no longer waits, or never did.
    pub(crate) fn set(&mut self, node: u32, weight: f64) {
        self.set_state(node, State::Taken);
        self.weights[node as usize] = if weight.is_finite() { weight.max(0.0) } else { 0.0 };
    }

    /// The weight of a page; 0 if it is unknown.
    pub(crate) fn weight(&self, node: u32) -> f64 {
        self.weights.get(node as usize).copied().unwrap_or_default()
    }

    /// Has it never been put or set?
    pub(crate) fn is_new(&self, node: u32) -> bool {
        self.state(node) == State::Unknown
    }

    /// How many pages wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    /// Weight of the page that comes next.
    pub(crate) fn top(&mut self) -> Option<f64> {
        while let Some(&(bits, Reverse(node))) = self.heap.peek() {
            if self.state(node) == State::Waiting && key(self.weight(node)) == bits {
                return Some(self.weight(node));
            }
            self.heap.pop();
        }
        None
    }

    /// Takes the page with the largest weight.
    pub(crate) fn pop(&mut self) -> Option<(u32, f64)> {
        let weight = self.top()?;
        let (_, Reverse(node)) = self.heap.pop()?;
        self.set_state(node, State::Taken);
        Some((node, weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_weight_comes_first_and_nothing_twice() {
        let mut frontier = Frontier::default();
        for (node, weight) in [(3, 0.5), (1, 0.5), (2, 0.9), (4, f64::NAN), (5, -1.0), (2, 0.1), (4, 0.7)] {
            frontier.put(node, weight);
        }
        assert_eq!((frontier.len(), frontier.top()), (5, Some(0.7)));
        let order: Vec<u32> = std::iter::from_fn(|| frontier.pop()).map(|(node, _)| node).collect();
        assert_eq!(order, [4, 1, 3, 2, 5]);
        frontier.put(2, 1.0);
        assert_eq!((frontier.pop(), frontier.len()), (None, 0));
    }

    #[test]
    fn old_entries_do_not_pile_up() {
        let mut frontier = Frontier::default();
        for turn in 0..10_000u32 {
            frontier.put(turn % 10, f64::from(turn));
        }
        assert!(frontier.heap.len() <= 84);
        assert_eq!(frontier.pop(), Some((9, 9999.0)));
    }
}
