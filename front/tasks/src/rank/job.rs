//! `rank`: the ranks of all pages, as a file.

use groma_settings::Fault;
use groma_store::Folder;

use crate::jobs::bench::Bench;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;
use crate::map::unpainted;
use crate::rank::run::{run, write};
use crate::rank::task::Form;
use crate::task::Rank;

pub(crate) fn rank(folder: &Folder, task: &Rank, format: &str, bench: &mut Bench) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let Some(graph) = run(folder, task, None, bench)? else { return Ok(Worked::Stopped) };
    let most = task.most(usize::MAX);
    keep_file(folder, bench, form.format(), |_, out| Ok(write(&graph, most, form, &unpainted, out)?))
}
