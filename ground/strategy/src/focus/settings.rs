//! The settings of a focused crawl.

use groma_topic::{Topic, Weights};

use super::arms::ArmSettings;
use super::net::NetSettings;

/// The order in which a focused crawl fetches pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FocusOrder {
    /// Breadth first.
    Bfs,
    /// The best link first (page + anchor).
    BestFirst,
    /// The net on whole pages.
    Hopfield,
    /// The net on parts (paper 001).
    HopfieldBlock,
    /// Arms: what was learned about kinds of links.
    #[default]
    Arms,
}

impl FocusOrder {
    /// All of them, in the order in which they are compared.
    pub const ALL: [FocusOrder; 5] =
        [FocusOrder::Bfs, FocusOrder::BestFirst, FocusOrder::Hopfield, FocusOrder::HopfieldBlock, FocusOrder::Arms];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            FocusOrder::Bfs => "bfs",
            FocusOrder::BestFirst => "best-first",
            FocusOrder::Hopfield => "hopfield",
            FocusOrder::HopfieldBlock => "hopfield-block",
            FocusOrder::Arms => "arms",
        }
    }
}

/// What a focused crawl is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What is looked for.
    pub topic: Topic,
    /// How pages are judged.
    pub weights: Weights,
    /// Order in which pages are fetched.
    pub which: FocusOrder,
    /// Pages to fetch at most.
    pub budget: u32,
    /// Pages of a round at most; the nets take whole layers, if `net.layer` is 0.
    pub batch: usize,
    /// The share of the page in the score of best-first.
    pub page_share: f64,
    /// The constants of the nets.
    pub net: NetSettings,
    /// The constants of arms.
    pub arms: ArmSettings,
}

impl Settings {
    /// The default settings for a topic.
    pub fn new(topic: Topic, which: FocusOrder, budget: u32) -> Settings {
        Settings {
            topic,
            weights: Weights::default(),
            which,
            budget,
            batch: 8,
            page_share: 0.5,
            net: NetSettings::default(),
            arms: ArmSettings::default(),
        }
    }
}
