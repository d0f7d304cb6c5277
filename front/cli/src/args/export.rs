//! What was typed for `groma export`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use groma_tasks::task;

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
    /// Write pages as Markdown, a file each or one after the other
    Markdown(ExportMarkdownArgs),
    /// Write pages as JSON Lines, an object each, with their links
    Jsonl(ExportTextArgs),
    /// Write pages or links as CSV
    Csv(ExportCsvArgs),
    /// Write the structured data of pages as JSON Lines: JSON-LD, microdata, RDFa and cards, an object an item
    Structured(ExportTextArgs),
    /// Write the URLs in the order of their hierarchy, as web archives do (SURT)
    Surt(ExportSurtArgs),
    /// Write pages and gathered databases as SOIF, for Harvest and its like: an object each
    Soif(ExportTextArgs),
    /// Write a SQLite file with plain tables of pages and links, for any tool
    Sqlite(ExportSqliteArgs),
}

/// What every export of pages is told.
#[derive(Debug, Args)]
pub(crate) struct ExportWhat {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) task: task::Export,
    /// No notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArchiveArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Write to this file, or to this URL of an object store (s3://, gs://, az://)
    #[arg(short, long, value_name = "FILE|URL")]
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
pub(crate) struct ExportMarkdownArgs {
    #[command(flatten)]
    pub(crate) what: ExportWhat,
    /// A folder for a file for each page, by host and path; new or empty
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) to: Option<PathBuf>,
    /// Write all of it to one file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportTextArgs {
    #[command(flatten)]
    pub(crate) what: ExportWhat,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Which table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableArg {
    /// A URL a row
    #[default]
    Pages,
    /// A link a row
    Links,
}

#[derive(Debug, Args)]
pub(crate) struct ExportCsvArgs {
    #[command(flatten)]
    pub(crate) text: ExportTextArgs,
    /// Which table
    #[arg(long, value_enum, default_value_t)]
    pub(crate) table: TableArg,
}

#[derive(Debug, Args)]
pub(crate) struct ExportSurtArgs {
    #[command(flatten)]
    pub(crate) text: ExportTextArgs,
    /// The folders that hold the URLs, not the URLs
    #[arg(long)]
    pub(crate) prefixes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportSqliteArgs {
    #[command(flatten)]
    pub(crate) what: ExportWhat,
    /// The file, which must not be there yet
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ExportParquetArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Where to: a folder, or a URL of an object store (s3://, gs://, az://); new, empty, or an earlier export, which is replaced
    #[arg(long, value_name = "PATH|URL")]
    pub(crate) to: String,
    /// Parts of each table; all pages of a host are in one
    #[arg(long, value_name = "N", default_value_t = groma_parquet::PARTS)]
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
