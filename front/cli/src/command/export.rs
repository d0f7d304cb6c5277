//! `groma export KIND`: the survey for other programs. A kind is a file, or a function of [`pages`].

mod archive;
#[cfg(feature = "parquet")]
mod columns;
mod pages;

use groma_desk::Fault;
#[cfg(not(feature = "parquet"))]
use groma_desk::words;

use crate::Exit;
use crate::args::{ExportArgs, ExportCommand};

pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Fault> {
    match &args.what {
        #[cfg(feature = "parquet")]
        ExportCommand::Parquet(args) => columns::run(args),
        #[cfg(not(feature = "parquet"))]
        ExportCommand::Parquet(_) => Err(Fault::new(words::NO_PARQUET, words::NO_PARQUET_HINT)),
        ExportCommand::Warc(args) => archive::warc(args),
        ExportCommand::Wacz(args) => archive::wacz(args),
        ExportCommand::Markdown(args) => pages::markdown(args),
        ExportCommand::Jsonl(args) => pages::jsonl(args),
        ExportCommand::Csv(args) => pages::csv(args),
        ExportCommand::Surt(args) => pages::surt(args),
        ExportCommand::Sqlite(args) => pages::sqlite(args),
    }
}
