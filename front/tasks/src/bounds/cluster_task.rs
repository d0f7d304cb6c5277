//! The task `cluster`.

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::bounds::task::Clustering;
use crate::rank::task::Top;
use crate::task::forms::forms;

/// Find which pages belong together
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ClusterTask))]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// How pages are clustered, and which links count.
    #[command(flatten)]
    #[serde(flatten)]
    #[cfg_attr(feature = "schema", schema(inline))]
    pub clustering: Clustering,
    /// Clusters listed as text; the rest is counted [default: 25]
    #[arg(long, value_name = "N")]
    pub top: Option<Top>,
}

forms! {
    /// A form of a clustering.
    Json, "json", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: a header, then an object a page";
    Csv, "csv", "csv", "text/csv; charset=utf-8", "for spreadsheets";
    Tsv, "tsv", "tsv", "text/tab-separated-values; charset=utf-8", "URL and cluster, with a tab between them";
    Text, "text", "txt", "text/plain; charset=utf-8", "for people: the largest clusters";
}
