//! Crawl a site, or go on with a crawl; ask again for everything.

use clap::Args;
use groma_settings::Overrides;
use serde::{Deserialize, Serialize};

use crate::task::COMMAND_LINE_ONLY;
use crate::task::scalar::{listed, ticked};

/// Crawl a site, or go on with a crawl
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CrawlTask))]
#[serde(default, deny_unknown_fields)]
pub struct Crawl {
    /// Where to start; other URLs than before are added to the survey
    #[arg(value_name = "URL")]
    #[serde(deserialize_with = "listed")]
    pub seeds: Vec<String>,
    /// Start over: remove what is stored
    #[arg(long, help_heading = COMMAND_LINE_ONLY)]
    #[serde(deserialize_with = "ticked")]
    pub fresh: bool,
    /// Exclude what matches, too (a glob, or re:REGEX), besides what the survey excludes
    #[arg(id = "also_exclude", long = "also-exclude", value_name = "PATTERN", help_heading = "Reach")]
    #[serde(rename = "exclude", deserialize_with = "listed")]
    pub also_exclude: Vec<String>,
    /// Settings that it brings along.
    #[command(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Object))]
    pub settings: Overrides,
}

/// Ask again for everything known, conditionally, and note what changed
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = UpdateTask))]
#[serde(default, deny_unknown_fields)]
pub struct Update {
    /// Keep a copy of the survey as it was, so that `groma diff A B` of runs tells links, findings and structure too
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub keep: bool,
    /// Exclude what matches, too (a glob, or re:REGEX), besides what the survey excludes
    #[arg(id = "also_exclude", long = "also-exclude", value_name = "PATTERN", help_heading = "Reach")]
    #[serde(rename = "exclude", deserialize_with = "listed")]
    pub also_exclude: Vec<String>,
    /// Settings that it brings along.
    #[command(flatten)]
    #[cfg_attr(feature = "schema", schema(value_type = Object))]
    pub settings: Overrides,
}
