//! What was typed for the commands that search a survey, keep it up to date and serve it: search, index, jobs, schedules, the
//! web interface and its users.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use groma_serve::{ProxyNet, people};
use groma_store::{Server, home_of};
use groma_tasks::jobs::wording::job_kinds;
use groma_tasks::task;

use super::{OutputArgs, ScopeArg, SetArgs, StoreArg};

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// What to look for: words, "phrases", -word, OR, site: type: lang: in: title: url: after: before: (quote it for the shell)
    #[arg(value_name = "WORDS", required = true)]
    pub(crate) words: Vec<String>,
    /// Folders of surveys, or the URLs they are of [default: all *.groma in the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Hits at most
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10)]
    pub(crate) most: usize,
    /// Hits to pass over
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: usize,
    /// Count the hits by section, type, language and site
    #[arg(long)]
    pub(crate) facets: bool,
    /// Search the index as it is, even if the survey has changed since
    #[arg(long)]
    pub(crate) as_is: bool,
    #[command(flatten)]
    pub(crate) scope: ScopeArg,
    #[command(flatten)]
    pub(crate) set: SetArgs,
}

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) store: StoreArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) task: task::Index,
    /// No progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct JobsArgs {
    #[command(subcommand)]
    pub(crate) what: Option<JobsCommand>,
    /// Folder of the survey, or the URL it is of [default: every *.groma in the working directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Only this state: waiting, running, paused, done, failed, cancelled
    #[arg(long, value_name = "STATE")]
    pub(crate) state: Vec<String>,
    /// Most jobs, the latest first
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    pub(crate) most: usize,
}

#[derive(Debug, Subcommand)]
pub(crate) enum JobsCommand {
    /// Ask for something: one job, or several that go one after the other (update,check,index)
    Add(Box<JobsAddArgs>),
    /// Everything about one job, with its log
    Show {
        /// Number of the job
        #[arg(value_name = "JOB")]
        job: u64,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Stop a job for a while
    Pause(WhichJob),
    /// Let a paused job go on
    Resume(WhichJob),
    /// Stop a job for good, and what stands behind it in its package
    Cancel(WhichJob),
    /// Let a failed or cancelled job, and what stands behind it, wait for its turn again
    Retry(WhichJob),
    /// Give a job another priority
    Priority {
        /// Number of the job
        #[arg(value_name = "JOB")]
        job: u64,
        /// The higher the sooner; 0 is usual
        #[arg(value_name = "N", allow_negative_numbers = true)]
        priority: i32,
    },
    /// Do what waits, and what schedules ask for, until Ctrl-C (`groma serve` does so too)
    Work {
        /// Stop when nothing waits any more
        #[arg(long)]
        once: bool,
        /// Jobs to run at a time
        #[arg(long, value_name = "N", default_value_t = 2)]
        workers: usize,
        /// Read settings from this file instead of groma.toml
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// A survey, or a server with all its surveys (postgres://USER@HOST/DATABASE); several can be named
    #[arg(long, value_name = "DIR|SERVER", env = "GROMA_STORE", hide_env_values = true)]
    pub(crate) store: Vec<PathBuf>,
    /// Jobs to run at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) workers: usize,
    /// Crawls led by other processes to help with, at once
    #[arg(long, alias = "hands", value_name = "N", default_value_t = 2)]
    pub(crate) help_with: usize,
    /// Stop when there is nothing to do
    #[arg(long)]
    pub(crate) once: bool,
    /// Tell how it goes at this address: /metrics for Prometheus, /healthz
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) listen: Option<std::net::SocketAddr>,
    /// Read settings from this file instead of groma.toml
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct WhichJob {
    /// Number of the job
    #[arg(value_name = "JOB")]
    pub(crate) job: u64,
}

#[derive(Debug, Args)]
pub(crate) struct JobsAddArgs {
    #[arg(value_name = "TASK [FLAGS]", required = true, trailing_var_arg = true, allow_hyphen_values = true, help = tasks_to_add())]
    pub(crate) words: Vec<String>,
}

fn tasks_to_add() -> String {
    format!(
        "A task with its own flags (`groma jobs add TASK --help` lists them): {}; or several names with commas, done one after the other",
        job_kinds()
    )
}

/// Where a job is queued; read from among the flags of its task.
#[derive(Debug, Default, Args)]
pub(crate) struct QueueArgs {
    /// Folder of the survey, or the URL it is of [default: the only *.groma in the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) store: Option<PathBuf>,
    /// The higher the sooner
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) priority: i32,
}

#[derive(Debug, Args)]
pub(crate) struct ScheduleArgs {
    #[command(subcommand)]
    pub(crate) what: Option<ScheduleCommand>,
    /// Folder of the survey, or the URL it is of [default: every *.groma in the working directory]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) store: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ScheduleCommand {
    /// Ask for something again and again
    Add {
        /// When: "every 7 days", "daily at 03:00", "weekly on monday at 4:30", or five fields as in a crontab
        #[arg(value_name = "PERIOD", required = true)]
        period: Vec<String>,
        /// What, one after the other: names of tasks with commas, or one task with its flags ('gather URL --budget 500'); can be given
        /// several times
        #[arg(long, value_name = "TASKS", default_value = "update,check,index,notify")]
        what: Vec<String>,
        /// The time zone it is meant in, such as Europe/Prague [default: this machine's]
        #[arg(long, value_name = "ZONE")]
        zone: Option<String>,
        /// Put each moment off by up to this long, such as 30m
        #[arg(long, value_name = "TIME", default_value = "0")]
        jitter: String,
        /// What to call it
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// The priority of its jobs
        #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
        priority: i32,
        /// Keep a copy of the survey before each update (the same as --what 'update --keep' ...)
        #[arg(long)]
        keep: bool,
    },
    /// Forget a schedule
    Remove(WhichSchedule),
    /// Let a schedule rest
    Disable(WhichSchedule),
    /// Let a schedule fire again
    Enable(WhichSchedule),
    /// Ask for its jobs now, whatever its period says
    Run(WhichSchedule),
}

#[derive(Debug, Args)]
pub(crate) struct WhichSchedule {
    /// Number of the schedule
    #[arg(value_name = "SCHEDULE")]
    pub(crate) schedule: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Where to listen; another address than this machine's own needs a user with a password
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8480")]
    pub(crate) listen: SocketAddr,
    /// Surveys to serve, besides those in the home folder
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub(crate) store: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) home: HomeArg,
    /// A host that may be surveyed from the web interface though it is private (this machine, a local network)
    #[arg(long, value_name = "HOST")]
    pub(crate) own: Vec<String>,
    /// Let everybody search, without logging in
    #[arg(long)]
    pub(crate) public_search: bool,
    /// The URL people reach it at, behind a proxy
    #[arg(long, value_name = "URL")]
    pub(crate) public_url: Option<String>,
    /// A proxy whose X-Forwarded-For is believed: an IP address or network [default: with --public-url this machine, else none]
    #[arg(long, value_name = "ADDR")]
    pub(crate) trusted_proxy: Vec<ProxyNet>,
    /// Open it in the browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Print the start URL of the server that runs on this address and home folder, and end
    #[arg(long, conflicts_with = "open")]
    pub(crate) print_url: bool,
    /// Jobs at once; 0: other processes do them (`groma jobs work`)
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) workers: usize,
    /// Read settings from this file instead of groma.toml
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct HomeArg {
    /// The folder in which surveys and users are kept, or a database server (postgres://...) with all surveys on it
    #[arg(long, value_name = "DIR", default_value = ".", global = true, value_parser = home, env = "GROMA_HOME", hide_env_values = true)]
    pub(crate) home: PathBuf,
}

/// A home folder; that of a server, if one is named.
fn home(text: &str) -> Result<PathBuf, String> {
    if Server::is_address(text) { home_of(text).map_err(|error| error.to_string()) } else { Ok(PathBuf::from(text)) }
}

#[derive(Debug, Args)]
pub(crate) struct UserArgs {
    #[command(subcommand)]
    pub(crate) what: Option<UserCommand>,
    #[command(flatten)]
    pub(crate) home: HomeArg,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Add a user, or give one another password (read from stdin, or from GROMA_PASSWORD)
    Add {
        /// Name of the user
        #[arg(value_name = "NAME")]
        name: String,
        /// May see everything and change nothing
        #[arg(long)]
        reader: bool,
    },
    /// Remove a user, and end their sessions
    Remove {
        /// Name of the user
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Make a token for programs, shown once
    Token {
        /// What it is for
        #[arg(value_name = "NAME")]
        name: String,
        /// May see everything and change nothing
        #[arg(long)]
        reader: bool,
        /// Days after which it expires, or `never`
        #[arg(long, value_name = "DAYS", default_value_t = people::TOKEN_DAYS.to_string())]
        expires: String,
    },
    /// Take a token back
    Revoke {
        /// What it was for
        #[arg(value_name = "NAME")]
        name: String,
    },
}
