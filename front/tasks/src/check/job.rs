//! `check`: what is wrong with the site, as a file.

use groma_check::Gate;
use groma_check::tell::unpainted;
use groma_settings::Fault;
use groma_store::Folder;

use crate::check::Form;
use crate::check::run::{Judging, run};
use crate::crawl::prepare::Requester;
use crate::jobs::bench::Bench;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;
use crate::outcome::Outcome;
use crate::task::Check;

pub(crate) fn check(
    folder: &Folder,
    task: &Check,
    format: &str,
    requester: Requester<'_>,
    bench: &mut Bench,
) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let gate = Gate::parse("error").map_err(|error| Fault::new(error.to_string(), error.hint))?;
    keep_file(folder, bench, form.format(), |bench, out| {
        let (only_new, listed) = (false, usize::MAX);
        let judging = Judging { gate: &gate, baseline: None, only_new, copy: None, listed, paint: unpainted };
        Ok(Outcome::Checked(run(folder, task, form, judging, requester, bench, out)?.0))
    })
}
