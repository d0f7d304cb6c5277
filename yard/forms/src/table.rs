//! What is in the database: columns, rows, and the truth about them.

use serde_json::{Map, Value, json};

use crate::dice::Dice;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    /// Year, month, day with hyphens: the order of the letters is that of time.
    Date,
    /// Several of a list.
    Set,
}

#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// What it is called on pages.
    pub(crate) label: String,
    pub(crate) kind: Kind,
    /// Whether lists show it; the page of a row always does.
    pub(crate) shown: bool,
}

impl Column {
    pub(crate) fn new(name: &str, label: &str, kind: Kind) -> Column {
        Column { name: name.to_owned(), label: label.to_owned(), kind, shown: true }
    }
}

/// What stands in a column of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// The row has no value here.
    Null,
    /// A text or a date.
    Text(String),
    /// A number. It is shown as Rust writes it, which reads back as the same number.
    Number(f64),
    /// Some of a list, in the order of the list.
    Set(Vec<String>),
}

impl Cell {
    /// As pages show it.
    pub fn shown(&self) -> String {
        match self {
            Cell::Null => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Number(number) => number.to_string(),
            Cell::Set(all) => all.join(", "),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Null => Value::Null,
            Cell::Text(text) => json!(text),
            Cell::Number(number) => json!(number),
            Cell::Set(all) => json!(all),
        }
    }
}

/// Columns and rows of a site.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// The truth about a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// Its number, which its page has in its URL.
    pub id: usize,
    /// Whether some question has it among its answers, before any cut.
    pub reachable: bool,
    /// Columns and what stands there, also those that lists do not show.
    pub values: Vec<(String, Cell)>,
}

impl Truth {
    /// As one line of JSON.
    pub fn json(&self) -> Value {
        let values: Map<String, Value> = self.values.iter().map(|(name, cell)| (name.clone(), cell.json())).collect();
        json!({"id": self.id, "reachable": self.reachable, "values": values})
    }

    /// What stands in a column.
    pub fn value(&self, column: &str) -> Option<&Cell> {
        self.values.iter().find(|(name, _)| name == column).map(|(_, cell)| cell)
    }
}

impl Table {
    /// Takes what stands in some cells away; never in the first column.
    pub(crate) fn sprinkle(&mut self, percent: u8, dice: &mut Dice) {
        for cell in self.rows.iter_mut().flat_map(|row| row.iter_mut().skip(1)) {
            if dice.chance(usize::from(percent)) {
                *cell = Cell::Null;
            }
        }
    }

    /// Writes some rows a second time, at the end.
    pub(crate) fn repeat(&mut self, percent: u8, dice: &mut Dice) {
        let again: Vec<Vec<Cell>> = self.rows.iter().filter(|_| dice.chance(usize::from(percent))).cloned().collect();
        self.rows.extend(again);
    }
}
