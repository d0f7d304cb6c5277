//! `bound`: where a site ends; its pages as a file.

use std::sync::atomic::Ordering;

use groma_store::Folder;
use serde_json::json;

use super::result::{ResultFiles, name};
use super::{Bench, Outcome};
use crate::bounds::{Form, Progress, Request, find, write};
use crate::task;
use crate::{Fault, words};

pub(super) fn bound(folder: &Folder, task: &task::Bounds, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let wanted = if format.is_empty() { Some(Form::Json) } else { Form::named(format) };
    let form = wanted.ok_or_else(|| Fault::new(words::no_such_form(format), "one of: json, csv, tsv, surt"))?;
    let stop = bench.stop().clone();
    let found = find(folder, &Request::of(task), &mut |progress| {
        bench.progress(&match progress {
            Progress::Reading => json!({ "phase": "reading" }),
            Progress::Clustering { round, chaos } => json!({ "phase": "clustering", "round": round, "chaos": chaos }),
            Progress::Cutting => json!({ "phase": "cutting" }),
            Progress::Telling => json!({ "phase": "telling" }),
        });
        !stop.load(Ordering::Relaxed)
    })?;
    let Some(bounds) = found else { return Ok(Outcome::Stopped) };
    for line in bounds.header.warnings.iter().chain(&bounds.header.notes) {
        bench.log(line);
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&name(bench.row.id, form.ending()))?;
        write(&bounds, form, &mut *out).and_then(|untold| out.flush().map(|()| untold))
    };
    let untold = match written {
        Err(_) if bench.is_stopped() => return Ok(Outcome::Stopped),
        other => other?,
    };
    if !untold.is_empty() {
        bench.log(&words::surt_untold(&untold));
    }
    files.finish(bench)?;
    let counts = &bounds.header.counts;
    Ok(Outcome::Done(words::site_found(counts.r#in.into(), counts.undecided.into(), counts.out.into())))
}
