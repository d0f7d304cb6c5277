//! `groma export KIND`: the survey for other programs. A kind is a file, or a function of [`pages`].

mod archive;
mod pages;
#[cfg(feature = "parquet")]
mod tables;

use groma_settings::Fault;

use crate::Exit;
use crate::args::{ExportArgs, ExportCommand};

pub(crate) fn run(args: &ExportArgs) -> Result<Exit, Fault> {
    match &args.what {
        #[cfg(feature = "parquet")]
        ExportCommand::Parquet(args) => tables::run(args),
        #[cfg(not(feature = "parquet"))]
        ExportCommand::Parquet(_) => Err(Fault::new(
            "this groma was built without Parquet",
            "export csv, jsonl or sqlite, or build with `cargo build --release --features parquet`",
        )),
        ExportCommand::Warc(args) => archive::warc(args),
        ExportCommand::Wacz(args) => archive::wacz(args),
        ExportCommand::Markdown(args) => pages::markdown(args),
        ExportCommand::Jsonl(args) => pages::jsonl(args),
        ExportCommand::Csv(args) => pages::csv(args),
        ExportCommand::Structured(args) => pages::structured(args),
        ExportCommand::Surt(args) => pages::surt(args),
        ExportCommand::Soif(args) => pages::soif(args),
        ExportCommand::Sqlite(args) => pages::sqlite(args),
    }
}
