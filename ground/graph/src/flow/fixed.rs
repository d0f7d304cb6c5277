//! Capacities and prices as whole numbers, so that sums are exact, ties are ties, and pushing ends.
//!
//! Rule: whole = round(amount * scale), the scale being the greatest power of two at which the arcs of no node, in and out
//! together, add up to more than 2^60. What a node can ever hold is bounded by that and by its own price less its pull, which is
//! cut off at 2^61 either way (nothing can fill such a price, nothing can use up such a pull): no sum of a node leaves 64 bits.
//! Error: an amount is off by at most 1 / (2 * scale), that is by 2^-61 of the busiest node's capacity; a cut of k arcs and n
//! pages by k + n times that. A positive price never becomes 0: it is at least one unit. If the busiest node's links add
//! up to 10,000, the unit is 1.4e-14, and the paper's price of 4.4e-11 is off by 2e-4 of itself.
//! Source: own.
//! Not guaranteed: that capacities further apart than 2^60 can both be told from 0.

/// The most that all arcs of a node may add up to, as a power of two.
const BITS: i32 = 60;

/// More than any node can be given by its arcs.
pub(super) const MOST: i64 = 1 << 61;

/// From here on a capacity counts as infinite: sums of them would no longer be numbers.
const HUGE: f64 = 1e250;

/// Units per 1.0: a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale(f64);

impl Scale {
    /// The greatest scale that fits the largest sum of a node's capacities.
    pub(super) fn fitting(busiest: f64) -> Scale {
        let busiest = if busiest > 0.0 { busiest } else { 1.0 };
        Scale(2f64.powi(BITS - (busiest.log2().ceil() as i32).clamp(-900, 900)))
    }

    /// The nearest whole number between -[`MOST`] and [`MOST`]; 0 for what is not a number.
    pub(super) fn whole(self, amount: f64) -> i64 {
        // A cast takes what is not a number to 0, and what is too large to the largest.
        ((amount * self.0).round() as i64).clamp(-MOST, MOST)
    }

    /// As [`whole`](Scale::whole), but what is positive stays so.
    pub(super) fn whole_price(self, price: f64) -> i64 {
        self.whole(price).max(i64::from(price > 0.0))
    }

    /// The amount that a whole number stands for.
    pub(super) fn amount(self, whole: i128) -> f64 {
        whole as f64 / self.0
    }
}

/// Makes capacities fit to be added up: what is negative or not a number becomes 0, and what is infinite becomes twice the sum of
/// all that is finite, or 1 if there is nothing finite.
pub(super) fn tame(capacities: &mut [f64]) {
    let mut sum = 0.0;
    let mut endless = false;
    for capacity in capacities.iter_mut() {
        if *capacity >= HUGE {
            endless = true;
        } else if *capacity > 0.0 {
            sum += *capacity;
        } else {
            *capacity = 0.0;
        }
    }
    if endless {
        let infinite = if sum > 0.0 { 2.0 * sum } else { 1.0 };
        capacities.iter_mut().filter(|capacity| **capacity >= HUGE).for_each(|capacity| *capacity = infinite);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_greatest_that_fits() {
        for busiest in [1e-250, 1e-9, 0.7, 1.0, 1.1, 3.0, 16_135.0, 1e200] {
            let Scale(scale) = Scale::fitting(busiest);
            let most = 2f64.powi(BITS);
            assert!(busiest * scale <= most && busiest * scale > most / 2.0, "{busiest}: {scale}");
        }
        for strange in [0.0, -1.0, f64::NAN] {
            assert_eq!(Scale::fitting(strange), Scale::fitting(1.0));
        }
        assert!(Scale::fitting(f64::INFINITY).0 > 0.0);
    }

    #[test]
    fn amounts_are_rounded_and_strange_ones_are_bounded() {
        let scale = Scale(1024.0);
        assert_eq!([0.0, -1.0, f64::NAN, 1.0, 0.00051].map(|amount| scale.whole(amount)), [0, -1024, 0, 1024, 1]);
        let beyond = [f64::INFINITY, 1e300, -1e300, f64::NEG_INFINITY];
        assert_eq!(beyond.map(|amount| scale.whole(amount)), [MOST, MOST, -MOST, -MOST]);
        assert_eq!([0.0, f64::NAN, 1e-300, 2.0].map(|price| scale.whole_price(price)), [0, 0, 1, 2048]);
        assert_eq!(scale.amount(512), 0.5);
    }

    #[test]
    fn the_papers_price_survives_on_a_large_graph() {
        // A hub with a million neighbors.
        let scale = Scale::fitting(1e6);
        let price = 4.4e-11;
        let whole = scale.whole_price(price);
        assert!(whole > 40, "{whole}");
        assert!((scale.amount(i128::from(whole)) / price - 1.0).abs() < 0.02);
    }

    #[test]
    fn strange_capacities_are_tamed() {
        let mut capacities = [1.0, f64::NAN, -2.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, 1e300];
        tame(&mut capacities);
        assert_eq!(capacities, [1.0, 0.0, 0.0, 0.5, 3.0, 0.0, 3.0]);
        let mut capacities = [f64::INFINITY, 0.0];
        tame(&mut capacities);
        assert_eq!(capacities, [1.0, 0.0]);
    }
}
