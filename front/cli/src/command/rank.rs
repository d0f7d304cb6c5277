//! `groma rank`: the pages of a survey by PageRank.

use groma_settings::{Fault, place};
use groma_tasks::rank::{self, Form};

use crate::Exit;
use crate::args::RankArgs;
use crate::command::graph_engine;
use crate::output::Out;
use crate::terminal::Terminal;

/// Rows people see unless they ask for more.
const SHOWN: usize = 25;

pub(crate) fn run(args: &RankArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let engine = graph_engine::request(&args.engine, &folder)?;
    let ranked = rank::run(&folder, &args.task, engine.as_ref(), &mut Terminal::new(false))?;
    let Some(graph) = ranked else { return Ok(Exit::Interrupted) };
    let mut out = Out::open(args.output.as_deref())?;
    let most = args.task.most(if args.format == Form::Text { SHOWN } else { usize::MAX });
    let paint = out.paint;
    rank::write(&graph, most, args.format, &|tone, piece| paint.tone(tone, piece), out.writer())?;
    out.finish()?;
    Ok(Exit::Fine)
}
