//! The task `map`.

use clap::Args;
use groma_chart::Field;
use groma_survey_graph::Reading;
use serde::{Deserialize, Serialize};

use crate::bounds::ScopeName;
use crate::rank::task::{NavigationWeight, reading};
use crate::task::LinksName;
use crate::task::scalar::{Choice, Line, Several, Whole, ticked};

/// Draw the hierarchical map
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MapTask))]
#[serde(default, deny_unknown_fields)]
pub struct Map {
    /// The page it starts from [default: the first start page]
    #[arg(long, value_name = "URL")]
    pub root: Option<Line>,
    /// Fold what lies deeper than this into counts
    #[arg(short, long, value_name = "N")]
    pub depth: Option<Number>,
    /// Most pages to show as text, SVG or HTML; the rest is counted [default: 60, 2000, 250000, and all of --depth; 0: all]
    #[arg(long, value_name = "N")]
    pub rows: Option<Number>,
    /// What to show of a page, with commas between them: title, url, rank, depth, pages, state, ... or all
    #[arg(long, value_name = "NAMES")]
    pub fields: Option<FieldNames>,
    /// Draw a text tree with plain characters
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub ascii: bool,
    /// Pack the parts of a sitemap with gzip
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub gzip: bool,
    /// Which links count: pages (those that lead a reader on), or all (images, styles, scripts and forms too)
    #[arg(long, value_name = "WHICH", default_value_t)]
    pub links: LinksName,
    /// What a navigation link counts where another counts 1 (menus recur on most pages) [default: 1]
    #[arg(long, value_name = "WEIGHT", allow_negative_numbers = true)]
    pub navigation: Option<NavigationWeight>,
    /// Draw the whole survey, or the site that was found last: survey, auto
    #[arg(long, value_name = "SCOPE", default_value_t)]
    pub scope: ScopeName,
}

/// What is shown of a page, by name.
type FieldNames = Several<Field>;
/// A number of layers or pages.
type Number = Whole<0, { u32::MAX as u64 }>;

impl Map {
    /// How links are read and weighed.
    pub fn reading(&self) -> Reading {
        reading(self.links.0, self.navigation)
    }

    /// The deepest layer that is shown.
    pub fn deepest(&self) -> Option<u32> {
        self.depth.map(|depth| depth.get() as u32)
    }

    /// How many pages are shown at most.
    pub fn most_rows(&self) -> Option<u32> {
        self.rows.map(|rows| rows.get() as u32)
    }

    /// What is shown of a page.
    pub fn shown_fields(&self) -> Vec<Field> {
        self.fields.as_ref().map_or_else(|| Field::USUAL.to_vec(), |fields| fields.0.clone())
    }
}

impl Choice for Field {
    const SCHEMA: &'static str = "MapField";

    fn all() -> &'static [Field] {
        Field::ALL
    }

    fn name(self) -> &'static str {
        Field::name(self)
    }
}
