//! What was typed for `groma export`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{OutputArgs, StoreArg};

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    pub(crate) what: ExportCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportCommand {
    /// Write pages and links as Parquet, for DuckDB, Spark, pandas and the like
    Parquet(ExportParquetArgs),
    /// Write one WARC file: the exchanges of a survey made with --warc, or the pages it keeps
    Warc(ExportArchiveArgs),
    /// Pack the exchanges of a survey made with --warc into one WACZ file, with an index and a list of pages
    Wacz(ExportWaczArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ExportArchiveArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// No notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportWaczArgs {
    #[command(flatten)]
    pub(crate) archive: ExportArchiveArgs,
    /// Write the texts of pages too, so that they can be searched
    #[arg(long)]
    pub(crate) with_text: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportParquetArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Where to: a folder, or a URL of an object store (s3://, gs://, az://); new, empty, or an earlier export, which is replaced
    #[arg(long, value_name = "PATH|URL")]
    pub(crate) to: String,
    /// Parts of each table; all pages of a host are in one
    #[arg(long, value_name = "N", default_value_t = groma_columns::PARTS)]
    pub(crate) parts: u32,
    /// Write the texts of pages too
    #[arg(long)]
    pub(crate) with_text: bool,
    /// Write the pages as they came too, as WARC files, where the survey keeps them (`--bodies keep`)
    #[arg(long)]
    pub(crate) with_bodies: bool,
    /// Compute the ranks of pages and write them too (needs memory for the graph)
    #[arg(long)]
    pub(crate) with_rank: bool,
    /// No progress, no notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
