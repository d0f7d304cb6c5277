//! `groma focus`: goes where a topic leads, and tells what it found there.

mod explain;
mod go;
mod show;

use groma_settings::{Fault, place};
use groma_store::Folder;
use groma_store::focuses::{FocusId, FocusRow, Focuses};
use groma_tasks::focus::wording::{NO_FOCUS_HINT, NO_SUCH_FOCUS_HINT, no_such_focus};

use crate::Exit;
use crate::args::{FocusArgs, FocusCommand, WhichFocus};
use crate::wording::NO_FOCUS;

pub(crate) fn run(args: &FocusArgs) -> Result<Exit, Fault> {
    match &args.what {
        None => go::run(&args.go),
        Some(FocusCommand::List { store, output }) => show::list(store, output),
        Some(FocusCommand::Export(args)) => show::export(args),
        Some(FocusCommand::Explain { url, which, output }) => explain::run(url, which, output),
        Some(FocusCommand::Forget { number, store }) => show::forget(*number, store),
    }
}

/// The focused crawl that is meant.
fn meant(which: &WhichFocus) -> Result<(Folder, Focuses, FocusRow), Fault> {
    let folder = place::find(which.store.store.as_deref())?;
    let Some(mut focuses) = folder.focuses_if_any()? else {
        return Err(Fault::new(NO_FOCUS, NO_FOCUS_HINT));
    };
    let row = match which.focus {
        Some(id) => focuses.focus(FocusId(id))?.ok_or_else(|| Fault::new(no_such_focus(id), NO_SUCH_FOCUS_HINT))?,
        None => {
            let last = focuses.focuses()?.into_iter().next();
            last.ok_or_else(|| Fault::new(NO_FOCUS, NO_FOCUS_HINT))?
        }
    };
    Ok((folder, focuses, row))
}
