//! The Hopfield net of paper 001: weights that flow along links.
//!
//! ```text
//! (4) mu_i(t+1) = f_s( sum over known parents b of w(b,i) mu_b(t) ),   seeds: mu = 1
//!     w(b,i) = cos(anchor, T), at least a small constant;  0 in noise parts
//! (5) f_s(x) = 1 / (1 + exp((theta_j - x) / theta_0))      logistic
//!     f_s(x) = 2 / (1 + exp(-k x)) - 1                      shifted
//! (6) after fetching i: mu_i := f_s(mu_i R_i)
//! ```
//!
//! Each round takes the pages above theta, the heaviest first. When there is none, theta is halved, again and again; below the lowest
//! theta the crawl ends: "frontier exhausted" if no page is left, "weight too low" if the ones left weigh too little.
//!
//! Source: paper 001; (5) is lost in its text, the two forms are our reading (after Chen's use of the net for concepts). A sum
//! over parents grows as pages are read, and a page that waits is heavier from then on: O(log n) per link. A parent's weight is
//! taken as it was after (6) when its links were read; it is not changed afterwards, so there are no rounds of settling.

use super::End;
use super::frontier::Frontier;
use super::order::Pick;

/// The form of f_s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Squash {
    /// 1 / (1 + exp((theta_j - x) / theta_0)).
    Logistic {
        /// Where it is one half.
        theta_j: f64,
        /// How flat it is.
        theta_0: f64,
    },
    /// 2 / (1 + exp(-k x)) - 1.
    Shifted {
        /// How steep it is.
        k: f64,
    },
}

impl Squash {
    /// f_s(x): rises with x, between 0 and 1, whatever the constants are.
    pub fn apply(self, x: f64) -> f64 {
        let x = if x.is_finite() { x } else { 0.0 };
        let y = match self {
            Squash::Logistic { theta_j, theta_0 } => 1.0 / (1.0 + ((theta_j - x) / theta_0.max(1e-6)).exp()),
            Squash::Shifted { k } => 2.0 / (1.0 + (-k.max(0.0) * x.max(0.0)).exp()) - 1.0,
        };
        if y.is_finite() { y.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The constants of the net.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetSettings {
    /// The form of f_s.
    pub squash: Squash,
    /// The least weight of a link that is no noise.
    pub least: f64,
    /// Pages below it wait.
    pub theta: f64,
    /// Theta is not lowered below this.
    pub lowest_theta: f64,
    /// Pages of a round at most; 0: all above theta.
    pub layer: usize,
}

impl Default for NetSettings {
    fn default() -> NetSettings {
        NetSettings { squash: Squash::Shifted { k: 4.0 }, least: 0.05, theta: 0.1, lowest_theta: 1e-6, layer: 0 }
    }
}

/// The net: the weights of pages, and who waits.
#[derive(Debug)]
pub(crate) struct Net {
    settings: NetSettings,
    theta: f64,
    frontier: Frontier,
    /// The sum of (4), by node.
    sums: Vec<f64>,
    /// The parent that gave most, and how much.
    parents: Vec<(u32, f64)>,
}

impl Net {
    pub(crate) fn new(settings: NetSettings) -> Net {
        Net { settings, theta: settings.theta, frontier: Frontier::default(), sums: Vec::new(), parents: Vec::new() }
    }

    /// A start page: mu = 1.
    pub(crate) fn plant(&mut self, node: u32) {
        self.frontier.set(node, 1.0);
    }

    /// Formula (6): the weight of a page after it was fetched.
    pub(crate) fn fetched(&mut self, node: u32, r: f64) {
        let weight = self.settings.squash.apply(self.frontier.weight(node) * r);
        self.frontier.set(node, weight);
    }

    /// Formula (4), one more parent.
    pub(crate) fn link(&mut self, from: u32, to: u32, anchor: Option<f64>) {
        let given = anchor.unwrap_or(0.0).max(self.settings.least) * self.frontier.weight(from);
        let at = to as usize;
        if self.sums.len() <= at {
            self.sums.resize(at + 1, 0.0);
            self.parents.resize(at + 1, (u32::MAX, -1.0));
        }
        self.sums[at] += given;
        if given > self.parents[at].1 {
            self.parents[at] = (from, given);
        }
        self.frontier.put(to, self.settings.squash.apply(self.sums[at]));
    }

    /// Another name: what was given to the one is the other's.
    pub(crate) fn rename(&mut self, node: u32, to: u32) {
        let weight = self.frontier.weight(node).max(self.frontier.weight(to));
        self.frontier.put(to, weight);
    }

    pub(crate) fn weight(&self, node: u32) -> f64 {
        self.frontier.weight(node)
    }

    /// The pages of the next round.
    pub(crate) fn next(&mut self, most: usize) -> Result<Vec<Pick>, End> {
        let Some(top) = self.frontier.top() else { return Err(End::FrontierExhausted) };
        while top <= self.theta {
            if self.theta <= self.settings.lowest_theta.max(f64::MIN_POSITIVE) {
                return Err(End::WeightTooLow { left: self.frontier.len() });
            }
            self.theta /= 2.0;
        }
        let mut picks = Vec::new();
        let most = if self.settings.layer == 0 { most } else { most.min(self.settings.layer) };
        while picks.len() < most && self.frontier.top().is_some_and(|top| top > self.theta) {
            let Some((node, weight)) = self.frontier.pop() else { break };
            let parent =
                self.parents.get(node as usize).map(|(parent, _)| *parent).filter(|parent| *parent != u32::MAX);
            picks.push(Pick { node, weight, parent, arm: None });
        }
        Ok(picks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOGISTIC: Squash = Squash::Logistic { theta_j: 0.5, theta_0: 0.1 };

    #[test]
    fn the_squash_rises_and_stays_within_bounds() {
        for squash in [LOGISTIC, Squash::Shifted { k: 4.0 }, Squash::Logistic { theta_j: 0.0, theta_0: 0.0 }] {
            let values: Vec<f64> = (0..200).map(|n| squash.apply(f64::from(n) / 50.0)).collect();
            assert!(values.windows(2).all(|two| two[0] <= two[1]), "{squash:?}");
            assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
        }
        assert!((LOGISTIC.apply(0.5) - 0.5).abs() < 1e-12);
        assert!((LOGISTIC.apply(0.6) - 1.0 / (1.0 + (-1f64).exp())).abs() < 1e-12);
        assert_eq!(Squash::Shifted { k: 4.0 }.apply(0.0), 0.0);
        assert!((Squash::Shifted { k: 2.0 }.apply(1.0) - 1f64.tanh()).abs() < 1e-12);
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(LOGISTIC.apply(odd).is_finite() && Squash::Shifted { k: odd }.apply(odd).is_finite());
            assert!(Squash::Logistic { theta_j: odd, theta_0: odd }.apply(1.0).is_finite());
        }
    }

    #[test]
    fn a_small_net_by_hand() {
        let squash = Squash::Shifted { k: 2.0 };
        let settings = NetSettings { squash, least: 0.1, theta: 0.2, lowest_theta: 0.01, layer: 0 };
        let mut net = Net::new(settings);
        net.plant(0);
        net.fetched(0, 0.5);
        // (6): mu_0 = tanh(0.5), as 2 / (1 + exp(-2x)) - 1 = tanh(x).
        let mu_0 = 0.5f64.tanh();
        assert!((net.weight(0) - mu_0).abs() < 1e-12);
        net.link(0, 1, Some(0.8));
        net.link(0, 2, None);
        assert!((net.weight(1) - (0.8 * mu_0).tanh()).abs() < 1e-12);
        assert!((net.weight(2) - (0.1 * mu_0).tanh()).abs() < 1e-12);
        let picks = net.next(9).unwrap();
        assert_eq!(picks.iter().map(|pick| (pick.node, pick.parent)).collect::<Vec<_>>(), [(1, Some(0))]);
        net.fetched(1, 1.0);
        let mu_1 = (0.8 * mu_0).tanh().tanh();
        net.link(1, 2, Some(0.5));
        // (4): both parents count.
        assert!((net.weight(2) - (0.1 * mu_0 + 0.5 * mu_1).tanh()).abs() < 1e-12);
        assert_eq!(net.next(9).unwrap()[0].node, 2);
        assert_eq!(net.next(9), Err(End::FrontierExhausted));
    }

    #[test]
    fn theta_is_lowered_until_the_lowest() {
        let squash = Squash::Shifted { k: 2.0 };
        let mut net = Net::new(NetSettings { squash, least: 0.0, theta: 0.5, lowest_theta: 0.05, layer: 0 });
        net.plant(0);
        net.link(0, 1, Some(0.2));
        net.link(0, 2, Some(0.001));
        assert_eq!(net.next(9).unwrap().len(), 1);
        assert!(net.theta < 0.2);
        assert_eq!(net.next(9), Err(End::WeightTooLow { left: 1 }));
    }
}
