//! The forms in which findings can be had.

use groma_check::tell::Format;

use crate::task::forms::forms;

forms! {
    /// A form of a check.
    Json, "json", "jsonl", "application/jsonl; charset=utf-8", "JSON Lines: an object a finding";
    Text, "text", "txt", "text/plain; charset=utf-8", "for people";
    Csv, "csv", "csv", "text/csv; charset=utf-8", "for spreadsheets";
    Markdown, "markdown", "md", "text/markdown; charset=utf-8", "for comments on changes";
    Junit, "junit", "xml", "application/xml", "for build servers";
    Sarif, "sarif", "sarif", "application/sarif+json", "SARIF 2.1.0, for hosts of code";
}

impl Form {
    /// How findings are written in it.
    pub fn told(self) -> Format {
        match self {
            Form::Json => Format::Json,
            Form::Text => Format::Text,
            Form::Csv => Format::Csv,
            Form::Markdown => Format::Markdown,
            Form::Junit => Format::Junit,
            Form::Sarif => Format::Sarif,
        }
    }
}
