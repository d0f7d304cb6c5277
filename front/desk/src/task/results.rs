//! What is computed from a survey: the full-text index, ranks, the map, findings, notices.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::scalar::ticked;

/// Bring the full-text index up to date
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = IndexTask))]
#[serde(default, deny_unknown_fields)]
pub struct Index {
    /// Index everything again, from nothing
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub rebuild: bool,
}

/// Compute the PageRank of all pages
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RankTask))]
#[serde(default, deny_unknown_fields)]
pub struct Rank {}

/// Draw the hierarchical map
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MapTask))]
#[serde(default, deny_unknown_fields)]
pub struct Map {}

/// Report what is wrong with the site
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CheckTask))]
#[serde(default, deny_unknown_fields)]
pub struct Check {}

/// Tell people what is new
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = NotifyTask))]
#[serde(default, deny_unknown_fields)]
pub struct Notify {}
