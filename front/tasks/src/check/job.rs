//! `check`: what is wrong with the site, as a file.

use groma_check::tell::{Manner, teller};
use groma_check::{Evidence, Gate, Report, Severity, Within};
use groma_model::wording::counted;
use groma_settings::Fault;
use groma_store::Folder;
use groma_survey_graph::StoreEvidence;
use serde_json::json;

use crate::bounds;
use crate::check::Form;
use crate::jobs::bench::Bench;
use crate::jobs::outcome::Outcome;
use crate::jobs::result::{ResultFiles, name};
use crate::map::wording::up_to_layer;
use crate::task::Check;

pub(crate) fn check(folder: &Folder, task: &Check, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let form = Form::chosen(format)?;
    let site = bounds::job::site(folder, task.scope.0, bench)?;
    bench.progress(&json!({ "phase": "checking" }));
    let gate = Gate::parse("error").map_err(|error| Fault::new(error.to_string(), error.hint))?;
    let mut store = folder.read()?;
    let mut evidence = StoreEvidence::new(&mut store)?;
    if let Some(layer) = evidence.horizon() {
        bench.log(&up_to_layer(layer));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&name(bench.row.id, form.format().ending))?;
        let manner = Manner { most: task.listed(usize::MAX), gate: Some(gate.clone()) };
        let report = Report { options: task.options(), gate: &gate, baseline: None, only_new: false, copy: None };
        let mut part;
        let looked_at: &mut dyn Evidence = match &site {
            Some(site) => {
                part = Within::new(&mut evidence, &site.inside);
                &mut part
            }
            None => &mut evidence,
        };
        let told = report.write(looked_at, &mut *teller(form.told(), &mut *out, &manner));
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
    format!("{}, {}", counted(findings, "finding", "findings"), counted(errors, "error", "errors"))
}
