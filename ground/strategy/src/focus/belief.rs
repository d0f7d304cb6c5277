//! What a link promises, learned from what links paid: a small logistic model, fitted as pages come in.
//!
//! ```text
//! p(l) = 1 / (1 + exp(-(a_shape + a_coarse + a_part + b_level + c_fans)))
//! after a page that was worth y:   each of the five += rate(n) (y - p),     rate(n) = RATE / sqrt(1 + n / SLOW), n: times it was fitted
//! ```
//!
//! b begins at the log odds of the prior of its level, as if fitted `KNOWN` times, the others at 0. So what a kind of URL is worth and what a text is worth
//! are told apart: authors' names under promising summaries do not spoil summaries for titles.
//!
//! Source: logistic regression by stochastic gradient (Robbins and Monro 1951), every feature being there or not. O(1) per page.
//! Not guaranteed: anything about features that only work together; cells of `arms` see to these.

/// The size of the first step.
const RATE: f64 = 1.2;
/// Steps after which it is clearly smaller.
const SLOW: f64 = 4.0;
/// Steps that a weight with a prior has behind it: it moves less than one that nothing is known of.
const KNOWN: f64 = 60.0;
/// Weights are kept within these bounds, so that a change is noticed before long.
const BOUND: f64 = 5.0;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Weight {
    value: f64,
    fitted: f64,
}

impl Weight {
    /// Begins at the log odds of this probability.
    pub(crate) fn from_probability(probability: f64) -> Weight {
        let p = probability.clamp(0.001, 0.999);
        Weight { value: (p / (1.0 - p)).ln(), fitted: KNOWN }
    }

    fn fit(&mut self, error: f64) {
        self.value = (self.value + RATE / (1.0 + self.fitted / SLOW).sqrt() * error).clamp(-BOUND, BOUND);
        self.fitted += 1.0;
    }
}

/// The probability that these weights give together.
pub(crate) fn probability(weights: &[Weight]) -> f64 {
    let sum: f64 = weights.iter().map(|weight| weight.value).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// Fits weights to a page that was worth this much, 0 to 1.
pub(crate) fn fit(weights: &mut [&mut Weight], worth: f64) {
    let sum: f64 = weights.iter().map(|weight| weight.value).sum();
    let error = worth - 1.0 / (1.0 + (-sum).exp());
    weights.iter_mut().for_each(|weight| weight.fit(error));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_begins_at_its_prior() {
        assert!((probability(&[Weight::from_probability(0.2), Weight::default()]) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn kinds_and_texts_are_told_apart() {
        let (mut good, mut bad, mut near, mut far) =
            (Weight::default(), Weight::default(), Weight::from_probability(0.5), Weight::from_probability(0.1));
        for _ in 0..30 {
            fit(&mut [&mut good, &mut far], 0.6);
            fit(&mut [&mut bad, &mut near], 0.0);
        }
        assert!(probability(&[good, near]) > 0.6, "{}", probability(&[good, near]));
        assert!(probability(&[bad, near]) < 0.1);
    }

    #[test]
    fn weights_stay_bounded() {
        let mut weight = Weight::from_probability(1.0);
        (0..10_000).for_each(|_| fit(&mut [&mut weight], 1.0));
        assert!(weight.value <= BOUND);
    }
}
