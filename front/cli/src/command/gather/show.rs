//! The gatherings of a survey, what they asked, and what they found as a file.

use std::path::Path;

use groma_model::moment::rfc3339;
use groma_model::wording::{counted, plain};
use groma_settings::{Fault, place};
use groma_store::gathers::GatherId;
use groma_tasks::gather::wording::{NO_SUCH_GATHER_HINT, no_such_gather};
use groma_tasks::gather::{Form, export as write};
use serde_json::{Value, json};

use super::meant;
use crate::Exit;
use crate::args::{OutputArgs, StoreArg, WhichGather};
use crate::output::{Format, Out, tell};
use crate::wording::{NO_GATHER, NO_GATHER_HINT};

/// Answers read at a time.
const ANSWERS: usize = 1_000;

pub(super) fn list(store: &StoreArg, output: &OutputArgs) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    let mut rows = Vec::new();
    if let Some(mut gathers) = folder.gathers_if_any()? {
        for row in gathers.gathers()? {
            let values: u64 = gathers.attributes(row.id)?.iter().map(|(_, count)| u64::from(*count)).sum();
            rows.push((row, values));
        }
    }
    let mut out = Out::open(output.output.as_deref())?;
    if output.format == Format::Csv {
        out.csv(&["id", "url", "form", "title", "rows", "values", "requests", "end", "last"])?;
    }
    for (row, values) in &rows {
        let (last, end) = (rfc3339(row.last), &row.end);
        match output.format {
            Format::Json => {
                let statement: Value = serde_json::from_str(&row.statement).unwrap_or(Value::Null);
                out.json(&json!({
                    "id": row.id.0, "url": row.address, "form": row.form, "title": row.title, "rows": row.records,
                    "values": values, "requests": row.requests, "end": end, "last": last, "statement": statement,
                }))?;
            }
            Format::Csv => {
                let numbers = [row.id.0, row.records.into(), *values, row.requests.into()].map(|n| n.to_string());
                let [id, records, values, requests] = &numbers;
                out.csv(&[id, &row.address, &row.form, &row.title, records, values, requests, end, &last])?;
            }
            Format::Text => {
                let end = if end.is_empty() { "not ended" } else { end };
                let head = out.paint.heading(&format!("{:3}", row.id.0));
                let found = [
                    counted(row.records.into(), "record", "records"),
                    counted(*values, "value", "values"),
                    counted(row.requests.into(), "request", "requests"),
                ];
                let found = found.join(", ");
                let name = if row.title.is_empty() { &row.address } else { &row.title };
                out.line(&format!("{head}  {found:44} {end:12} {}", plain(name)))?;
            }
        }
    }
    if rows.is_empty() && output.format == Format::Text {
        tell(&format!("{}; {}", NO_GATHER, NO_GATHER_HINT));
    }
    out.finish()?;
    Ok(Exit::Fine)
}

pub(super) fn export(which: &WhichGather, format: &str, output: Option<&Path>) -> Result<Exit, Fault> {
    let form = Form::chosen(format)?;
    let (folder, _, row) = meant(which)?;
    let mut out = Out::open(output)?;
    write(&folder, row.id, form, out.writer())?;
    out.finish()?;
    Ok(Exit::Fine)
}

pub(super) fn explain(which: &WhichGather, output: &OutputArgs) -> Result<Exit, Fault> {
    let (_, mut gathers, row) = meant(which)?;
    let mut out = Out::open(output.output.as_deref())?;
    if output.format == Format::Csv {
        out.csv(&["n", "question", "url", "status", "reason", "requests", "at"])?;
    }
    let mut from = 0;
    loop {
        let answers = gathers.answers(row.id, from, ANSWERS)?;
        for answer in &answers {
            from += 1;
            let at = rfc3339(answer.at);
            match output.format {
                Format::Json => out.json(&json!({
                    "n": from, "question": answer.about, "url": answer.address, "status": answer.status,
                    "reason": answer.reason.says(), "requests": answer.requests, "unchanged": answer.unchanged,
                    "cut": answer.cut, "at": at,
                }))?,
                Format::Csv => {
                    let numbers = [from.to_string(), answer.status.to_string(), answer.requests.to_string()];
                    let [n, status, requests] = &numbers;
                    out.csv(&[n, &answer.about, &answer.address, status, answer.reason.says(), requests, &at])?;
                }
                Format::Text => {
                    let line = format!(
                        "{from:5}  {:3}  {:40} {}",
                        answer.status,
                        plain(&answer.about),
                        plain(&answer.address)
                    );
                    out.line(&line)?;
                }
            }
        }
        if answers.is_empty() {
            break;
        }
    }
    out.finish()?;
    Ok(Exit::Fine)
}

pub(super) fn forget(number: u64, store: &StoreArg) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    let there = match folder.gathers_if_any()? {
        Some(mut gathers) => gathers.forget(GatherId(number))?,
        None => false,
    };
    if there { Ok(Exit::Fine) } else { Err(Fault::new(no_such_gather(number), NO_SUCH_GATHER_HINT)) }
}
