//! `bound` and `cluster`: where a site ends, and which pages belong together; as files.

use groma_settings::Fault;
use groma_store::Folder;

use crate::bounds::cluster_task::Form as ClusterForm;
use crate::bounds::wording::surt_untold;
use crate::bounds::{Form, Request, run, run_clustering, write, write_clusters};
use crate::jobs::bench::Bench;
use crate::jobs::result::keep_file;
use crate::jobs::worked::Worked;
use crate::map::unpainted;
use crate::observer::Observer;
use crate::outcome::Outcome;
use crate::task;

pub(crate) fn bound(folder: &Folder, task: &task::Bounds, format: &str, bench: &mut Bench) -> Result<Worked, Fault> {
    let form = Form::chosen(format)?;
    let Some(bounds) = run(folder, &Request::from_task(task), None, bench)? else { return Ok(Worked::Stopped) };
    for line in bounds.header.warnings.iter().chain(&bounds.header.notes) {
        bench.note(line);
    }
    keep_file(folder, bench, form.format(), |bench, out| {
        let untold = write(&bounds, form, out)?;
        if !untold.is_empty() {
            bench.note(&surt_untold(&untold));
        }
        let counts = &bounds.header.counts;
        Ok(Outcome::SiteFound { r#in: counts.r#in.into(), undecided: counts.undecided.into(), out: counts.out.into() })
    })
}

pub(crate) fn cluster(folder: &Folder, task: &task::Cluster, format: &str, bench: &mut Bench) -> Result<Worked, Fault> {
    let form = ClusterForm::chosen(format)?;
    let request = Request::from_task(&task.clustering.alone());
    let Some(clustered) = run_clustering(folder, &request, None, bench)? else { return Ok(Worked::Stopped) };
    keep_file(folder, bench, form.format(), |_, out| write_clusters(&clustered, folder, task, form, &unpainted, out))
}
