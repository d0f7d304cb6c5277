//! `map`: the map of the survey, as a file; a sitemap may be several.

use groma_settings::Fault;
use groma_store::Folder;

use crate::jobs::bench::Bench;
use crate::jobs::result::{ResultFiles, keep_file};
use crate::jobs::worked::Worked;
use crate::map::run::run;
use crate::map::{Form, Style};
use crate::task::Map;

pub(crate) fn map(folder: &Folder, task: &Map, format: &str, bench: &mut Bench) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let Some(mut map) = run(folder, task, None, bench)? else { return Ok(Worked::Stopped) };
    let outcome = map.outcome();
    if form != Form::Sitemap {
        let style = Style { rows: task.most_rows(), ascii: task.ascii, ..Style::default() };
        return keep_file(folder, bench, form.format(), |_, out| map.draw(task, form, &style, out).map(|()| outcome));
    }
    let mut files = ResultFiles::begin(folder, bench)?;
    // All of them are called after the job.
    let stem = bench.row.id.0.to_string();
    match map.sitemap(task, Some(&stem), &mut |name| files.open(name)) {
        Err(_) if bench.is_stopped() => Ok(Worked::Stopped),
        Err(fault) => Err(fault),
        Ok(_) => {
            files.finish(bench)?;
            Ok(Worked::Done(outcome))
        }
    }
}
