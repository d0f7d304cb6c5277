//! What a border search has to say for itself, as it is kept with the survey: a few lines of text.

use std::fmt;

use super::PriceStep;

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// It has not: it was interrupted, or a limit of the crawl ended it, or it is under way.
    Unfinished,
    /// No overflow was left that could go anywhere.
    Settled,
    /// What overflow was left was below the threshold.
    BelowThreshold,
    /// As many pages were fetched as were allowed.
    PageBudget,
    /// At this price more pages were asked for than a border should cost: the site leaks there. The steps before stand.
    Leaked {
        /// The price that was given up.
        price: f64,
    },
}

impl Stop {
    /// The word scripts see.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Unfinished => "unfinished",
            Stop::Settled => "settled",
            Stop::BelowThreshold => "below-threshold",
            Stop::PageBudget => "page-budget",
            Stop::Leaked { .. } => "leaked",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Unfinished => f.write_str("the search was not finished"),
            Stop::Settled => f.write_str("the bounds are settled: no overflow is left"),
            Stop::BelowThreshold => f.write_str("the bounds are settled: what overflow is left is below the threshold"),
            Stop::PageBudget => f.write_str("as many pages were fetched as were allowed"),
            Stop::Leaked { price } => write!(f, "given up at the price {price}: the site leaks there"),
        }
    }
}

/// What a search has to say for itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Why the search stopped.
    pub stop: Stop,
    /// Pages it asked for that a server had a say about.
    pub fetches: u32,
    /// The sigma of the similarity of URLs.
    pub sigma: f64,
    /// The prices at which it came to rest, falling.
    pub steps: Vec<PriceStep>,
    /// The step that is the answer.
    pub chosen: Option<usize>,
}

impl Account {
    /// The key under which it is kept.
    pub const KEY: &'static str = "overflow";

    /// Reads what [`Display`](fmt::Display) wrote.
    pub fn parse(text: &str) -> Option<Account> {
        let mut account = Account { stop: Stop::Unfinished, fetches: 0, sigma: 0.0, steps: Vec::new(), chosen: None };
        for line in text.lines() {
            let mut words = line.split(' ');
            match words.next()? {
                "stop" => account.stop = stop(words.next()?, words.next())?,
                "fetches" => account.fetches = words.next()?.parse().ok()?,
                "sigma" => account.sigma = words.next()?.parse().ok()?,
                "chosen" => account.chosen = Some(words.next()?.parse().ok()?),
                "step" => account.steps.push(step(&mut words)?),
                _ => return None,
            }
        }
        (account.chosen.unwrap_or(0) <= account.steps.len()).then_some(account)
    }
}

fn stop(name: &str, price: Option<&str>) -> Option<Stop> {
    let plain = [Stop::Unfinished, Stop::Settled, Stop::BelowThreshold, Stop::PageBudget];
    match (plain.into_iter().find(|stop| stop.name() == name), price) {
        (Some(stop), None) => Some(stop),
        (None, Some(price)) if name == "leaked" => Some(Stop::Leaked { price: price.parse().ok()? }),
        _ => None,
    }
}

fn step<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<PriceStep> {
    Some(PriceStep {
        price: words.next()?.parse().ok()?,
        size: words.next()?.parse().ok()?,
        boundary: words.next()?.parse().ok()?,
        inside: words.next()?.parse().ok()?,
        fetches: words.next()?.parse().ok()?,
        left: words.next()?.parse().ok()?,
    })
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stop {}", self.stop.name())?;
        if let Stop::Leaked { price } = self.stop {
            write!(f, " {price}")?;
        }
        writeln!(f, "\nfetches {}\nsigma {}", self.fetches, self.sigma)?;
        if let Some(chosen) = self.chosen {
            writeln!(f, "chosen {chosen}")?;
        }
        for step in &self.steps {
            let PriceStep { price, size, boundary, inside, fetches, left } = step;
            writeln!(f, "step {price} {size} {boundary} {inside} {fetches} {left}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let step = PriceStep { price: 0.01, size: 800, boundary: 1.0 / 3.0, inside: 7.5, fetches: 812, left: 1e-7 };
        for stop in [Stop::Settled, Stop::Unfinished, Stop::PageBudget, Stop::Leaked { price: 1e-5 }] {
            let account = Account { stop, fetches: 900, sigma: 1.66, steps: vec![step, step], chosen: Some(1) };
            assert_eq!(Account::parse(&account.to_string()), Some(account));
        }
        let nothing = Account { stop: Stop::BelowThreshold, fetches: 0, sigma: 1.0, steps: Vec::new(), chosen: None };
        assert_eq!(Account::parse(&nothing.to_string()), Some(nothing));
    }

    #[test]
    fn what_was_never_written_is_not_read() {
        for text in ["stop why", "stop settled 3", "step 1 2", "chosen 7", "nonsense", "fetches -1"] {
            assert_eq!(Account::parse(text), None, "{text}");
        }
    }
}
