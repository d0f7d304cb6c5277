//! What an extraction came to.

use std::collections::BTreeMap;
use std::fmt;

use groma_extract::{CellRead, Flaw};
use groma_model::wording::counted;
use serde::Serialize;

/// What an extraction came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Extracted {
    /// Pages that were read.
    pub pages: u64,
    /// Rows that were written.
    pub rows: u64,
    /// By column: pages on which it has a value.
    pub columns: BTreeMap<String, u64>,
    /// Pages whose bodies were not kept.
    pub without_body: u64,
    /// Values that are none of the type of their column.
    pub not_of_type: u64,
    /// Columns that would have taken too long on a page.
    pub too_slow: u64,
    /// By limit: columns on pages of which it left something out.
    pub limits: BTreeMap<&'static str, u64>,
    /// The column that was made from examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Somebody said stop before the end.
    pub stopped: bool,
}

impl Extracted {
    /// Counts what was read from a page. True if a column has a value there.
    pub(super) fn count<'c>(&mut self, read: impl Iterator<Item = (&'c str, &'c CellRead)>) -> bool {
        self.pages += 1;
        let mut has_value = false;
        for (name, read) in read {
            if !read.cell.is_empty() {
                has_value = true;
                match self.columns.get_mut(name) {
                    Some(count) => *count += 1,
                    None => drop(self.columns.insert(name.to_owned(), 1)),
                }
            }
            match read.flaw {
                Some(Flaw::NotOfType) => self.not_of_type += 1,
                Some(Flaw::TooMuchWork) => self.too_slow += 1,
                Some(Flaw::Limit(key)) => *self.limits.entry(key).or_default() += 1,
                None => {}
            }
        }
        has_value
    }

    /// What people should know about the values, a line each.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.without_body > 0 {
            let pages = counted(self.without_body, "page was", "pages were");
            notes.push(format!(
                "{pages} passed over: no body was kept. Crawl with --set bodies=keep, or add --ask to fetch them now"
            ));
        }
        if self.not_of_type > 0 {
            let values = counted(self.not_of_type, "value is", "values are");
            notes.push(format!("{values} not of the type of the column and left out"));
        }
        if self.too_slow > 0 {
            let times = counted(self.too_slow, "time", "times");
            notes.push(format!("a selector would have taken too long on its page {times}: those cells are empty"));
        }
        for (key, count) in &self.limits {
            let times = counted(*count, "time", "times");
            notes.push(format!("limit reached: {key} ({times}). Raise it with limits.{key} in groma.toml"));
        }
        notes
    }
}

impl fmt::Display for Extracted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stopped {
            f.write_str("stopped after ")?;
        }
        write!(f, "{} of {}", counted(self.rows, "row", "rows"), counted(self.pages, "page", "pages"))?;
        for (name, count) in &self.columns {
            write!(f, ", {name} on {}", groma_model::wording::grouped(*count))?;
        }
        if self.without_body > 0 {
            write!(f, "; {} without a kept body", counted(self.without_body, "page", "pages"))?;
        }
        Ok(())
    }
}
