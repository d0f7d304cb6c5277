//! The gatherings of a survey, what they asked, and what they found as a file.

use std::path::Path;

use serde_json::{Value, json};

use groma_desk::gather::{Form, export as write};
use groma_desk::{Fault, place, words};
use groma_model::moment::rfc3339;
use groma_model::wording::plain;
use groma_store::gathers::GatherId;

use super::meant;
use crate::Exit;
use crate::args::{OutputArgs, StoreArg, WhichGather};
use crate::output::{Format, Out, tell};

/// Answers read at a time.
const ANSWERS: usize = 1_000;

pub(super) fn list(store: &StoreArg, output: &OutputArgs) -> Result<Exit, Fault> {
    let folder = place::find(store.store.as_deref())?;
    let rows = match folder.gathers_if_any()? {
        Some(mut gathers) => gathers.gathers()?,
        None => Vec::new(),
    };
    let mut out = Out::open(output.output.as_deref())?;
    if output.format == Format::Csv {
        out.csv(&["id", "address", "form", "title", "rows", "requests", "end", "last"])?;
    }
    for row in &rows {
        let (last, end) = (rfc3339(row.last), &row.end);
        match output.format {
            Format::Json => {
                let statement: Value = serde_json::from_str(&row.statement).unwrap_or(Value::Null);
                out.json(&json!({
                    "id": row.id.0, "address": row.address, "form": row.form, "title": row.title, "rows": row.records,
                    "requests": row.requests, "end": end, "last": last, "statement": statement,
                }))?;
            }
            Format::Csv => {
                let numbers = [row.id.0.to_string(), row.records.to_string(), row.requests.to_string()];
                let [id, records, requests] = &numbers;
                out.csv(&[id, &row.address, &row.form, &row.title, records, requests, end, &last])?;
            }
            Format::Text => {
                let end = if end.is_empty() { "not ended" } else { end };
                let head = out.paint.heading(&format!("{:3}", row.id.0));
                let found = format!("{} records, {} requests", row.records, row.requests);
                let name = if row.title.is_empty() { &row.address } else { &row.title };
                out.line(&format!("{head}  {found:32} {end:12} {}", plain(name)))?;
            }
        }
    }
    if rows.is_empty() && output.format == Format::Text {
        tell(&format!("{}; {}", words::NO_GATHER, words::NO_GATHER_HINT));
    }
    out.finish()?;
    Ok(Exit::Fine)
}

pub(super) fn export(which: &WhichGather, format: &str, output: Option<&Path>) -> Result<Exit, Fault> {
    let form = Form::named(format).ok_or_else(|| Fault::new(words::no_such_form(format), words::GATHER_FORMS))?;
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
        out.csv(&["n", "question", "address", "status", "reason", "requests", "at"])?;
    }
    let mut from = 0;
    loop {
        let answers = gathers.answers(row.id, from, ANSWERS)?;
        for answer in &answers {
            from += 1;
            let at = rfc3339(answer.at);
            match output.format {
                Format::Json => out.json(&json!({
                    "n": from, "question": answer.about, "address": answer.address, "status": answer.status,
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
    if there { Ok(Exit::Fine) } else { Err(Fault::new(words::no_such_gather(number), words::NO_SUCH_GATHER_HINT)) }
}
