//! What a form asks for, and of which column.

use crate::options::Labels;
use crate::table::Cell;

/// A value that can be chosen: how it is sent, and how it is called there and in the rows.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) shown: String,
}

/// How a field asks.
#[derive(Clone, Debug)]
pub(crate) enum Asks {
    /// One of a list; `any` is the name of the choice that asks for nothing, if there is one.
    Select { choices: Vec<Choice>, any: Option<String> },
    /// The same with buttons.
    Radio { choices: Vec<Choice>, any: Option<String> },
    /// Several of a list; rows must have `all` of them, or one.
    Checks { choices: Vec<Choice>, all: bool },
    /// From here to there, ends included; `to` is the name of the second control.
    Range { to: String, date: bool },
    /// How the text begins; `%` stands for anything.
    Prefix,
    /// Words that are in the text, in any order.
    Keyword,
}

/// A field of a form.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Internal name.
    pub(crate) name: String,
    pub(crate) label: String,
    /// The number of the column.
    pub(crate) column: usize,
    pub(crate) labels: Labels,
    pub(crate) asks: Asks,
}

impl Field {
    /// Whether a question need not leave out a row with this in the column.
    pub(crate) fn spares(&self, cell: &Cell) -> bool {
        !matches!(self.asks, Asks::Select { any: None, .. } | Asks::Radio { any: None, .. }) || self.finds(cell)
    }

    /// Whether some question to this field has a row with this in the column among its answers.
    pub(crate) fn finds(&self, cell: &Cell) -> bool {
        let offered = |text: &String, choices: &[Choice]| choices.iter().any(|choice| choice.shown == *text);
        match (&self.asks, cell) {
            (Asks::Select { choices, .. } | Asks::Radio { choices, .. }, Cell::Text(text)) => offered(text, choices),
            (Asks::Checks { choices, .. }, Cell::Set(all)) => all.iter().any(|text| offered(text, choices)),
            (Asks::Range { .. }, Cell::Number(_) | Cell::Text(_)) => true,
            (Asks::Prefix | Asks::Keyword, Cell::Text(text)) => !text.is_empty(),
            _ => false,
        }
    }

    /// Whether it has a control of this name.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || matches!(&self.asks, Asks::Range { to, .. } if to == name)
    }
}
