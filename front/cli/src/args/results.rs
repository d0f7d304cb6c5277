//! What was typed for the commands that say what a survey came to: ranks, maps, checks, links, reports, imported graphs.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use groma_tasks::{check, map, rank, task};

use super::{OutputArgs, ScopeArg, SettingArgs, StoreArg, TalkArgs};

/// Where graph work is done.
#[derive(Debug, Clone, Args)]
pub(crate) struct EngineArgs {
    /// Who computes: local (this machine), or spark://HOST:PORT (any Spark Connect endpoint), for links that do not fit into memory
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    pub(crate) engine: String,
    /// Where links, rounds and results of a cluster lie: a folder or URL that all its machines reach by this name [default: graph/ in the
    /// folder of the survey]
    #[arg(long, value_name = "DIR|URL", requires = "engine")]
    pub(crate) work: Option<String>,
}

/// Who computes where a survey has to be looked at in parts.
#[derive(Debug, Args)]
pub(crate) struct PartArgs {
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// With --engine: the most pages of a part, of which links are held in memory here
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..), requires = "engine")]
    pub(crate) part: u32,
}

#[derive(Debug, Args)]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Output format
    #[arg(short, long, value_enum, default_value = "text")]
    pub(crate) format: rank::Form,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) task: task::Rank,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) what: ImportCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Make a survey of a link graph without pages
    Graph(ImportGraphArgs),
    /// Make a survey of archives, without a network: WARC, ARC (plain, .gz, .zst) and WACZ
    Warc(Box<ImportWarcArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct ImportGraphArgs {
    /// The arcs: two nodes a line (numbers or URLs), or pairs of little-endian 32-bit numbers; .gz and .zst are unpacked
    #[arg(long, value_name = "FILE")]
    pub(crate) edges: PathBuf,
    /// The URLs: the number of a line, from 0, is the node
    #[arg(long, value_name = "FILE")]
    pub(crate) urls: Option<PathBuf>,
    /// How the arcs are written [default: found out]
    #[arg(long = "as", value_name = "FORMAT", value_enum)]
    pub(crate) edge_format: Option<EdgesAs>,
    /// Folder of the survey
    #[arg(long, value_name = "DIR")]
    pub(crate) store: PathBuf,
    /// Start over: remove what is stored
    #[arg(long)]
    pub(crate) fresh: bool,
    /// No progress, no notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ImportWarcArgs {
    /// The archives; of a folder, all that lie in it
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Folder of the survey
    #[arg(long, value_name = "DIR")]
    pub(crate) store: PathBuf,
    /// A page to start at [default: as the archive says, else the first page in it]
    #[arg(long, value_name = "URL")]
    pub(crate) start: Vec<String>,
    /// Take in the pages that no link from the start leads to as well
    #[arg(long)]
    pub(crate) all: bool,
    /// Start over: remove what is stored
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

/// How arcs are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EdgesAs {
    /// Two nodes a line
    Text,
    /// Pairs of little-endian 32-bit numbers
    Pairs,
}

#[derive(Debug, Args)]
pub(crate) struct MapArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// How to draw it
    #[arg(short, long, value_enum, default_value = "text")]
    pub(crate) format: map::Form,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) task: task::Map,
    /// Print the schema of the XML form, or a style sheet that turns it into XHTML or XSL-FO, instead of drawing
    #[arg(long, value_name = "WHICH", value_enum)]
    pub(crate) schema: Option<SchemaArg>,
    /// Say why a page stands where it stands, instead of drawing
    #[arg(long, value_name = "URL")]
    pub(crate) why: Option<String>,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Output format
    #[arg(short, long, value_enum, default_value = "text")]
    pub(crate) format: check::Form,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// What makes the check fail (exit code 1): kinds, severities, `any`, `none`, with limits: invalid-link>10
    /// [default: error; with --only: any]
    #[arg(long, value_name = "GATE")]
    pub(crate) fail_on: Option<String>,
    #[command(flatten)]
    pub(crate) task: task::Check,
    /// Findings of an earlier `check -f json`: only others are new, and only new ones make the check fail
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings to a file that can be the next baseline
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Tell only what is new
    #[arg(long)]
    pub(crate) only_new: bool,
    /// List the checks there are, with what each means, and check nothing
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LinksArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Only links that lead to other sites; as text, a table of those sites
    #[arg(long)]
    pub(crate) external: bool,
    /// What another site is: another registrable domain, another host, what is outside --prefix, or outside the site that was found
    #[arg(long, alias = "border", value_name = "WHAT", value_enum, default_value_t, requires = "external")]
    pub(crate) bounds: BoundsArg,
    /// With --bounds prefix: what lies below this URL is the site
    #[arg(long, value_name = "URL", requires = "external")]
    pub(crate) prefix: Vec<String>,
    /// Only links on this page
    #[arg(long, value_name = "URL")]
    pub(crate) from: Option<String>,
    /// Only links to this page, under any of its names
    #[arg(long, value_name = "URL")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) scope: ScopeArg,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Where to: FILE.html for one file, any other name for a folder with all files, - for stdout [default: NAME-report.html in
    /// the working directory, NAME being that of the survey's folder]
    #[arg(short, long, value_name = "FILE.html|DIR", long_help = REPORT_OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) task: task::Report,
}

const REPORT_OUTPUT: &str = "\
Where to: FILE.html for one file, any other name for a folder with all files, - for stdout \
[default: NAME-report.html in the working directory, NAME being that of the survey's folder]

A file of that name is replaced. A folder must be new, empty, or hold an earlier report: then the files of the report \
are replaced, and nothing else in it is touched. Either is written beside and put in its place when whole.";

/// What tells one site from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundsArg {
    /// The registrable domain
    #[default]
    Domain,
    /// Host and port
    Host,
    /// What lies below --prefix
    Prefix,
    /// The site that was found last (`groma bounds`)
    Auto,
}

/// What comes with the XML form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaArg {
    /// The XML schema
    Xsd,
    /// The style sheet to XHTML (xsltproc)
    Xhtml,
    /// The style sheet to XSL-FO, and so to PDF (fop)
    Fo,
}
