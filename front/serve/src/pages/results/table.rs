//! Numbered results as a table: the columns that all have, and those of the kind between them.

use askama::Template;
use askama::filters::HtmlSafe;

use crate::pages::wording::Moment;

#[derive(Template)]
#[template(path = "part/result_table.html")]
pub(crate) struct ResultTable {
    /// Where the list is.
    pub(crate) href: String,
    /// What results are called by.
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<ResultRow>,
}

impl HtmlSafe for ResultTable {}

pub(crate) struct ResultRow {
    pub(crate) id: u64,
    pub(crate) title: String,
    pub(crate) cells: Vec<ResultCell>,
    pub(crate) end: String,
    /// The look of its end; nothing: plain text.
    pub(crate) badge: Option<&'static str>,
    pub(crate) at_work: bool,
    pub(crate) last: Option<Moment>,
    /// Where some can be chosen: what this one is called there, and whether it is chosen.
    pub(crate) choice: Option<(String, bool)>,
}

/// What only results of its kind have.
pub(crate) struct ResultCell {
    pub(crate) label: &'static str,
    pub(crate) text: String,
    pub(crate) is_number: bool,
    pub(crate) href: Option<String>,
}

impl ResultCell {
    pub(crate) fn text(label: &'static str, text: String) -> ResultCell {
        ResultCell { label, text, is_number: false, href: None }
    }

    pub(crate) fn number(label: &'static str, text: String) -> ResultCell {
        ResultCell { is_number: true, ..ResultCell::text(label, text) }
    }

    /// A URL that leads to what is known of it.
    pub(crate) fn address(label: &'static str, text: String, href: String) -> ResultCell {
        ResultCell { href: Some(href), ..ResultCell::text(label, text) }
    }
}

impl ResultTable {
    /// The kind's own columns.
    fn columns(&self) -> &[ResultCell] {
        self.rows.first().map_or(&[], |row| &row.cells)
    }

    /// Some can be chosen.
    fn has_choice(&self) -> bool {
        self.rows.iter().any(|row| row.choice.is_some())
    }
}
