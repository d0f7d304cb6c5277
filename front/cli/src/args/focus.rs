//! What was typed for the commands that look at pages and go where a topic leads.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use groma_desk::focus::Which;

use super::{OutputArgs, SettingArgs, StoreArg, TalkArgs};

#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// An address, a file, or - for stdin
    #[arg(value_name = "URL|FILE")]
    pub(crate) page: String,
    /// Look it up in this survey instead of fetching it
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// The address a file came from: what its links hang on
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
    /// What to look for, in words
    #[arg(value_name = "TOPIC")]
    pub(crate) topic: Vec<String>,
    /// Look for what this text is about; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with = "topic")]
    pub(crate) text: Option<PathBuf>,
    /// Look for pages like this one: an address or a file; several are taken together
    #[arg(long, value_name = "URL|FILE", conflicts_with_all = ["topic", "text"])]
    pub(crate) like: Vec<String>,
    /// Where to start [default: where the survey did]
    #[arg(long, value_name = "URL")]
    pub(crate) seed: Vec<String>,
    /// In which order: arms, best-first, hopfield-block, hopfield, bfs
    #[arg(long, value_name = "NAME", default_value = Which::default().name())]
    pub(crate) strategy: String,
    /// Pages of any type may be relevant, not only articles
    #[arg(long)]
    pub(crate) any_type: bool,
    /// A page is about the topic from this R on [default: by its words]
    #[arg(long, value_name = "R")]
    pub(crate) threshold: Option<String>,
    /// Pages asked for at a time: fewer choose better, more go faster [default: 8]
    #[arg(long, value_name = "N")]
    pub(crate) batch: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
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
        /// Which page
        #[arg(value_name = "URL")]
        url: String,
        #[command(flatten)]
        which: WhichFocus,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Forget a focused crawl; its pages stay in the survey
    Forget {
        /// Its number
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
