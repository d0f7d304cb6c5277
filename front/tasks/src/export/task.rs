//! The task `export`: pages or links for other programs, in one file.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use groma_model::State;
use groma_model::wording::one_of;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::bounds::ScopeName;
use crate::task::forms::forms;
use crate::task::scalar::{listed, ticked};

/// Write the survey for other programs
#[derive(Clone, Debug, Default, PartialEq, Args, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ExportTask))]
#[serde(default, deny_unknown_fields)]
pub struct Export {
    /// Only this state: queued, fetched, skipped, excluded, broken, alias [default: fetched; csv, links and sqlite: all]
    #[arg(long, value_name = "STATE")]
    #[serde(deserialize_with = "states")]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub state: Vec<StateName>,
    /// Export the whole survey, or the site that was found last: survey, auto
    #[arg(long, value_name = "SCOPE", default_value_t)]
    pub scope: ScopeName,
    /// Write the texts of pages too
    #[arg(long)]
    #[serde(deserialize_with = "ticked")]
    pub with_text: bool,
}

forms! {
    /// A form of an export that is one file.
    Jsonl, "jsonl", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: an object a page, with its links";
    Csv, "csv", "csv", "text/csv; charset=utf-8", "a table of the pages";
    Links, "links", "links.csv", "text/csv; charset=utf-8", "a table of the links";
    Markdown, "markdown", "md", "text/markdown; charset=utf-8", "the texts of pages, one after the other";
    Structured, "structured", "structured.jsonl", "application/jsonl; charset=utf-8", "JSON-LD, microdata, RDFa and cards: an object an item";
    Surt, "surt", "surt", "text/plain; charset=utf-8", "URLs in the order of their hierarchy, as web archives write them";
    SurtPrefixes, "surt-prefixes", "surt", "text/plain; charset=utf-8", "the folders that hold the URLs, written alike";
    Soif, "soif", "soif", "text/plain; charset=utf-8", "pages and gathered databases, for Harvest and its like";
    Sqlite, "sqlite", "sqlite", "application/vnd.sqlite3", "plain tables of pages and links, for any tool";
}

/// A state of URLs, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateName(pub State);

impl FromStr for StateName {
    type Err = String;

    fn from_str(text: &str) -> Result<StateName, String> {
        let known = || one_of(&State::ALL.map(State::name));
        State::named(text.trim()).map(StateName).ok_or_else(|| format!("there is no state `{text}`; {}", known()))
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Serialize for StateName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A list of states, or a text that lists them.
fn states<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<StateName>, D::Error> {
    let texts = listed(deserializer)?;
    let named = texts.iter().flat_map(|text| text.split(',')).filter(|text| !text.trim().is_empty()).map(str::parse);
    named.collect::<Result<_, String>>().map_err(serde::de::Error::custom)
}
