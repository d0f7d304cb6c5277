//! `groma cluster`: which pages belong together?

use groma_settings::{Fault, place};
use groma_tasks::bounds::{Request, run_clustering, write_clusters};

use super::graph_engine;
use crate::Exit;
use crate::args::ClusterArgs;
use crate::output::Out;
use crate::terminal::Terminal;

pub(crate) fn run(args: &ClusterArgs) -> Result<Exit, Fault> {
    let request = Request::from_task(&args.task.clustering.alone());
    let folder = place::find(args.store.store.as_deref())?;
    let in_parts = graph_engine::in_parts(&args.engine, &folder)?;
    let mut terminal = Terminal::new(args.quiet);
    let Some(clustered) = run_clustering(&folder, &request, in_parts.as_ref(), &mut terminal)? else {
        return Ok(Exit::Interrupted);
    };
    drop(terminal);
    let mut out = Out::open(args.output.as_deref())?;
    let paint = out.paint;
    write_clusters(&clustered, &folder, &args.task, args.format, &|tone, piece| paint.tone(tone, piece), out.writer())?;
    out.finish()?;
    Ok(Exit::Fine)
}
