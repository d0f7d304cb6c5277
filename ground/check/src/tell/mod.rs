//! How findings are told: one file per form, each streamed, each safe from the texts of strangers.

use std::fmt;
use std::io::Write;
use std::str::FromStr;

use groma_model::wording::plain;

pub use self::telling::{Painter, Teller, Tone, unpainted};
use crate::gate::Gate;

pub mod csv;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod sarif;
mod telling;
pub mod text;

#[cfg(test)]
mod hostile;

/// Forms in which findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people at a terminal.
    #[default]
    Text,
    /// JSON Lines: an object a finding.
    Json,
    /// CSV by RFC 4180, safe for spreadsheets.
    Csv,
    /// For comments on changes.
    Markdown,
    /// JUnit XML, for build servers.
    Junit,
    /// SARIF 2.1.0, for hosts of code.
    Sarif,
}

impl Format {
    pub const ALL: [Format; 6] =
        [Format::Text, Format::Json, Format::Csv, Format::Markdown, Format::Junit, Format::Sarif];

    /// The word users write.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "markdown",
            Format::Junit => "junit",
            Format::Sarif => "sarif",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that is no form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format `{}`; write text, json, csv, markdown, junit or sarif", plain(.0))]
pub struct NoSuchFormat(pub String);

impl FromStr for Format {
    type Err = NoSuchFormat;

    fn from_str(text: &str) -> Result<Format, NoSuchFormat> {
        Format::ALL.into_iter().find(|format| format.name() == text).ok_or_else(|| NoSuchFormat(text.to_owned()))
    }
}

/// How much is told, and what counts as a failure.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Groups of a kind that are listed in text and Markdown; the rest is counted. `usize::MAX` lists all that there is room for.
    pub most: usize,
    /// In JUnit, findings that this gate does not look at are skipped tests instead of failures. Nothing: all are failures.
    pub gate: Option<Gate>,
    /// There is a baseline, so that SARIF says of every finding whether it is new.
    pub compared: bool,
    /// Colors for text.
    pub paint: Painter,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { most: 20, gate: None, compared: false, paint: unpainted }
    }
}

/// One that writes in this form.
pub fn teller<'w>(format: Format, to: &'w mut dyn Write, manner: &Manner) -> Box<dyn Teller + 'w> {
    match format {
        Format::Text => Box::new(text::Text::new(to, manner.most, manner.paint)),
        Format::Json => Box::new(json::Json::new(to)),
        Format::Csv => Box::new(csv::Csv::new(to)),
        Format::Markdown => Box::new(markdown::Markdown::new(to, manner.most)),
        Format::Junit => Box::new(junit::Junit::new(to, manner.gate.clone())),
        Format::Sarif => Box::new(sarif::Sarif::new(to, manner.compared)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_found_by_their_names() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "xml\u{1b}".parse::<Format>().unwrap_err().to_string();
        assert_eq!(error, "there is no format `xml `; write text, json, csv, markdown, junit or sarif");
    }
}
