//! The prices of a family one after the other, until the choice among them is made.
//!
//! The same prices and the same choice as off-line ([`groma_bounds::choose`]), but every price costs fetches, so the search ends
//! as soon as no lower price could change the choice ([`groma_bounds::is_settled`]).

use groma_bounds::{Similarity, choose, is_settled, prices};

use super::{Chooser, Next, PriceStep};

/// The member of the family that stands longest.
#[derive(Clone, Debug)]
pub struct Longest {
    prices: Vec<f64>,
    /// The capacity of a link within a folder.
    unit: f64,
    /// The seeds are clusters.
    from_clusters: bool,
}

impl Longest {
    /// For links whose capacity is this similarity; `from_clusters` says that the seeds are clusters.
    pub fn new(similarity: &Similarity, from_clusters: bool) -> Longest {
        Longest { prices: prices(similarity), unit: similarity.of_distance(1), from_clusters }
    }

    fn choice(&self, steps: &[PriceStep]) -> usize {
        choose(&family(steps), self.unit, self.from_clusters).0
    }
}

impl Chooser for Longest {
    fn first(&mut self) -> f64 {
        self.prices.first().copied().unwrap_or(f64::INFINITY)
    }

    fn after(&mut self, steps: &[PriceStep]) -> Next {
        match self.prices.get(steps.len()) {
            Some(&price) if !is_settled(&family(steps), self.unit, self.from_clusters) => Next::Lower(price),
            _ => Next::Done { chosen: self.choice(steps) },
        }
    }

    fn given_up(&mut self, steps: &[PriceStep]) -> usize {
        self.choice(steps)
    }
}

fn family(steps: &[PriceStep]) -> Vec<groma_bounds::FamilyStep> {
    let step = |s: &PriceStep| groma_bounds::FamilyStep {
        epsilon: s.price,
        size: s.size,
        boundary: s.boundary,
        inside: s.inside,
    };
    steps.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(price: f64, size: u32) -> PriceStep {
        let (boundary, inside) = if size > 1 { (1.0, 90.0) } else { (9.0, 0.0) };
        PriceStep { price, size, boundary, inside, fetches: size, left: 0.0 }
    }

    #[test]
    fn prices_fall_until_nothing_could_stand_longer() {
        let mut chooser = Longest::new(&Similarity::new(1.0), false);
        let mut steps = vec![step(chooser.first(), 1)];
        while let Next::Lower(price) = chooser.after(&steps) {
            assert!(price < steps[steps.len() - 1].price);
            steps.push(step(price, if steps.len() < 14 { 50 } else { 900 }));
        }
        assert_eq!(steps.len(), 15, "one look at what follows the plateau is enough");
        assert_eq!(chooser.after(&steps), Next::Done { chosen: 13 });
        assert_eq!(chooser.given_up(&steps[..10]), 9);
    }
}
