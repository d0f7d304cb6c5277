//! What a job is asked to do, beyond its kind: kept as JSON in its row.

use std::collections::BTreeMap;

use groma_store::jobs::JobKind;
use serde::{Deserialize, Serialize};

/// The arguments of a job. What a kind has no use for is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Order {
    /// Where to start (`crawl`, `bound`, `focus`); empty: as the survey was begun.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
    /// Settings by their keys (`groma config` lists them), as one would write them behind `-s` (`crawl`, `update`, `focus`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Exclusions to add to those the survey has (`crawl`, `update`).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// The sites are the user's own.
    #[serde(skip_serializing_if = "is_false")]
    pub owned: bool,
    /// Whoever asks may not reach into private networks.
    #[serde(skip_serializing_if = "is_false")]
    pub guarded: bool,
    /// Start over (`crawl`).
    #[serde(skip_serializing_if = "is_false")]
    pub fresh: bool,
    /// Keep a copy of the survey as it stood before (`update`).
    #[serde(skip_serializing_if = "is_false")]
    pub keep: bool,
    /// From nothing (`index`).
    #[serde(skip_serializing_if = "is_false")]
    pub rebuild: bool,
    /// In which form the result is kept (`map`, `check`, `rank`, `bound`, `focus`, `gather`); empty: the usual one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub format: String,
    /// How the border is looked for, as words (`bound`; see [`crate::bounds::Request::of`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub bounds: BTreeMap<String, String>,
    /// Which topic is followed and how, as words (`focus`; see [`crate::focus::Request::of`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub focus: BTreeMap<String, String>,
    /// Which database is gathered and how, as words (`gather`; see [`crate::gather::Request::of`]).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gather: BTreeMap<String, String>,
}

impl Order {
    /// What a job of this kind has a use for: in a package, each job is given its own part of what was asked.
    pub fn only_for(&self, kind: JobKind) -> Order {
        let mut order = Order::default();
        match kind {
            JobKind::Crawl | JobKind::Update => {
                let none = BTreeMap::new();
                let (bounds, focus, gather) = (none.clone(), none.clone(), none);
                order = Order { rebuild: false, format: String::new(), bounds, focus, gather, ..self.clone() };
                order.fresh &= kind == JobKind::Crawl;
                order.keep &= kind == JobKind::Update;
                if kind == JobKind::Update {
                    order.seeds.clear();
                }
            }
            JobKind::Index => order.rebuild = self.rebuild,
            JobKind::Rank | JobKind::Map | JobKind::Check => order.format.clone_from(&self.format),
            JobKind::Bound => {
                order.seeds.clone_from(&self.seeds);
                order.bounds.clone_from(&self.bounds);
                order.format.clone_from(&self.format);
            }
            JobKind::Focus => {
                let (rebuild, fresh, keep) = (false, false, false);
                let (bounds, gather) = (BTreeMap::new(), BTreeMap::new());
                order = Order { rebuild, fresh, keep, bounds, gather, ..self.clone() };
            }
            JobKind::Gather => {
                order.gather.clone_from(&self.gather);
                order.settings.clone_from(&self.settings);
                order.format.clone_from(&self.format);
                (order.owned, order.guarded) = (self.owned, self.guarded);
            }
            JobKind::Notify => {}
        }
        order
    }

    /// As a job keeps it.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}
