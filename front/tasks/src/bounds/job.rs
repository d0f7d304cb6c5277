//! `bound`: where a site ends; its pages as a file.

use groma_settings::Fault;
use groma_store::Folder;
use serde_json::json;

use crate::bounds::wording::{site_found, surt_untold};
use crate::bounds::{Form, Inside, LookAt, Progress, Request, find, write};
use crate::jobs::bench::Bench;
use crate::jobs::outcome::Outcome;
use crate::jobs::result::{ResultFiles, name};
use crate::task;

/// The site that a job looks at, if not the whole survey.
pub(crate) fn site(folder: &Folder, scope: LookAt, bench: &mut Bench) -> Result<Option<Inside>, Fault> {
    let site = scope.site(folder, &mut |progress| report(progress, bench))?;
    for note in site.iter().flat_map(|site| &site.notes) {
        bench.log(note);
    }
    Ok(site)
}

/// Shows how far a search is; says whether it goes on.
fn report(progress: Progress, bench: &mut Bench) -> bool {
    bench.progress(&match progress {
        Progress::Reading => json!({ "phase": "reading" }),
        Progress::Clustering { round, chaos } => json!({ "phase": "clustering", "round": round, "chaos": chaos }),
        Progress::Cutting => json!({ "phase": "cutting" }),
        Progress::Telling => json!({ "phase": "telling" }),
    });
    !bench.is_stopped()
}

pub(crate) fn bound(folder: &Folder, task: &task::Bounds, format: &str, bench: &mut Bench) -> Result<Outcome, Fault> {
    let form = Form::chosen(format)?;
    let found = find(folder, &Request::from_task(task), &mut |progress| report(progress, bench))?;
    let Some(bounds) = found else { return Ok(Outcome::Stopped) };
    for line in bounds.header.warnings.iter().chain(&bounds.header.notes) {
        bench.log(line);
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    let written = {
        let mut out = files.open(&name(bench.row.id, form.format().ending))?;
        write(&bounds, form, &mut *out).and_then(|untold| out.flush().map(|()| untold))
    };
    let untold = match written {
        Err(_) if bench.is_stopped() => return Ok(Outcome::Stopped),
        other => other?,
    };
    if !untold.is_empty() {
        bench.log(&surt_untold(&untold));
    }
    files.finish(bench)?;
    let counts = &bounds.header.counts;
    Ok(Outcome::Done(site_found(counts.r#in.into(), counts.undecided.into(), counts.out.into())))
}
