//! `groma export warc`, `groma export wacz`: the survey as an archive. A file is there whole or not at all.

use std::io::{IsTerminal, Write};
use std::path::Path;

use groma_columns::{Aim, write_file};
use groma_desk::archive::{Packing, wacz as write_wacz, warc as write_warc};
use groma_desk::{Fault, place, words};

use crate::Exit;
use crate::args::{ExportArchiveArgs, ExportWaczArgs};
use crate::output::tell;

pub(super) fn warc(args: &ExportArchiveArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let written = whole(&args.output, |out| write_warc(&folder, out))?;
    if !args.quiet {
        tell(&words::archive_written(written.files, written.pages, written.without));
    }
    Ok(Exit::Fine)
}

pub(super) fn wacz(args: &ExportWaczArgs) -> Result<Exit, Fault> {
    let ExportArchiveArgs { store, output, quiet } = &args.archive;
    let folder = place::find(store.store.as_deref())?;
    let packed = whole(output, |out| write_wacz(&folder, Packing { texts: args.with_text }, out))?;
    if !quiet {
        tell(&words::wacz_written(packed.files, packed.pages, packed.bytes));
    }
    Ok(Exit::Fine)
}

/// Writes a file where it was asked for.
fn whole<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T, Fault>) -> Result<T, Fault> {
    if path.as_os_str() == "-" {
        let mut out = std::io::stdout();
        if out.is_terminal() {
            return Err(Fault::new(words::OUTPUT_NEEDED, words::OUTPUT_NEEDED_HINT));
        }
        let written = write(&mut out)?;
        out.flush()?;
        return Ok(written);
    }
    // A name that is no text is a path: addresses are texts.
    let aim = path.to_str().map_or_else(|| Ok(Aim::Path(path.to_owned())), Aim::of)?;
    write_file(&aim, write)
}
