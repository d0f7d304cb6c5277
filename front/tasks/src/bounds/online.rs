//! The border looked for while crawling: which strategy does it, and what it left in the survey.
//!
//! On line links are weighed by URLs alone. Similarity of words needs the page a link leads to, and how rare words are in the
//! whole survey; the search has to weigh a link to decide whether that page is worth a fetch.

use groma_bounds::{Direction, Method, Settings, Sigma, Similarity};
use groma_settings::Fault;
use groma_store::Snapshot;
use groma_strategy::overflow::{self, Account, Longest, Overflow, Prices};

use super::Request;

/// How the border is to be looked for on line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// The price of a page; nothing: chosen as off-line.
    pub epsilon: Option<f64>,
    /// The width of the similarity of URLs.
    pub sigma: f64,
    /// Which way links count.
    pub direction: Direction,
}

impl Default for Search {
    fn default() -> Search {
        Search { epsilon: None, sigma: groma_bounds::settings::SIGMA, direction: Direction::Both }
    }
}

impl Search {
    /// As it was asked for. A sigma that is fitted to the survey cannot be had before there is one.
    pub fn from_settings(settings: &Settings) -> Search {
        let usual = Search::default();
        let sigma = if let Sigma::Given(sigma) = settings.sigma { sigma } else { usual.sigma };
        Search { epsilon: settings.epsilon, sigma, direction: settings.direction }
    }

    /// The strategy that carries it out.
    pub(crate) fn strategy(&self) -> Overflow {
        let direction = match self.direction {
            Direction::Both => overflow::Direction::Both,
            Direction::Forward => overflow::Direction::Forward,
        };
        let settings = overflow::Settings { sigma: self.sigma, direction, ..overflow::Settings::default() };
        match self.epsilon {
            Some(epsilon) => Overflow::new(settings, Prices::one(epsilon)),
            None => Overflow::new(settings, Longest::new(&Similarity::new(self.sigma), false)),
        }
    }
}

/// Was the border of this survey looked for while it was crawled?
pub fn is_online(store: &mut dyn Snapshot) -> Result<bool, Fault> {
    Ok(store.value(Account::KEY)?.is_some_and(|text| Account::parse(&text).is_some_and(|a| !a.steps.is_empty())))
}

/// What the search on line has to say for itself.
pub(super) fn account(store: &mut dyn Snapshot) -> Result<Account, Fault> {
    let text = store.value(Account::KEY)?;
    let account = text.and_then(|text| Account::parse(&text)).filter(|account| !account.steps.is_empty());
    account.ok_or_else(|| {
        Fault::new(
            "this survey was not crawled to find the bounds of a site",
            "groma bounds URL --online, or groma crawl URL --scope auto",
        )
    })
}

/// The request that comes off-line to what the search on line came to: the same prices, the same sigma, no clusters.
pub(super) fn as_tried(request: &Request, online: Option<&Account>) -> Request {
    let mut request = request.clone();
    if let Some(account) = online {
        let settings = &mut request.settings;
        settings.method = Method::Flow;
        settings.sigma = Sigma::Given(account.sigma);
        settings.prices = Some(account.steps.iter().map(|step| step.price).collect());
    }
    request
}
