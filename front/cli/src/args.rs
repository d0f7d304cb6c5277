//! What was typed. What it means is found out in `settings`.

mod bounds;
mod export;
mod extract;
mod focus;
mod gather;
mod results;
mod running;
mod store;
mod summarize;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use groma_settings::{Fault, Given, Overrides};
use groma_tasks::crawl::Requester;
use groma_tasks::task;

use crate::output::Format;

pub(crate) use bounds::*;
pub(crate) use export::*;
pub(crate) use extract::*;
pub(crate) use focus::*;
pub(crate) use gather::*;
pub(crate) use results::*;
pub(crate) use running::*;
pub(crate) use store::*;
pub(crate) use summarize::*;

/// Survey web sites: crawl them politely into a folder, see every URL with its state and reason
#[derive(Debug, Parser)]
#[command(name = "groma", version, disable_help_subcommand = true, arg_required_else_help = true, after_help = AFTER)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER: &str = "\
`groma URL` is short for `groma survey URL`. `groma demo` shows it all without a network.

Settings: command line > environment (GROMA_KEY) > groma.toml in the working directory > default; see `groma config`.
Exit codes: 0 ok, 1 findings, 2 usage or I/O, 3 nothing fetched, 4 limit reached (state saved), 130 interrupted (state saved).";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read the documents that come in on stdin: the other side of a crawl that reads PDF
    #[command(name = groma_crawl::apart::COMMAND, hide = true)]
    ReadApart,
    /// Hold a driver of ODBC and answer on stdin: the other side of a summarizer that reads through ODBC
    #[cfg(feature = "odbc")]
    #[command(name = groma_summary::odbc::COMMAND, hide = true)]
    ReadOdbc,
    /// Crawl a site, rank, check and map it, and say on one screen what came of it
    Survey(CrawlArgs),
    /// Crawl a site, or go on with a crawl
    Crawl(CrawlArgs),
    /// Ask again for everything known, conditionally, and note what changed
    Update(UpdateArgs),
    /// Show where a survey stands: the balance of all URLs
    Status(StatusArgs),
    /// List every URL with its state and reason
    Pages(PagesArgs),
    /// Explain one URL: state, reason, rules, links
    Explain(ExplainArgs),
    /// Look at one page: what it is, and what its pieces are for
    Page(Box<PageArgs>),
    /// Show the URL rules, written and learned
    Rules(RulesArgs),
    /// List the pages by PageRank
    Rank(RankArgs),
    /// Draw the hierarchical map
    Map(MapArgs),
    /// Report what is wrong, and fail on it if asked to
    Check(CheckArgs),
    /// List links, all or those that lead to other sites
    Links(LinksArgs),
    /// Find which pages belong together
    Cluster(ClusterArgs),
    /// Find where a site ends: which pages belong to it, and why
    Bounds(Box<BoundsArgs>),
    /// Go where a topic leads: fetch the pages that speak of it first
    Focus(Box<FocusArgs>),
    /// Open the database behind a form: ask it until everything is out, and say whether it is
    Gather(Box<GatherArgs>),
    /// Try a rule of the extraction language on a page
    Hel(Box<HelArgs>),
    /// Look through files of SOIF, the format in which gatherers exchange summaries
    Soif(SoifArgs),
    /// Read values out of the pages of a survey: named columns by CSS, XPath, regex, JSON path or HEL, or by example
    Extract(Box<ExtractArgs>),
    /// Write a report to hand to somebody: one HTML file, or a folder with map, findings and tables
    Report(ReportArgs),
    /// Find the pages that speak of something
    Search(SearchArgs),
    /// Bring the full-text index up to date
    Index(IndexArgs),
    /// Import WARC, WACZ, SOIF or a link graph
    Import(ImportArgs),
    /// Write the survey for other programs
    Export(ExportArgs),
    /// Show what the last update changed, or what differs between two surveys
    Diff(DiffArgs),
    /// List the jobs, ask for more, do them
    Jobs(JobsArgs),
    /// Ask for something again and again
    Schedule(ScheduleArgs),
    /// Serve the web interface and the API, and do the jobs
    Serve(ServeArgs),
    /// Do the jobs of surveys on a server, and help with the crawls of others: on any number of machines
    Worker(WorkerArgs),
    /// Tell what a database holds to those who gather: the summarizer, to be run beside the database
    Summarize(Box<SummarizeArgs>),
    /// Users and tokens of the web interface
    User(UserArgs),
    /// Copy surveys between folders and servers, list those on a server
    Store(StoreArgs),
    /// Check the store: links, states, balance; and that index and jobs agree with it
    Verify(VerifyArgs),
    /// Print every setting with its value and origin
    Config(ConfigArgs),
    /// Crawl a small built-in site on this machine
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Where data goes.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutputArgs {
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Which survey.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArg {
    /// Folder of the survey, or the URL it is of [default: the only *.groma in the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
}

/// Settings from elsewhere than flags of their own.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SetArgs {
    /// Read settings from this file instead of groma.toml
    #[arg(long, value_name = "FILE", help_heading = "Settings")]
    pub(crate) config: Option<PathBuf>,
    /// Set any setting of `groma config`
    #[arg(short = 's', long = "set", value_name = "KEY=VALUE", help_heading = "Settings")]
    pub(crate) set: Vec<String>,
}

impl SetArgs {
    pub(crate) fn given(&self) -> Result<Vec<Given>, Fault> {
        self.set.iter().map(|text| Given::set(text)).collect()
    }
}

/// What a task may take from elsewhere than its own flags.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ByArgs {
    /// Read settings from this file instead of groma.toml
    #[arg(long, value_name = "FILE", help_heading = "Settings")]
    pub(crate) config: Option<PathBuf>,
    /// The site is yours: allow --delay below 0.1, --per-host above 4, robots=false
    #[arg(long, help_heading = "Pace")]
    pub(crate) i_own_this_site: bool,
}

impl ByArgs {
    pub(crate) fn requester(&self) -> Requester<'_> {
        Requester { owned: self.i_own_this_site, guarded: false, config: self.config.as_deref() }
    }
}

/// Settings for what is no task.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SettingArgs {
    #[command(flatten)]
    pub(crate) by: ByArgs,
    #[command(flatten)]
    pub(crate) overrides: Overrides,
}

/// What people see while it runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct TalkArgs {
    /// No progress, no notices
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// A line for every page
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CrawlArgs {
    #[command(flatten)]
    pub(crate) task: task::Crawl,
    /// More URLs, one a line; - for stdin
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Folder of the survey [default: HOST.groma in the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) by: ByArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    #[command(flatten)]
    pub(crate) task: task::Update,
    /// The site, if several surveys lie here
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
    #[command(flatten)]
    pub(crate) by: ByArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Show it again every second while a crawl runs
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PagesArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Only this state: queued, fetched, skipped, excluded, broken, alias
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Vec<String>,
    /// Only this reason (`groma status` shows which there are)
    #[arg(long, value_name = "REASON")]
    pub(crate) reason: Vec<String>,
    /// Only this media type, such as text/html
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) media_type: Option<String>,
    /// Only this link distance
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    #[command(flatten)]
    pub(crate) scope: ScopeArg,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// URL to explain
    #[arg(value_name = "URL")]
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) set: SetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    #[command(subcommand)]
    pub(crate) what: Option<RulesCommand>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) set: SetArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Show step by step what the rules make of URLs
    Test {
        /// URLs to test
        #[arg(value_name = "URL", required = true)]
        urls: Vec<String>,
        #[command(flatten)]
        store: StoreArg,
        #[command(flatten)]
        output: OutputArgs,
        #[command(flatten)]
        set: SetArgs,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// Two surveys (folders), the older one first; or two runs of one survey (numbers) [default: the last finished run]
    #[arg(value_name = "A B", num_args = 0..=2)]
    pub(crate) between: Vec<String>,
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Which run [default: the last finished one]
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    /// Restore what can be restored; name what cannot, and queue its pages to be fetched again
    #[arg(long)]
    pub(crate) repair: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Show the settings that this survey goes on with
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Only serve the site, until Ctrl-C
    #[arg(long)]
    pub(crate) serve: bool,
    /// Serve on this port
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
    /// Keep the survey (in ./demo.groma unless --store says where)
    #[arg(long)]
    pub(crate) keep: bool,
    /// Folder of the survey; it is kept
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_names_a_setting() {
        let line = "groma crawl x -d 1 -n 2 --scope host --include a --exclude b -c 3 --per-host 1 -H a:b -u a:b -A x \
                    --contact a -x p -k -t 3 --retries 1 --assets --bodies keep --no-sitemaps --no-learn \
                    --follow-nofollow --warc w --cookies f --keep-cookies --resolve a:1:127.0.0.1 --own a:1 --rate 2 -s delay=3";
        let Command::Crawl(args) = Cli::try_parse_from(line.split_whitespace()).unwrap().command else {
            panic!("crawl")
        };
        let given = args.task.settings.given();
        assert_eq!(given.len(), 26, "--rate and -s delay are one");
        for one in &given {
            assert!(groma_settings::table::row(&one.key).is_some(), "{}", one.key);
        }
    }
}
