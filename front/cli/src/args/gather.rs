//! What was typed for the command that opens databases behind forms.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{OutputArgs, SettingArgs, StoreArg, TalkArgs};

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
    /// The page of the form, or the DBContent document that leads to the database
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,
    /// What you know about the form: a file with lines such as DB.QueryElement: region
    #[arg(long, value_name = "FILE")]
    pub(crate) describe: Option<PathBuf>,
    /// Which form of the page: its number, id or name [default: the one that looks most like a search]
    #[arg(long, value_name = "FORM")]
    pub(crate) form: Option<String>,
    /// How to ask: whole (answers that are cut are split) or paper (a fixed list of questions)
    #[arg(long, value_name = "NAME", default_value = "whole")]
    pub(crate) how: String,
    /// A form that posts may be sent: you know that it only searches
    #[arg(long)]
    pub(crate) post: bool,
    /// Say what it would cost, and ask no more than that takes
    #[arg(long)]
    pub(crate) plan: bool,
    /// Most requests; a larger one goes on
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<String>,
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
    pub(crate) settings: SettingArgs,
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
        /// Its number
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
