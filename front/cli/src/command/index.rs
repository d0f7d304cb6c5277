//! `groma index`: brings the full-text index up to date with the survey and the gathered databases.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use groma_model::wording::grouped;
use groma_search::{Followed, Index, IndexProgress};
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_tasks::search::indexed;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::Exit;
use crate::args::IndexArgs;
use crate::output::{Format, Out};
use crate::survey::on_signals;

pub(crate) fn run(args: &IndexArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let mut out = Out::open(args.output.output.as_deref())?;
    let followed = follow(&folder, args.task.rebuild, args.quiet, &on_signals()?)?;
    let Followed { written, removed, pages, records, left_out, watermark, interrupted } = followed;
    match args.output.format {
        Format::Json => out.json(&json!({
            "written": written, "removed": removed, "pages": pages, "records": records, "left_out": left_out,
            "watermark": watermark, "interrupted": interrupted,
        }))?,
        Format::Csv => {
            out.csv(&["written", "removed", "pages", "watermark", "records", "left_out"])?;
            out.csv(&[written, removed, pages, watermark, records, left_out].map(|n| n.to_string()))?;
        }
        Format::Text => out.line(&indexed(&followed))?,
    }
    out.finish()?;
    Ok(if interrupted { Exit::Interrupted } else { Exit::Fine })
}

/// Follows the store, with a bar where somebody looks.
pub(crate) fn follow(folder: &Folder, rebuild: bool, quiet: bool, stop: &Arc<AtomicBool>) -> Result<Followed, Fault> {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    if !quiet {
        bar.set_draw_target(ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_bar} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
    }
    let mut step = |step: IndexProgress| {
        bar.set_length(step.of);
        bar.set_position(step.done);
        bar.set_message(format!("{} of {} looked at", grouped(step.done), grouped(step.of)));
    };
    let followed = Index::follow(folder.path(), &mut folder.read()?, rebuild, stop, &mut step);
    bar.finish_and_clear();
    Ok(followed?)
}
