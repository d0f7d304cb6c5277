//! `groma export warc`, `groma export wacz`: the survey as an archive. A file is there whole or not at all.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

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

/// Writes a file beside its place, and puts it there when it is whole.
fn whole<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<T, Fault>) -> Result<T, Fault> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let refused = |error: std::io::Error| Fault::of_input(&path.display().to_string(), &error);
    let mut out = BufWriter::with_capacity(1 << 16, File::create(&part).map_err(refused)?);
    let written = write(&mut out).and_then(|written| {
        let file = out.into_inner().map_err(|error| refused(error.into_error()))?;
        file.sync_all().map_err(refused)?;
        Ok(written)
    });
    match written {
        Ok(written) => {
            fs::rename(&part, path).map_err(refused)?;
            Ok(written)
        }
        Err(fault) => {
            let _ = fs::remove_file(&part);
            Err(fault)
        }
    }
}
