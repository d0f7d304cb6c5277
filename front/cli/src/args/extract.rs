//! What was typed for the commands about the databases behind forms: rules, summaries.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{OutputArgs, SettingArgs, StoreArg};

const HEL_HELP: &str = "\
A rule is a path through the tree of the page, from html on:
  html.body->table[1].tr[*].td[0].txt                     the first cells of the second table
  html.body->a[i].getAttr(href) WHERE html.body->a[i].txt = 'next'
`.` leads to children, `->` to everything after in the document, `[n]` counts from 0, `[*]` takes all.
At the end .txt, .src, .getAttr(NAME), .numberOf(LABEL); then `, match /REGEX/` or `, split /REGEX/`.";

#[derive(Debug, Args)]
#[command(after_help = HEL_HELP)]
pub(crate) struct HelArgs {
    /// The rule, such as 'html.body.h1.txt'; with --tree the page may stand here
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,
    /// A URL, a file, or - for stdin
    #[arg(value_name = "URL|FILE", required_unless_present = "tree")]
    pub(crate) page: Option<String>,
    /// What stands before the rule, as in DB.Result; rules that begin at html stay as they are
    #[arg(long, value_name = "PREFIX")]
    pub(crate) prefix: Option<String>,
    /// Print the tree of the page as rules name it, instead of a value
    #[arg(long)]
    pub(crate) tree: bool,
    /// Print so many nodes of the tree at most
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "tree")]
    pub(crate) most: usize,
    /// Look the page up in this survey instead of fetching it
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// No notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SoifArgs {
    #[command(subcommand)]
    pub(crate) what: SoifCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SoifCommand {
    /// Tell what is in a file, and what is wrong with it; exit code 1 if something of it is lost
    Check(SoifCheckArgs),
    /// Take a collection into a survey: a database for each object
    Import {
        /// The file, or - for stdin
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        store: StoreArg,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SoifCheckArgs {
    /// The file, or - for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
