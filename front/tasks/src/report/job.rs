//! `report`: what the survey came to, as a file.

use groma_settings::Fault;
use groma_store::Folder;

use crate::jobs::bench::Bench;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;
use crate::report::{Form, run};
use crate::task::Report;

pub(crate) fn report(folder: &Folder, task: &Report, format: &str, bench: &mut Bench) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let Some(mut report) = run(folder, task, bench)? else { return Ok(Worked::Stopped) };
    keep_file(folder, bench, form.format(), |_, out| {
        let gathered = report.gather(&mut [])?;
        report.write(&gathered, &[], out)
    })
}
