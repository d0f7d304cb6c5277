//! How alike two URLs are: the capacity of a link between them.
//!
//! ```text
//! sim(u, v) = exp(-ed(u, v)^2 / (2 sigma^2))
//! sigma     = standard deviation of ed over pairs of URLs (the paper's crawl: 7.24), or given
//! ```
//!
//! Source: paper 2, section 2.4.1. The values for all distances stand in a table, so a link costs its distance and a look-up.
//! Distances whose similarity is below 1e-15 count as infinite: similarity 0.

use crate::Tokens;

/// Similarities below this are none.
const LEAST: f64 = 1e-15;

/// The similarity of each distance.
#[derive(Clone, Debug)]
pub struct Similarity {
    sigma: f64,
    of_distance: Vec<f64>,
}

impl Similarity {
    /// With this sigma; one that is not a positive number counts as the smallest that makes sense.
    pub fn new(sigma: f64) -> Similarity {
        let sigma = if sigma.is_finite() { sigma.clamp(0.05, 100.0) } else { 1.0 };
        let of = |distance: u32| (-f64::from(distance).powi(2) / (2.0 * sigma * sigma)).exp();
        let of_distance = (0..).map(of).take_while(|&similarity| similarity >= LEAST).collect();
        Similarity { sigma, of_distance }
    }

    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// The similarity of URLs this far apart.
    pub fn of_distance(&self, distance: u32) -> f64 {
        self.of_distance.get(distance as usize).copied().unwrap_or(0.0)
    }

    /// The similarity of two URLs.
    pub fn between(&self, tokens: &Tokens, a: u32, b: u32) -> f64 {
        self.of_distance(tokens.distance(a, b, self.of_distance.len() as u32))
    }
}

/// The standard deviation of the distances between URLs, over at most `pairs` pairs drawn in a fixed way; nothing if
/// there are fewer than two URLs.
pub fn deviation(tokens: &Tokens, addresses: &[u32], pairs: u32) -> Option<f64> {
    if addresses.len() < 2 {
        return None;
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        addresses[((state >> 33) % addresses.len() as u64) as usize]
    };
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for _ in 0..pairs {
        let (a, b) = (draw(), draw());
        if a != b {
            let apart = f64::from(tokens.distance(a, b, u32::MAX - 1));
            count += 1.0;
            sum += apart;
            squares += apart * apart;
        }
    }
    let mean = sum / f64::max(count, 1.0);
    (count > 0.0).then(|| (squares / count - mean * mean).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_the_paper_come_out() {
        let of_paper = Similarity::new(7.24);
        assert_eq!(of_paper.of_distance(0), 1.0);
        assert!((of_paper.of_distance(50) / 4.4e-11 - 1.0).abs() < 0.02, "{}", of_paper.of_distance(50));
        assert_eq!(of_paper.of_distance(1000), 0.0);
    }

    #[test]
    fn addresses_of_one_folder_are_more_alike_than_others() {
        let mut tokens = Tokens::new();
        let (a, b, c) = (tokens.push("http://h/a/x"), tokens.push("http://h/a/y"), tokens.push("http://g/b/z"));
        let similarity = Similarity::new(1.66);
        assert_eq!(similarity.between(&tokens, a, a), 1.0);
        assert!(similarity.between(&tokens, a, b) > similarity.between(&tokens, a, c));
    }

    #[test]
    fn the_deviation_of_distances_is_that_of_all_pairs() {
        let mut tokens = Tokens::new();
        let all: Vec<u32> = (0..50).map(|n| tokens.push(&format!("http://h/{}/{}", n % 3, n))).collect();
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        for &a in &all {
            for &b in &all {
                if a != b {
                    let apart = f64::from(tokens.distance(a, b, 99));
                    (sum, squares, count) = (sum + apart, squares + apart * apart, count + 1.0);
                }
            }
        }
        let exact = (squares / count - (sum / count) * (sum / count)).sqrt();
        let drawn = deviation(&tokens, &all, 20_000).unwrap();
        assert!((drawn - exact).abs() < 0.02, "{drawn} {exact}");
        assert_eq!(deviation(&tokens, &all[..1], 10), None);
    }

    #[test]
    fn a_sigma_that_is_no_number_does_no_harm() {
        for sigma in [f64::NAN, f64::INFINITY, 0.0, -1.0] {
            let similarity = Similarity::new(sigma);
            assert_eq!(similarity.of_distance(0), 1.0);
            assert!(similarity.of_distance(1) < 1.0);
        }
    }
}
