//! What was typed for the commands that look at pages and go where a topic leads.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use groma_tasks::task;

use super::{ByArgs, OutputArgs, SettingArgs, StoreArg, TalkArgs};

#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// A URL, a file, or - for stdin
    #[arg(value_name = "URL|FILE")]
    pub(crate) page: String,
    /// Look it up in this survey instead of fetching it
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// The URL a file came from: what its links hang on
    #[arg(long, value_name = "URL", conflicts_with = "store")]
    pub(crate) base: Option<String>,
    /// Also write the page with its parts outlined: an HTML file that needs nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// No notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct FocusArgs {
    #[command(subcommand)]
    pub(crate) what: Option<FocusCommand>,
    #[command(flatten)]
    pub(crate) go: GoArgs,
}

#[derive(Debug, Args)]
pub(crate) struct GoArgs {
    #[command(flatten)]
    pub(crate) task: task::Focus,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) by: ByArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FocusCommand {
    /// The focused crawls of a survey
    List {
        #[command(flatten)]
        store: StoreArg,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Write the relevant pages to a file
    Export(FocusExportArgs),
    /// Say everything about one page of a focused crawl: its parts, cosines, parent, weight
    Explain {
        /// URL of the page
        #[arg(value_name = "URL")]
        url: String,
        #[command(flatten)]
        which: WhichFocus,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Forget a focused crawl; its pages stay in the survey
    Forget {
        /// Number of the focused crawl
        #[arg(value_name = "NUMBER")]
        number: u64,
        #[command(flatten)]
        store: StoreArg,
    },
}

#[derive(Debug, Args)]
pub(crate) struct WhichFocus {
    /// The number of the focused crawl [default: the one that was last at work]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) focus: Option<u64>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
}

#[derive(Debug, Args)]
pub(crate) struct FocusExportArgs {
    #[command(flatten)]
    pub(crate) which: WhichFocus,
    /// In which form: csv, json (an object a line) or warc (the pages themselves)
    #[arg(short, long, value_name = "FORM", default_value = "csv")]
    pub(crate) format: String,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// All pages that were fetched, not only the relevant ones
    #[arg(long)]
    pub(crate) all: bool,
}
