//! What was typed for the command that opens databases behind forms.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use groma_tasks::task;

use super::{ByArgs, OutputArgs, StoreArg, TalkArgs};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct GatherArgs {
    #[command(subcommand)]
    pub(crate) what: Option<GatherCommand>,
    #[command(flatten)]
    pub(crate) ask: AskArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(crate) task: task::Gather,
    /// Go on without asking whether the plan will do
    #[arg(short, long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// In which form: text, json (values, rows, statement), jsonl (a record a line), csv or soif
    #[arg(short, long, value_name = "FORM", default_value = "text")]
    pub(crate) format: String,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) by: ByArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GatherCommand {
    /// The databases gathered into a survey
    List {
        #[command(flatten)]
        store: StoreArg,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Write what was gathered to a file
    Export {
        #[command(flatten)]
        which: WhichGather,
        /// In which form: json, jsonl, csv or soif
        #[arg(short, long, value_name = "FORM", default_value = "json")]
        format: String,
        /// Write to a file instead of stdout
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Say what was asked, request by request, and what came of it
    Explain {
        #[command(flatten)]
        which: WhichGather,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Forget a gathering and all that it found
    Forget {
        /// Number of the gathering
        #[arg(value_name = "NUMBER")]
        number: u64,
        #[command(flatten)]
        store: StoreArg,
    },
}

#[derive(Debug, Args)]
pub(crate) struct WhichGather {
    /// The number of the gathering [default: the one that was last at work]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) gather: Option<u64>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}
