//! What was typed for the commands about where surveys are kept.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::OutputArgs;

#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) what: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Copy a survey with its jobs, bounds, focused crawls and gatherings between folders and servers, and verify the copy
    Copy(StoreCopyArgs),
    /// List the surveys on a server with their sizes
    List(StoreListArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StoreCopyArgs {
    /// The survey: a folder, or postgres://USER:PASSWORD@HOST/DATABASE?survey=NAME
    #[arg(value_name = "FROM")]
    pub(crate) from: PathBuf,
    /// Where to, in the same way: there must be nothing yet
    #[arg(value_name = "TO")]
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// No progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StoreListArgs {
    /// The server: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(value_name = "SERVER")]
    pub(crate) server: String,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
