//! What do all columns have on a page? Each page is read once, and every column that is meant for it looks at the same tree.

use crate::column::{Column, ColumnError};
use crate::page::Page;
use crate::value::{Cell, ValueType};
use crate::work::{ValueLimits, Work};

/// The most columns.
pub const COLUMNS: usize = 256;

/// Columns that belong together: a table.
#[derive(Clone, Debug)]
pub struct Columns {
    /// In the order they were named first; each with the columns of that name.
    named: Vec<(String, Vec<Column>)>,
}

/// What a named column has on a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellRead {
    pub cell: Cell,
    /// What kept a value out, or a part of it.
    pub flaw: Option<Flaw>,
}

/// What kept a value out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Something was found that is no value of the type of the column.
    NotOfType,
    /// It would have taken too long.
    TooMuchWork,
    /// A limit, by its key.
    Limit(&'static str),
}

impl Columns {
    /// Columns as they were written. Those of one name are of one type.
    pub fn new(columns: Vec<Column>) -> Result<Columns, ColumnError> {
        if columns.is_empty() {
            return Err(ColumnError::None);
        }
        if columns.len() > COLUMNS {
            return Err(ColumnError::Many(COLUMNS));
        }
        let mut named: Vec<(String, Vec<Column>)> = Vec::new();
        for column in columns {
            match named.iter_mut().find(|(name, _)| *name == column.name) {
                None => named.push((column.name.clone(), vec![column])),
                Some((name, others)) => {
                    if let Some(other) = others.first().filter(|other| other.r#type != column.r#type) {
                        let (first, second) = (other.r#type.to_string(), column.r#type.to_string());
                        return Err(ColumnError::Types { name: name.clone(), first, second });
                    }
                    others.push(column);
                }
            }
        }
        Ok(Columns { named })
    }

    /// The names, in order, each with its type.
    pub fn heads(&self) -> impl Iterator<Item = (&str, ValueType)> {
        self.named.iter().map(|(name, columns)| {
            (name.as_str(), columns.first().map_or_else(ValueType::default, |column| column.r#type))
        })
    }

    /// Is any column meant for pages at this URL?
    pub fn are_for(&self, url: &groma_url::Url) -> bool {
        let mut all = self.named.iter().flat_map(|(_, columns)| columns);
        all.any(|column| column.urls.as_ref().is_none_or(|urls| urls.matches(url)))
    }

    /// What every named column has on a page, in the order of the names.
    pub fn read(&self, page: &Page<'_>, limits: ValueLimits) -> Vec<CellRead> {
        self.named.iter().map(|(_, columns)| first_of(columns, page, limits)).collect()
    }
}

/// The first of the columns of a name that has something; the first flaw, if none has.
fn first_of(columns: &[Column], page: &Page<'_>, limits: ValueLimits) -> CellRead {
    let mut flawed = CellRead::default();
    for column in columns.iter().filter(|column| column.is_for(page)) {
        let mut work = Work::new(limits);
        let read = match column.cell(page, &mut work) {
            Err(_) => CellRead { cell: Cell::Empty, flaw: Some(Flaw::TooMuchWork) },
            Ok((cell, true)) => CellRead { cell, flaw: work.cut().map(Flaw::Limit) },
            Ok((cell, false)) => CellRead { cell, flaw: Some(Flaw::NotOfType) },
        };
        if !read.cell.is_empty() {
            return read;
        }
        flawed.flaw = flawed.flaw.or(read.flaw);
    }
    flawed
}
