//! `export`: pages or links of the survey for other programs, as a file.

use std::io::{Error, ErrorKind};

use groma_settings::Fault;
use groma_store::Folder;

use super::run::run;
use super::task::{Export, Form};
use crate::jobs::bench::Bench;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;

pub(crate) fn export(folder: &Folder, task: &Export, format: &str, bench: &mut Bench) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let exporting = run(folder, task, form, bench)?;
    keep_file(folder, bench, form.format(), |_, out| match exporting.write(form, out)? {
        // Half an export is no result.
        exported if exported.stopped => Err(Error::from(ErrorKind::Interrupted).into()),
        exported => Ok(exported.into()),
    })
}
