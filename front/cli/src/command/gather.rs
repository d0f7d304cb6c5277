//! `groma gather`: opens the database behind a form, and tells what it found there.

mod all;
mod ask;
mod show;

use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_store::gathers::{GatherId, GatherRow, Gathers};
use groma_tasks::gather::wording::{NO_SUCH_GATHER_HINT, no_such_gather};

use crate::Exit;
use crate::args::{GatherArgs, GatherCommand, WhichGather};
use crate::wording::{NO_GATHER, NO_GATHER_HINT};

pub(crate) fn run(args: &GatherArgs) -> Result<Exit, Fault> {
    match &args.what {
        None if args.ask.task.all => all::run(&args.ask),
        None => ask::run(&args.ask),
        Some(GatherCommand::List { store, output }) => show::list(store, output),
        Some(GatherCommand::Export { which, format, output }) => show::export(which, format, output.as_deref()),
        Some(GatherCommand::Explain { which, output }) => show::explain(which, output),
        Some(GatherCommand::Forget { number, store }) => show::forget(*number, store),
    }
}

/// The gathering that is meant.
fn meant(which: &WhichGather) -> Result<(Folder, Gathers, GatherRow), Fault> {
    let folder = place::find(which.store.store.as_deref())?;
    let Some(mut gathers) = folder.gathers_if_any()? else {
        return Err(Fault::new(NO_GATHER, NO_GATHER_HINT));
    };
    let row = match which.gather {
        Some(id) => gathers.gather(GatherId(id))?.ok_or_else(|| Fault::new(no_such_gather(id), NO_SUCH_GATHER_HINT))?,
        None => {
            let last = gathers.gathers()?.into_iter().next();
            last.ok_or_else(|| Fault::new(NO_GATHER, NO_GATHER_HINT))?
        }
    };
    Ok((folder, gathers, row))
}
