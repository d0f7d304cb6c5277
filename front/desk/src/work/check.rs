//! `check`: what is wrong with the site, as a file.

use std::str::FromStr;

use groma_atlas::StoreEvidence;
use groma_check::tell::{Format, Manner, teller};
use groma_check::{Gate, Kinds, Options, Report, Severity};
use groma_store::Folder;
use serde_json::json;

use super::result::{ResultFiles, name};
use super::{Bench, Outcome};
use crate::{Fault, words};

pub(super) fn check(folder: &Folder, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let wanted = if format.is_empty() { "json" } else { format };
    let form = Format::from_str(wanted)
        .map_err(|_| Fault::new(words::no_such_form(wanted), "one of: text, json, csv, markdown, junit"))?;
    let ending = match form {
        Format::Text => "txt",
        Format::Json => "jsonl",
        Format::Csv => "csv",
        Format::Markdown => "md",
        Format::Junit => "xml",
    };
    bench.progress(&json!({ "phase": "checking" }));
    let gate = Gate::parse("error").map_err(|error| Fault::new(error.to_string(), error.hint))?;
    let mut store = folder.read()?;
    let mut evidence = StoreEvidence::new(&mut store)?;
    if let Some(layer) = evidence.horizon() {
        bench.log(&words::up_to_layer(layer));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&name(bench.row.id, ending))?;
        let manner = Manner { most: usize::MAX, gate: Some(gate.clone()) };
        let options = Options { kinds: Kinds::ALL, ..Options::default() };
        let report = Report { options, gate: &gate, baseline: None, only_new: false, copy: None };
        let told = report.write(&mut evidence, &mut *teller(form, &mut *out, &manner));
        told.and_then(|told| out.flush().map(|()| told))
    };
    let summary = match written {
        Err(_) if bench.is_stopped() => return Ok(Outcome::Stopped),
        other => other?.0,
    };
    files.finish(bench)?;
    Ok(Outcome::Done(findings_of(summary.total(), summary.of_severity(Severity::Error).all)))
}

fn findings_of(findings: u64, errors: u64) -> String {
    format!("{}, {}", words::counted(findings, "finding", "findings"), words::counted(errors, "error", "errors"))
}
