//! The task `rank`.

use clap::Args;
use groma_graph::pagerank::Settings;
use groma_survey_graph::{LinkSet, Reading};
use serde::{Deserialize, Serialize};

use crate::task::LinksName;
use crate::task::forms::forms;
use crate::task::scalar::{Interval, Real, Whole};

/// Compute the PageRank of all pages
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RankTask))]
#[serde(default, deny_unknown_fields)]
pub struct Rank {
    /// Which links count: pages (those that lead a reader on), or all (images, styles, scripts and forms too)
    #[arg(long, value_name = "WHICH", default_value_t)]
    pub links: LinksName,
    /// What a navigation link counts where another counts 1 (menus recur on most pages) [default: 1]
    #[arg(long, value_name = "WEIGHT", allow_negative_numbers = true)]
    pub navigation: Option<NavigationWeight>,
    /// Damping factor of PageRank [default: 0.85]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub damping: Option<DampingFactor>,
    /// Only the first N [default: 25 as text in a terminal, else all]
    #[arg(long, value_name = "N")]
    pub top: Option<Top>,
}

forms! {
    /// A form of the list of ranks.
    Csv, "csv", "csv", "text/csv; charset=utf-8", "for spreadsheets";
    Json, "json", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: an object a page";
    Text, "text", "txt", "text/plain; charset=utf-8", "for people";
}

/// What a navigation link counts.
pub(crate) type NavigationWeight = Real<Navigation>;
type DampingFactor = Real<Damping>;
/// How many of the first pages are shown.
pub(crate) type Top = Whole<0, 4_000_000_000>;

/// Weights of navigation links.
#[derive(Clone, Copy, Debug)]
pub enum Navigation {}

impl Interval for Navigation {
    const MIN: f64 = 0.0;
    const MAX: f64 = 1000.0;
    const EXPECTED: &'static str = "a number from 0 to 1000 (1 makes no difference between links)";
}

/// The interval of damping factors.
#[derive(Clone, Copy, Debug)]
pub enum Damping {}

impl Interval for Damping {
    const MIN: f64 = 0.0;
    const MAX: f64 = 0.999_999;
    const EXPECTED: &'static str = "a number from 0 to below 1 (0.85 is usual)";
}

impl Rank {
    /// How many of the first pages are listed, of `usual` ones unless something is said.
    pub fn most(&self, usual: usize) -> usize {
        self.top.map_or(usual, |top| usize::try_from(top.get()).unwrap_or(usize::MAX))
    }

    /// How links are read and weighed.
    pub fn reading(&self) -> Reading {
        let mut reading = reading(self.links.0, self.navigation);
        if let Some(damping) = self.damping {
            reading.ranking.damping = damping.get();
        }
        reading
    }
}

/// How links are read and weighed, for ranks and for the map that is grown by them.
pub(crate) fn reading(links: LinkSet, navigation: Option<NavigationWeight>) -> Reading {
    let usual = Settings::default();
    let navigation = navigation.map_or(usual.navigation, Real::get);
    Reading { links, ranking: Settings { navigation, ..usual } }
}
