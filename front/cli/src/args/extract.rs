//! What was typed for the commands that read values out of pages: columns, rules, summaries.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use groma_tasks::extract::Form;
use groma_tasks::task;

use super::{ByArgs, OutputArgs, SettingArgs, StoreArg};

const EXTRACT_HELP: &str = "\
Columns:
  --column 'title=css:h1'                                 the text of the first h1
  --column 'price:number=css:.price'                      $1,234.50 is 1234.5
  --column 'links:url[]=css:main a::attr(href)'           a list, absolute
  --column \"size=xpath://th[.='Size']/following-sibling::td[1]\"
  --column 'author=json:$.author.name'                    of the JSON-LD in the page
  --column 'sku@/product/*=regex:SKU: (\\w+)'             on pages at such URLs only
By example: groma extract --like 'Tea' --like 'Cup' https://x.example/p/1 https://x.example/p/2
Bodies are needed: crawl with --set bodies=keep, or add --ask.";

#[derive(Debug, Args)]
#[command(after_help = EXTRACT_HELP)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) task: task::Extract,
    /// More columns: a file with a column a line, or with tables called extract as docs/extract.md shows them
    #[arg(long, value_name = "FILE")]
    pub(crate) columns: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Output format
    #[arg(short, long, value_enum, default_value = "csv")]
    pub(crate) format: Form,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// No notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) by: ByArgs,
}

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
