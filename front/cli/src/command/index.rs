//! `groma index`: brings the full-text index up to date with the survey and the gathered databases.

use groma_search::{Followed, SearchError};
use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_tasks::index;
use groma_tasks::search::indexed;

use crate::Exit;
use crate::args::IndexArgs;
use crate::output::{Format, Out};
use crate::terminal::Terminal;

pub(crate) fn run(args: &IndexArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let mut out = Out::open(args.output.output.as_deref())?;
    let followed = follow(&folder, args.task.rebuild, args.quiet)?;
    let Followed { written, removed, pages, records, left_out, watermark, interrupted } = followed;
    match args.output.format {
        Format::Json => out.json(&followed)?,
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
pub(crate) fn follow(folder: &Folder, rebuild: bool, quiet: bool) -> Result<Followed, Fault> {
    index::run(folder, rebuild, &mut Terminal::new(quiet))?.ok_or_else(|| SearchError::Busy.into())
}
