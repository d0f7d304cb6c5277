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

use crate::output::Format;
use groma_desk::Fault;
use groma_desk::settings::{Given, Origin, Raw};

pub(crate) use bounds::*;
pub(crate) use export::*;
pub(crate) use extract::*;
pub(crate) use focus::*;
pub(crate) use gather::*;
use groma_desk::words;
pub(crate) use results::*;
pub(crate) use running::*;
pub(crate) use store::*;
pub(crate) use summarize::*;

/// Survey web sites: crawl them politely into a folder, see every address with its state and reason
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
    /// Crawl a site, rank, check and map it, and say on one screen what came of it
    Survey(CrawlArgs),
    /// Crawl a site, or go on with a crawl
    Crawl(CrawlArgs),
    /// Ask again for everything known, conditionally, and note what changed
    Update(UpdateArgs),
    /// Show where a survey stands: the balance of all addresses
    Status(StatusArgs),
    /// List every address with its state and reason
    Pages(PagesArgs),
    /// Say everything about one address, and why
    Explain(ExplainArgs),
    /// Look at one page: what it is, and what its pieces are for
    Page(Box<PageArgs>),
    /// Show the address rules, written and learned
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
    /// Write a report to hand to somebody: one HTML file, or a folder with map, findings and tables
    Report(ReportArgs),
    /// Find the pages that speak of something
    Search(SearchArgs),
    /// Bring the full-text index up to date
    Index(IndexArgs),
    /// Take in what others have gathered
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
    /// Do the jobs of surveys on a server, and lend a hand with crawls of others: on any number of machines
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
    /// How to write
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Which survey.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoreArg {
    /// Folder of the survey, or the address it is of [default: the only *.groma in the working directory]
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
    /// What was given.
    pub(crate) fn given(&self) -> Result<Vec<Given>, Fault> {
        self.set.iter().map(|text| Given::set(text)).collect()
    }
}

/// Settings with flags of their own.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SettingArgs {
    #[command(flatten)]
    pub(crate) set: SetArgs,
    /// Greatest link distance from the start pages
    #[arg(short, long, value_name = "N", help_heading = "Reach")]
    depth: Option<String>,
    /// Most pages to index
    #[arg(short = 'n', long, value_name = "N", help_heading = "Reach")]
    limit: Option<String>,
    /// How far to go: page, prefix, host, domain, auto (the site, by its borders) or any [default: host]
    #[arg(long, value_name = "SCOPE", help_heading = "Reach")]
    scope: Option<String>,
    /// Take only addresses that match (a glob, or re:REGEX)
    #[arg(long, value_name = "PATTERN", help_heading = "Reach")]
    include: Vec<String>,
    /// Ignore addresses that match (a glob, or re:REGEX)
    #[arg(long, value_name = "PATTERN", help_heading = "Reach")]
    exclude: Vec<String>,
    /// Ask for images, styles and scripts too
    #[arg(long, help_heading = "Reach")]
    assets: bool,
    /// Do not read sitemaps
    #[arg(long, help_heading = "Reach")]
    no_sitemaps: bool,
    /// Follow links marked nofollow
    #[arg(long, help_heading = "Reach")]
    follow_nofollow: bool,
    /// Which pages a browser builds before they are read: never, auto (empty shells) or always [default: never]
    #[arg(long, value_name = "WHICH", help_heading = "Reach")]
    js: Option<String>,
    /// Keep a picture of every page that the browser builds
    #[arg(long, help_heading = "Reach")]
    screenshots: bool,
    /// Do not learn which parameters do not change the page
    #[arg(long, help_heading = "Reach")]
    no_learn: bool,
    /// Fetches under way at once, over all servers [default: 16]
    #[arg(short, long, value_name = "N", help_heading = "Pace")]
    concurrency: Option<String>,
    /// Fetches under way at once at one server [default: 2]
    #[arg(long, value_name = "N", help_heading = "Pace")]
    per_host: Option<String>,
    /// Least time between two fetches at one server, in seconds [default: 0.5]
    #[arg(long, value_name = "SECONDS", help_heading = "Pace")]
    delay: Option<String>,
    /// Most fetches per second at one server (another way to say --delay)
    #[arg(long, value_name = "N", help_heading = "Pace", conflicts_with = "delay")]
    rate: Option<f64>,
    /// Longest time for one fetch, in seconds [default: 60]
    #[arg(short, long, value_name = "SECONDS", help_heading = "Pace")]
    timeout: Option<String>,
    /// How often to try again after a passing failure [default: 5]
    #[arg(long, value_name = "N", help_heading = "Pace")]
    retries: Option<String>,
    /// The site is yours: allow --delay below 0.1, --per-host above 4, robots=false
    #[arg(long, help_heading = "Pace")]
    pub(crate) i_own_this_site: bool,
    /// Send a header field to the hosts you named
    #[arg(short = 'H', long = "header", value_name = "NAME: VALUE", help_heading = "Requests")]
    header: Vec<String>,
    /// Log in to the hosts you named
    #[arg(short, long, value_name = "USER:PASSWORD", help_heading = "Requests")]
    user: Option<String>,
    /// The name to go by
    #[arg(short = 'A', long, value_name = "NAME", help_heading = "Requests")]
    user_agent: Option<String>,
    /// Where webmasters reach you: part of the user agent
    #[arg(long, value_name = "MAIL|URL", help_heading = "Requests")]
    contact: Option<String>,
    /// Go through a proxy [default: as http_proxy, https_proxy and no_proxy say]
    #[arg(short = 'x', long, value_name = "URL", help_heading = "Requests")]
    proxy: Option<String>,
    /// Take any certificate
    #[arg(short = 'k', long, help_heading = "Requests")]
    insecure: bool,
    /// Send the cookies of a file (cookies.txt, as browsers, curl and wget write it), each to its own domain
    #[arg(long, value_name = "FILE", help_heading = "Requests")]
    cookies: Option<String>,
    /// Keep cookies that servers set, while the crawl lasts
    #[arg(long, help_heading = "Requests")]
    keep_cookies: bool,
    /// Use this address for a host
    #[arg(long, value_name = "HOST:PORT:ADDR", help_heading = "Requests")]
    resolve: Vec<String>,
    /// A host that may have a private address though no start page is there; without a port, at any port
    #[arg(long, value_name = "HOST[:PORT]", help_heading = "Requests")]
    own: Vec<String>,
    /// Whether to keep pages as they came: keep or drop [default: drop]
    #[arg(long, value_name = "keep|drop", help_heading = "Settings")]
    bodies: Option<String>,
    /// Keep every exchange with a server in this folder, as WARC files; the survey remembers it
    #[arg(long, value_name = "DIR", help_heading = "Settings")]
    warc: Option<String>,
    /// Stop archiving a survey that was crawled with --warc
    #[arg(long, help_heading = "Settings", conflicts_with = "warc")]
    no_warc: bool,
}

impl SettingArgs {
    /// What was given, `-s` first: a flag of its own outranks it.
    pub(crate) fn given(&self) -> Result<Vec<Given>, Fault> {
        let mut given = self.set.given()?;
        let texts = [
            ("depth", "--depth", &self.depth),
            ("limit", "--limit", &self.limit),
            ("scope", "--scope", &self.scope),
            ("concurrency", "--concurrency", &self.concurrency),
            ("per_host", "--per-host", &self.per_host),
            ("delay", "--delay", &self.delay),
            ("timeout", "--timeout", &self.timeout),
            ("retries", "--retries", &self.retries),
            ("user", "--user", &self.user),
            ("user_agent", "--user-agent", &self.user_agent),
            ("contact", "--contact", &self.contact),
            ("proxy", "--proxy", &self.proxy),
            ("cookie_file", "--cookies", &self.cookies),
            ("bodies", "--bodies", &self.bodies),
            ("warc", "--warc", &self.warc),
            ("js", "--js", &self.js),
        ];
        given.extend(texts.into_iter().filter_map(|(key, flag, text)| Some(Given::flag(key, flag, text.as_ref()?))));
        let flags = [
            ("assets", "--assets", self.assets, "true"),
            ("sitemaps", "--no-sitemaps", self.no_sitemaps, "false"),
            ("nofollow", "--follow-nofollow", self.follow_nofollow, "follow"),
            ("learn", "--no-learn", self.no_learn, "false"),
            ("insecure", "--insecure", self.insecure, "true"),
            ("screenshots", "--screenshots", self.screenshots, "true"),
            ("cookies", "--keep-cookies", self.keep_cookies, "true"),
            ("warc", "--no-warc", self.no_warc, ""),
        ];
        given.extend(flags.into_iter().filter(|f| f.2).map(|(key, flag, _, value)| Given::flag(key, flag, value)));
        let lists = [
            ("include", "--include", &self.include),
            ("exclude", "--exclude", &self.exclude),
            ("headers", "--header", &self.header),
            ("resolve", "--resolve", &self.resolve),
            ("own", "--own", &self.own),
        ];
        for (key, flag, items) in lists.into_iter().filter(|(_, _, items)| !items.is_empty()) {
            let origin = Origin::CommandLine(flag.to_owned());
            given.push(Given { key: key.to_owned(), raw: Raw::Many(items.clone()), origin });
        }
        if let Some(rate) = self.rate {
            if !rate.is_finite() || rate <= 0.0 {
                return Err(Fault::new(words::bad_rate(rate), words::RATE_HINT));
            }
            given.push(Given::flag("delay", "--rate", format!("{}", 1.0 / rate)));
        }
        Ok(given)
    }
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
    /// Where to start; other addresses than before are added to the survey
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// More addresses, one a line; - for stdin
    #[arg(short, long, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,
    /// Folder of the survey [default: HOST.groma in the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
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

#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// Keep a copy of the survey as it was, so that `groma diff A B` of runs tells links, findings and structure too
    #[arg(long)]
    pub(crate) keep: bool,
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
    pub(crate) settings: SettingArgs,
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
    /// Only this state: pending, indexed, registered, ignored, invalid, alias
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
    /// Which address
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
    /// Show step by step what the rules make of addresses
    Test {
        /// Which addresses
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
        let given = args.settings.given().unwrap();
        assert_eq!(given.len(), 27);
        for one in &given {
            assert!(groma_desk::settings::table::row(&one.key).is_some(), "{}", one.key);
        }
    }
}
