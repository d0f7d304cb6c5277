//! What a gathering found, to take along: as one JSON object, as objects a line, as rows, or as SOIF.

use std::io::Write;

use groma_model::wording::write_row;
use groma_settings::Fault;
use groma_soif::Writer;
use groma_store::Folder;
use groma_store::gathers::{GatherId, GatherRow, Gathers, RecordRow};
use serde_json::{Map, Value, json};

use super::{About, Form};
use crate::gather::wording::{NO_SUCH_GATHER_HINT, no_such_gather};

/// Rows read at a time.
const ROWS: usize = 1_000;

/// Writes what a gathering found. Returns the number of records.
pub fn export(folder: &Folder, id: GatherId, form: Form, out: &mut dyn Write) -> Result<u64, Fault> {
    let mut gathers = folder.gathers()?;
    let row = gathers.gather(id)?.ok_or_else(|| Fault::new(no_such_gather(id.0), NO_SUCH_GATHER_HINT))?;
    match form {
        Form::Json => json(&mut gathers, &row, out),
        Form::Lines => each(&mut gathers, id, &mut |record| Ok(writeln!(out, "{}", object(record))?)),
        Form::Csv => csv(&mut gathers, id, out),
        Form::Soif => soif(&mut gathers, &row, out).map(|()| row.records.into()),
    }
}

/// Writes all that was gathered into a survey as SOIF: an object each, in the order in which they were begun.
pub fn export_soif(folder: &Folder, out: &mut dyn Write) -> Result<(), Fault> {
    let Some(mut gathers) = folder.gathers_if_any()? else { return Ok(()) };
    let mut rows = gathers.gathers()?;
    rows.sort_unstable_by_key(|row| row.id);
    for row in rows {
        // Of one that came to nothing there is nothing to hand on.
        if !gathers.attributes(row.id)?.is_empty() {
            soif(&mut gathers, &row, out)?;
        }
    }
    Ok(())
}

/// Gives each record to somebody.
fn each(
    gathers: &mut Gathers,
    id: GatherId,
    to: &mut dyn FnMut(&RecordRow) -> Result<(), Fault>,
) -> Result<u64, Fault> {
    let mut from = 0;
    loop {
        let records = gathers.records(id, from, ROWS)?;
        for record in &records {
            to(record)?;
        }
        match records.last() {
            Some(last) => from = last.place + 1,
            None => return Ok(from.into()),
        }
    }
}

/// All values of an attribute.
fn values(gathers: &mut Gathers, id: GatherId, attribute: &str) -> Result<Vec<String>, Fault> {
    let mut all = Vec::new();
    loop {
        let some = gathers.values(id, attribute, all.len() as u32, ROWS)?;
        if some.is_empty() {
            return Ok(all);
        }
        all.extend(some);
    }
}

/// Attributes and values of a record.
pub fn pairs(record: &RecordRow) -> Vec<(String, String)> {
    serde_json::from_str(&record.values).unwrap_or_default()
}

/// A record as an object; an attribute with several values is a list.
fn object(record: &RecordRow) -> Value {
    let mut object = Map::new();
    for (attribute, value) in pairs(record) {
        match object.get_mut(&attribute) {
            Some(Value::Array(list)) => list.push(Value::String(value)),
            Some(one) => *one = Value::Array(vec![one.take(), Value::String(value)]),
            None => drop(object.insert(attribute, Value::String(value))),
        }
    }
    if !record.link.is_empty() {
        object.insert("@link".to_owned(), Value::String(record.link.clone()));
    }
    Value::Object(object)
}

fn json(gathers: &mut Gathers, row: &GatherRow, out: &mut dyn Write) -> Result<u64, Fault> {
    let statement: Value = serde_json::from_str(&row.statement).unwrap_or(Value::Null);
    let head = json!({ "id": row.id.0, "url": row.address, "form": row.form, "title": row.title });
    let head = head.to_string();
    // The object stays open: values and rows are written as they are read.
    write!(out, "{},\"values\":{{", head.trim_end_matches('}'))?;
    for (nth, (attribute, _)) in gathers.attributes(row.id)?.into_iter().enumerate() {
        let comma = if nth > 0 { "," } else { "" };
        let values = values(gathers, row.id, &attribute)?;
        write!(out, "{comma}{}:{}", Value::String(attribute), Value::from(values))?;
    }
    write!(out, "}},\"rows\":[")?;
    let mut first = true;
    let count = each(gathers, row.id, &mut |record| {
        let comma = if std::mem::take(&mut first) { "" } else { "," };
        Ok(write!(out, "{comma}{}", object(record))?)
    })?;
    writeln!(out, "],\"statement\":{statement}}}")?;
    Ok(count)
}

fn csv(gathers: &mut Gathers, id: GatherId, out: &mut dyn Write) -> Result<u64, Fault> {
    let attributes = gathers.attributes(id)?;
    if gathers.records(id, 0, 1)?.is_empty() {
        write_row(out, &["attribute", "value"])?;
        for (attribute, _) in attributes {
            for value in values(gathers, id, &attribute)? {
                write_row(out, &[&attribute, &value])?;
            }
        }
        return Ok(0);
    }
    let names: Vec<String> = attributes.into_iter().map(|(name, _)| name).collect();
    let head: Vec<&str> = names.iter().map(String::as_str).chain(["@link"]).collect();
    write_row(out, &head)?;
    each(gathers, id, &mut |record| {
        let pairs = pairs(record);
        let cell = |name: &String| {
            let own = pairs.iter().filter(|(attribute, _)| attribute == name).map(|(_, value)| value.as_str());
            own.collect::<Vec<_>>().join("; ")
        };
        let cells: Vec<String> = names.iter().map(cell).chain([record.link.clone()]).collect();
        Ok(write_row(out, &cells)?)
    })
}

fn soif(gathers: &mut Gathers, row: &GatherRow, out: &mut dyn Write) -> Result<(), Fault> {
    let address = if row.form.is_empty() { &row.address } else { &row.form };
    let mut writer = Writer::new(out);
    let mut object = writer.object(b"DATABASE", address.as_bytes())?;
    if !row.title.is_empty() {
        object.attribute(b"Title", row.title.as_bytes())?;
    }
    let about = About::of_gather(row);
    for (name, value) in [("Description", &about.description), ("Keywords", &about.keywords)] {
        if !value.is_empty() {
            object.attribute(name.as_bytes(), value.as_bytes())?;
        }
    }
    object.attribute(b"Type", b"Database")?;
    object.attribute(b"Update-Time", row.last.to_string().as_bytes())?;
    for (attribute, _) in gathers.attributes(row.id)? {
        let values = values(gathers, row.id, &attribute)?;
        // Names in SOIF have neither blanks nor braces.
        let plain: String =
            attribute.chars().map(|c| if c.is_whitespace() || "{}".contains(c) { '-' } else { c }).collect();
        object.values(plain.as_bytes(), values.iter().map(|value| value.as_bytes()))?;
    }
    Ok(object.end()?)
}
