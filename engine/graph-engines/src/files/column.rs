//! Columns in memory.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Whole,
    /// Real numbers; whole ones are taken for such.
    Real,
    Flag,
    /// Text in UTF-8.
    Text,
}

/// A column to be read from a file.
#[derive(Clone, Copy, Debug)]
pub struct ColumnRequest<'a> {
    pub name: &'a str,
    /// What it must hold.
    pub kind: Kind,
    /// Whether it may be missing; it then has nothing in every row.
    pub optional: bool,
}

/// Whole numbers by this name.
pub fn whole(name: &str) -> ColumnRequest<'_> {
    ColumnRequest { name, kind: Kind::Whole, optional: false }
}

/// Real numbers by this name.
pub fn real(name: &str) -> ColumnRequest<'_> {
    ColumnRequest { name, kind: Kind::Real, optional: false }
}

/// Yes or no by this name.
pub fn flag(name: &str) -> ColumnRequest<'_> {
    ColumnRequest { name, kind: Kind::Flag, optional: false }
}

/// Texts by this name.
pub fn text(name: &str) -> ColumnRequest<'_> {
    ColumnRequest { name, kind: Kind::Text, optional: false }
}

/// The same if it is there.
pub fn maybe(wanted: ColumnRequest<'_>) -> ColumnRequest<'_> {
    ColumnRequest { optional: true, ..wanted }
}

/// A column, row by row; `None` where a row has nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Flag(Vec<Option<bool>>),
    Text(Vec<Option<String>>),
}

impl Column {
    /// An empty column.
    pub fn new(kind: Kind) -> Column {
        match kind {
            Kind::Whole => Column::Whole(Vec::new()),
            Kind::Real => Column::Real(Vec::new()),
            Kind::Flag => Column::Flag(Vec::new()),
            Kind::Text => Column::Text(Vec::new()),
        }
    }

    /// Rows pushed so far.
    pub fn len(&self) -> usize {
        match self {
            Column::Whole(values) => values.len(),
            Column::Real(values) => values.len(),
            Column::Flag(values) => values.len(),
            Column::Text(values) => values.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes the rows of another of the same kind.
    pub(crate) fn append(&mut self, other: &mut Column) {
        match (self, other) {
            (Column::Whole(mine), Column::Whole(values)) => mine.append(values),
            (Column::Real(mine), Column::Real(values)) => mine.append(values),
            (Column::Flag(mine), Column::Flag(values)) => mine.append(values),
            (Column::Text(mine), Column::Text(values)) => mine.append(values),
            _ => {}
        }
    }

    /// Makes it this long, with nothing in the new rows.
    pub(crate) fn pad(&mut self, rows: usize) {
        match self {
            Column::Whole(values) => values.resize(rows, None),
            Column::Real(values) => values.resize(rows, None),
            Column::Flag(values) => values.resize(rows, None),
            Column::Text(values) => values.resize(rows, None),
        }
    }

    /// Row by row; nothing in a row, or another kind of column, gives 0.
    pub fn wholes(&self) -> Box<dyn Iterator<Item = i64> + '_> {
        match self {
            Column::Whole(values) => Box::new(values.iter().map(|value| value.unwrap_or_default())),
            other => Box::new(std::iter::repeat_n(0, other.len())),
        }
    }

    /// Row by row; nothing in a row, or another kind of column, gives what is no number.
    pub fn reals(&self) -> Box<dyn Iterator<Item = f64> + '_> {
        match self {
            Column::Real(values) => Box::new(values.iter().map(|value| value.unwrap_or(f64::NAN))),
            other => Box::new(std::iter::repeat_n(f64::NAN, other.len())),
        }
    }

    /// A row of whole numbers.
    pub(crate) fn whole_at(&self, row: usize) -> Option<i64> {
        if let Column::Whole(values) = self { values.get(row).copied().flatten() } else { None }
    }

    /// A row of yes or no; nothing is no.
    pub(crate) fn flag_at(&self, row: usize) -> bool {
        if let Column::Flag(values) = self { values.get(row).copied().flatten().unwrap_or(false) } else { false }
    }

    /// A row of texts.
    pub(crate) fn text_at(&self, row: usize) -> Option<&str> {
        if let Column::Text(values) = self { values.get(row)?.as_deref() } else { None }
    }
}

impl FromIterator<i64> for Column {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Column {
        Column::Whole(values.into_iter().map(Some).collect())
    }
}

impl FromIterator<f64> for Column {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Column {
        Column::Real(values.into_iter().map(Some).collect())
    }
}

impl FromIterator<bool> for Column {
    fn from_iter<I: IntoIterator<Item = bool>>(values: I) -> Column {
        Column::Flag(values.into_iter().map(Some).collect())
    }
}

impl FromIterator<String> for Column {
    fn from_iter<I: IntoIterator<Item = String>>(values: I) -> Column {
        Column::Text(values.into_iter().map(Some).collect())
    }
}
