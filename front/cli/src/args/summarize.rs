//! What was typed for the summarizer.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use groma_summary::Limits;

#[derive(Debug, Args)]
pub(crate) struct SummarizeArgs {
    #[command(subcommand)]
    pub(crate) what: SummarizeCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SummarizeCommand {
    /// Answer over HTTP: /ID is the summary of a document, /all are all of them, / lists the ids
    Serve {
        /// Where to listen; another address than this machine's own needs --public
        #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8481")]
        listen: SocketAddr,
        /// Let other machines ask
        #[arg(long)]
        public: bool,
        #[command(flatten)]
        source: SourceArgs,
    },
    /// Print the summary of one document, for cron; with --cgi, answer as a CGI program
    Once {
        /// Which document: its file's name without the ending
        #[arg(value_name = "ID", required_unless_present = "cgi", conflicts_with = "cgi")]
        id: Option<String>,
        /// Answer the request that REQUEST_METHOD, PATH_INFO, QUERY_STRING and HTTP_IF_NONE_MATCH tell of
        #[arg(long)]
        cgi: bool,
        #[command(flatten)]
        source: SourceArgs,
    },
}

/// What is summarized, and within which limits.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// Folder of DBContent documents; only what is in it can be asked for
    #[arg(long, value_name = "DIR")]
    pub(crate) config: PathBuf,
    /// The database: sqlite:FILE, postgres://ROLE@HOST/NAME, mysql://ROLE@HOST/NAME or odbc:CONNECTION_STRING, with a role that
    /// can only read; the password may come from PGPASSWORD, MYSQL_PWD or ODBC_PWD
    #[arg(
        long,
        value_name = "URL",
        env = "GROMA_DATABASE",
        hide_env_values = true,
        required_unless_present = "database_file"
    )]
    pub(crate) database: Option<String>,
    /// Read the address of the database from this file, where no list of processes shows it
    #[arg(long, value_name = "FILE", conflicts_with = "database")]
    pub(crate) database_file: Option<PathBuf>,
    /// Keep answers in this folder, also for the next time [default: a folder that goes with the process]
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Read through a role that may write, or, with ODBC, of which that is not known
    #[arg(long)]
    pub(crate) allow_writable_role: bool,
    /// The database is on another machine (with ODBC: may be), and the way there is safe
    #[arg(long)]
    pub(crate) far_database: bool,
    #[command(flatten)]
    limits: SummaryLimitArgs,
}

/// Within which limits; what is not given is as usual.
#[derive(Debug, Args)]
struct SummaryLimitArgs {
    /// Most values of an attribute [default: 1000000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    values: Option<u64>,
    /// Most bytes of an attribute's values [default: 67108864]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    bytes: Option<u64>,
    /// Most bytes of all values of a summary [default: 209715200]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    summary_bytes: Option<u64>,
    /// Most characters of a value; longer ones are cut [default: 16384]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    letters: Option<u32>,
    /// Most attributes of a document [default: 200]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    attributes: Option<usize>,
    /// Longest time for reading one document, in seconds [default: 300]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    seconds: Option<u64>,
    /// The database is not asked again within so many seconds [default: 60]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    fresh: Option<u64>,
    /// Longest a request waits for a reading, in seconds; then it is told to come again [default: 15]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits")]
    wait: Option<u64>,
    /// Readings at once, each with a connection to the database [default: 2]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    readings: Option<usize>,
    /// Connections at once [default: 64]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    connections: Option<usize>,
    /// Most documents in the folder [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    documents: Option<usize>,
}

impl SourceArgs {
    /// The limits: those that were given, else the usual ones.
    pub(crate) fn limits(&self) -> Limits {
        let (given, usual) = (&self.limits, Limits::default());
        // Longer than a month is as good as for ever, and clocks can still add it.
        let seconds = |seconds: Option<u64>, usual| seconds.map_or(usual, |n| Duration::from_secs(n.min(31 * 86_400)));
        Limits {
            attributes: given.attributes.unwrap_or(usual.attributes),
            values: given.values.unwrap_or(usual.values),
            octets: given.bytes.unwrap_or(usual.octets),
            object: given.summary_bytes.unwrap_or(usual.object),
            letters: given.letters.unwrap_or(usual.letters).clamp(1, 1 << 24),
            time: seconds(given.seconds, usual.time),
            fresh: seconds(given.fresh, usual.fresh),
            wait: seconds(given.wait, usual.wait),
            readings: given.readings.unwrap_or(usual.readings).clamp(1, 1000),
            connections: given.connections.unwrap_or(usual.connections).clamp(1, 10_000),
            documents: given.documents.unwrap_or(usual.documents),
        }
    }
}
