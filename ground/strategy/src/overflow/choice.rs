//! Which price next, and which of the sites found is the answer: decided outside, asked for here.
//!
//! Source: Gallo, Grigoriadis and Tarjan, A Fast Parametric Maximum Flow Algorithm and Applications, 1989: on one network the
//! sites of falling prices are nested, each within the next, and the flow at one price is where the search at the next begins.

/// A price at which the search came to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceStep {
    /// The price of a page.
    pub price: f64,
    /// Pages of the site.
    pub size: u32,
    /// The capacity of the links that lead out of it.
    pub boundary: f64,
    /// The capacity of the links within it.
    pub inside: f64,
    /// Pages that had been asked for by then.
    pub fetches: u32,
    /// Overflow left on pages that were not asked for, being below the threshold.
    pub left: f64,
}

/// What follows a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// Go on at this price.
    Lower(f64),
    /// The search is over.
    Done {
        /// The step that is the answer.
        chosen: usize,
    },
}

/// Decides after each step. Must depend on nothing but the steps: a crawl that goes on after an interruption asks again.
pub trait Chooser: Send {
    /// Price of the first step.
    fn first(&mut self) -> f64;

    /// The search came to rest; the last of the steps is new.
    fn after(&mut self, steps: &[PriceStep]) -> Next;

    /// The price after the last of the steps was given up: which of them is the answer? There is at least one.
    fn given_up(&mut self, steps: &[PriceStep]) -> usize {
        steps.len() - 1
    }
}

/// These prices one after the other, the highest first; the answer is the last.
#[derive(Clone, Debug)]
pub struct Prices(Vec<f64>);

impl Prices {
    /// A single price.
    pub fn one(price: f64) -> Prices {
        Prices::falling(&[price])
    }

    /// These, once each. What is no price (not a number, or not above 0) is left out.
    pub fn falling(prices: &[f64]) -> Prices {
        let mut sorted: Vec<f64> = prices.iter().copied().filter(|price| price.is_finite() && *price > 0.0).collect();
        sorted.sort_by(|a, b| b.total_cmp(a));
        sorted.dedup();
        Prices(sorted)
    }
}

impl Chooser for Prices {
    fn first(&mut self) -> f64 {
        self.0.first().copied().unwrap_or(f64::INFINITY)
    }

    fn after(&mut self, steps: &[PriceStep]) -> Next {
        match self.0.get(steps.len()) {
            Some(&price) => Next::Lower(price),
            None => Next::Done { chosen: steps.len().saturating_sub(1) },
        }
    }
}

/// A first price, and a function that decides after each step.
impl<F: FnMut(&[PriceStep]) -> Next + Send> Chooser for (f64, F) {
    fn first(&mut self) -> f64 {
        self.0
    }

    fn after(&mut self, steps: &[PriceStep]) -> Next {
        (self.1)(steps)
    }
}
