//! `extract`: values out of the pages of the survey, as a file.

use std::io::{Error, ErrorKind};

use groma_settings::Fault;
use groma_store::Folder;

use super::run::run;
use super::task::{Extract, Form};
use crate::crawl::prepare::Requester;
use crate::jobs::bench::Bench;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;
use crate::outcome::Outcome;

pub(crate) fn extract(
    folder: &Folder,
    task: &Extract,
    format: &str,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    keep_file(folder, bench, form.format(), |bench, out| {
        match run(folder, task, form, requester, bench, out)? {
            // Half a table is no result.
            extracted if extracted.stopped => Err(Error::from(ErrorKind::Interrupted).into()),
            extracted => Ok(Outcome::Extracted(extracted)),
        }
    })
}
