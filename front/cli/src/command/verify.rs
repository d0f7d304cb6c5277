//! `groma verify`: the store's own check, and whether index, jobs, borders, focused crawls and gatherings agree with it. Exit code 1 if there are complaints.

use groma_search::Index;
use groma_store::borders::Borders;
use groma_store::focuses::Focuses;
use groma_store::gathers::Gathers;
use groma_store::jobs::Queue;
use groma_store::verify;
use serde_json::json;

use crate::Exit;
use crate::args::VerifyArgs;
use crate::output::{Format, Out};
use groma_desk::Fault;
use groma_desk::{place, words};
use groma_model::wording::plain;

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let mut store = folder.read()?;
    let mut report = verify::verify(&mut store)?;
    // What follows the survey has to agree with it.
    let mut beside = Index::complaints(folder.path(), &mut store)?;
    if let Some(mut queue) = folder.queue_if_any()? {
        beside.extend(queue.complaints(groma_desk::worker::now())?);
    }
    if let Some(mut borders) = folder.borders_if_any()? {
        beside.extend(borders.complaints()?);
    }
    if let Some(mut focuses) = folder.focuses_if_any()? {
        beside.extend(focuses.complaints()?);
    }
    if let Some(mut gathers) = folder.gathers_if_any()? {
        beside.extend(gathers.complaints()?);
    }
    report.wrong += beside.len() as u64;
    report.complaints.extend(beside);
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => out.json(&json!({
            "addresses": report.addresses,
            "links": report.links,
            "wrong": report.wrong,
            "complaints": report.complaints,
        }))?,
        Format::Csv => {
            out.csv(&["complaint"])?;
            for complaint in &report.complaints {
                out.csv(&[complaint])?;
            }
        }
        Format::Text if report.wrong == 0 => out.line(&words::verified(report.addresses, report.links))?,
        Format::Text => {
            out.line(&words::found_wrong(report.wrong, report.addresses, report.links))?;
            for complaint in &report.complaints {
                out.line(&format!("  {}", plain(complaint)))?;
            }
        }
    }
    out.flush()?;
    Ok(if report.wrong == 0 { Exit::Fine } else { Exit::Findings })
}
