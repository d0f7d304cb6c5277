//! `groma export warc`, `groma export wacz`: the survey as an archive. A file is there whole or not at all.

use std::io::{IsTerminal, Write};
use std::path::Path;

use groma_model::wording::{counted, grouped};
use groma_parquet::{Aim, write_file};
use groma_settings::{Fault, place};
use groma_tasks::archive::{Packing, wacz as write_wacz, warc as write_warc};

use crate::Exit;
use crate::args::{ExportArchiveArgs, ExportWaczArgs};
use crate::output::tell;

pub(super) fn warc(args: &ExportArchiveArgs) -> Result<Exit, Fault> {
    let folder = place::find(args.store.store.as_deref())?;
    let written = whole(&args.output, |out| write_warc(&folder, out))?;
    if !args.quiet {
        tell(&archive_written(written.files, written.pages, written.without));
    }
    Ok(Exit::Fine)
}

pub(super) fn wacz(args: &ExportWaczArgs) -> Result<Exit, Fault> {
    let ExportArchiveArgs { store, output, quiet } = &args.archive;
    let folder = place::find(store.store.as_deref())?;
    let packed = whole(output, |out| write_wacz(&folder, Packing { texts: args.with_text }, out))?;
    if !quiet {
        tell(&wacz_written(packed.files, packed.pages, packed.bytes));
    }
    Ok(Exit::Fine)
}

/// Writes a file where it was asked for.
fn whole<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T, Fault>) -> Result<T, Fault> {
    if path.as_os_str() == "-" {
        let mut out = std::io::stdout();
        if out.is_terminal() {
            return Err(Fault::new("an archive is not written to a terminal", "name a file with -o FILE"));
        }
        let written = write(&mut out)?;
        out.flush()?;
        return Ok(written);
    }
    // A name that is no text is a path: URLs are texts.
    let aim = path.to_str().map_or_else(|| Ok(Aim::Path(path.to_owned())), Aim::parse)?;
    write_file(&aim, write)
}

fn archive_written(files: u64, pages: u64, without: u64) -> String {
    if files > 0 {
        return format!("{} joined", counted(files, "WARC file", "WARC files"));
    }
    let lacking =
        if without > 0 { format!(" ({} have no bytes in the survey)", grouped(without)) } else { String::new() };
    format!("{} as resource records{lacking}", counted(pages, "page", "pages"))
}

fn wacz_written(files: u64, pages: u64, bytes: u64) -> String {
    let (files, pages) = (counted(files, "WARC file", "WARC files"), counted(pages, "page", "pages"));
    format!("{files}, {pages}, {}", counted(bytes, "byte", "bytes"))
}
