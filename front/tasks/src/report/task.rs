//! The task `report`.

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::rank::task::Top;
use crate::task::forms::forms;
use crate::task::scalar::Line;

/// Write a report to hand to somebody
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReportTask))]
#[serde(default, deny_unknown_fields)]
pub struct Report {
    /// The page the map starts from [default: the first start page]
    #[arg(long, value_name = "URL")]
    pub root: Option<Line>,
    /// Causes of a kind listed on the page; the rest is counted (0: all) [default: 20]
    #[arg(long, value_name = "N")]
    pub list: Option<Top>,
}

forms! {
    /// A form of a report.
    Html, "html", "html", "text/html; charset=utf-8", "one file for any browser: figures, findings, map";
}

impl Report {
    /// How many causes of a kind are listed, of `usual` ones unless something is said.
    pub fn listed(&self, usual: usize) -> usize {
        match self.list.map(Top::get) {
            Some(0) => usize::MAX,
            Some(most) => usize::try_from(most).unwrap_or(usize::MAX),
            None => usual,
        }
    }
}
