//! Rows of values on their way out: CSV, JSON Lines, Parquet. Each is written while pages are read.

use std::io::Write;

use groma_extract::{Cell, CellRead, Columns, Value, ValueType};
use groma_model::wording::write_row;
use groma_settings::Fault;
use serde_json::Number;

use super::task::Form;

/// What joins the values of a list in one cell of CSV.
const JOINT: &str = " | ";

/// A table that is written row by row.
pub(super) enum Rows<'w> {
    Csv(&'w mut dyn Write),
    Jsonl(&'w mut dyn Write, Vec<String>),
    #[cfg(feature = "parquet")]
    Parquet(Box<groma_parquet::ValueTable<'w>>),
}

impl<'w> Rows<'w> {
    pub(super) fn begin(form: Form, columns: &Columns, out: &'w mut dyn Write) -> Result<Rows<'w>, Fault> {
        let heads: Vec<(String, ValueType)> = columns.heads().map(|(name, r#type)| (name.to_owned(), r#type)).collect();
        match form {
            Form::Csv => {
                let names: Vec<&str> =
                    std::iter::once("url").chain(heads.iter().map(|(name, _)| name.as_str())).collect();
                write_row(out, &names)?;
                Ok(Rows::Csv(out))
            }
            Form::Jsonl => Ok(Rows::Jsonl(out, heads.into_iter().map(|(name, _)| name).collect())),
            #[cfg(feature = "parquet")]
            Form::Parquet => {
                use groma_extract::ItemType;
                use groma_parquet::ValueColumn;
                let column = |(name, r#type): (String, ValueType)| ValueColumn {
                    name,
                    is_number: r#type.item == ItemType::Number,
                    is_list: r#type.is_list,
                };
                let url = ValueColumn { name: "url".to_owned(), is_number: false, is_list: false };
                let columns = std::iter::once(url).chain(heads.into_iter().map(column)).collect();
                Ok(Rows::Parquet(Box::new(groma_parquet::ValueTable::begin(columns, out).map_err(written)?)))
            }
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => Err(super::without_parquet()),
        }
    }

    pub(super) fn row(&mut self, url: &str, cells: &[CellRead]) -> Result<(), Fault> {
        match self {
            Rows::Csv(out) => {
                let text =
                    |read: &CellRead| read.cell.values().iter().map(Value::to_string).collect::<Vec<_>>().join(JOINT);
                let row: Vec<String> = std::iter::once(url.to_owned()).chain(cells.iter().map(text)).collect();
                Ok(write_row(*out, &row)?)
            }
            Rows::Jsonl(out, names) => {
                // In the order of the columns, which an object of serde_json does not keep.
                write!(out, "{{\"url\":{}", serde_json::Value::from(url))?;
                for (name, read) in names.iter().zip(cells) {
                    write!(out, ",{}:{}", serde_json::Value::from(name.as_str()), json(&read.cell))?;
                }
                Ok(out.write_all(b"}\n")?)
            }
            #[cfg(feature = "parquet")]
            Rows::Parquet(table) => {
                let url = [Value::Text(url.to_owned())];
                let values = std::iter::once(&url[..]).chain(cells.iter().map(|read| read.cell.values()));
                for (index, values) in values.enumerate() {
                    let (texts, numbers): (Vec<&str>, Vec<f64>) = apart(values);
                    table.put(index, &texts, &numbers);
                }
                table.end_row().map_err(written)
            }
        }
    }

    pub(super) fn end(self) -> Result<(), Fault> {
        match self {
            Rows::Csv(_) | Rows::Jsonl(..) => Ok(()),
            #[cfg(feature = "parquet")]
            Rows::Parquet(table) => table.end().map_err(written),
        }
    }
}

/// Texts and numbers of a cell; it has either.
#[cfg(feature = "parquet")]
fn apart(values: &[Value]) -> (Vec<&str>, Vec<f64>) {
    let texts =
        values.iter().filter_map(|value| if let Value::Text(text) = value { Some(text.as_str()) } else { None });
    let numbers =
        values.iter().filter_map(|value| if let Value::Number(number) = value { Some(*number) } else { None });
    (texts.collect(), numbers.collect())
}

#[cfg(feature = "parquet")]
fn written(error: impl Into<groma_parquet::TableError>) -> Fault {
    Fault::new(error.into().to_string(), "check the place that is written to, and ask again")
}

fn json(cell: &Cell) -> serde_json::Value {
    let one = |value: &Value| match value {
        Value::Text(text) => text.as_str().into(),
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => (*number as i64).into(),
        Value::Number(number) => Number::from_f64(*number).map_or(serde_json::Value::Null, serde_json::Value::Number),
    };
    match cell {
        Cell::Empty => serde_json::Value::Null,
        Cell::One(value) => one(value),
        Cell::Many(values) => values.iter().map(one).collect(),
    }
}
