//! How a border search is done.

/// Which way a link carries flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// Both ways, as soon as both pages have been seen.
    #[default]
    Both,
    /// From the page it stands on to the page it names.
    Forward,
}

/// The height of the source: how far overflow is sent to find the sink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Height {
    /// As far as it takes: the cut is proven.
    #[default]
    Full,
    /// So many links at most. The paper's short cut: the cut is no longer proven, and with so little as 3 it sometimes differs.
    Low(u32),
}

/// How much may be fetched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Pages in all; nothing: as many as it takes. Start pages are fetched in any case.
    pub pages: Option<u32>,
    /// What one price may cost: this part of the last site that was found.
    pub share: f64,
    /// A site of fewer pages bounds nothing.
    pub least: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { pages: None, share: 0.2, least: 200 }
    }
}

/// How the search is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The sigma of the similarity of URLs.
    pub sigma: f64,
    /// Which way links carry flow.
    pub direction: Direction,
    /// The height of the source.
    pub height: Height,
    /// Overflow of less than this part of the price is left where it is.
    pub threshold: f64,
    /// A round asks for at most this part of the pages seen.
    pub batch: f64,
    /// A page without overflow is fetched too if at least this part of the pages like it turned out to have some. Only where links
    /// count both ways; above 1, never.
    pub guess: f64,
    /// How much may be fetched.
    pub budget: Budget,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            sigma: groma_bounds::settings::SIGMA,
            direction: Direction::Both,
            height: Height::Full,
            threshold: 0.01,
            batch: 0.03,
            guess: 0.6,
            budget: Budget::default(),
        }
    }
}
