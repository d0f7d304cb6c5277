//! `groma-forms`: serves a site with a database behind a form, tells the truth about its rows, and examines gatherings of drawn sites.

use std::io::{self, BufWriter, Read as _, Write as _};
use std::net::Ipv4Addr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use groma_forms::exam::{Exam, Outcome, Tables, examine};
use groma_forms::{Labels, Language, Meta, Method, Options, Paging, Records, Site, SiteKind, Totals};

/// Search forms over SQLite, with every switch that makes them hard
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the site; the first line printed is the URL of its form
    Serve {
        /// Which port; 0 means any free one
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Serve until killed, not until standard input closes
        #[arg(long)]
        forever: bool,
        #[command(flatten)]
        choice: Box<Choice>,
    },
    /// Print all rows, a JSON object a line
    Truth {
        #[command(flatten)]
        choice: Box<Choice>,
    },
    /// Gather from drawn sites, and print what came of it beside the truth
    Examine(Examination),
}

/// Which drawn sites.
#[derive(Args)]
struct Examination {
    /// Sites with everything drawn
    #[arg(long, default_value_t = 100)]
    sites: u64,
    /// Sites for searching by words alone
    #[arg(long, default_value_t = 0)]
    words: u64,
    /// The number of the run, from which the seeds are made
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep to this fifth of the sites
    #[arg(long, value_name = "0..4")]
    hold: Option<u64>,
    /// Sites to examine at a time
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Examine this one alone, by its seed, and print every request
    #[arg(long, value_name = "SEED")]
    site: Option<u64>,
}

/// What is not said is as the site has it; of a random site, as the seed throws it.
#[derive(Args)]
struct Choice {
    /// Which site
    #[arg(long, value_enum)]
    site: SiteKind,
    /// The number everything is made from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many rows
    #[arg(long)]
    rows: Option<usize>,
    /// Cut lists after so many rows; 0 for never
    #[arg(long)]
    k: Option<usize>,
    /// Rows on a page
    #[arg(long)]
    page: Option<usize>,
    /// What a list says about its length
    #[arg(long, value_enum)]
    totals: Option<Totals>,
    /// How controls get their labels
    #[arg(long, value_enum)]
    labels: Option<Labels>,
    /// How one gets to further pages
    #[arg(long, value_enum)]
    paging: Option<Paging>,
    /// How the form is sent
    #[arg(long, value_enum)]
    method: Option<Method>,
    /// How rows are marked up
    #[arg(long, value_enum)]
    records: Option<Records>,
    /// The language of the wording
    #[arg(long, value_enum)]
    language: Option<Language>,
    /// Ask for a token of the form's page
    #[arg(long)]
    tokens: bool,
    /// Ask for the cookie of the form's page
    #[arg(long)]
    session: bool,
    /// Reset so many of a hundred requests
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    resets: u8,
    /// Answer so many of a hundred requests with 429 and Retry-After
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    busy: u8,
    /// Where the DB.* tags are
    #[arg(long, value_enum)]
    meta: Option<Meta>,
    /// Empty so many of a hundred cells
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u8).range(0..=100))]
    nulls: Option<u8>,
    /// Write so many of a hundred rows twice
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u8).range(0..=100))]
    duplicates: Option<u8>,
    /// Show numbers with so many places behind the point, whatever is compared
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Let this element of the form change nothing
    #[arg(long, value_name = "FIELD")]
    ignore: Option<String>,
    /// Turn questions away that ask for nothing
    #[arg(long)]
    refuse_empty: bool,
    /// Show every fifth row only to those who tick "Include archived"
    #[arg(long)]
    archived: bool,
    /// CityWorld: regions as radio buttons
    #[arg(long)]
    radios: bool,
    /// Campsites: the file of waypoints
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// CityWorld: where the summarizer answers
    #[arg(long, value_name = "URL")]
    summarizer: Option<String>,
    /// Keep the database in a file
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
}

impl Choice {
    fn options(self) -> Options {
        let mut plain =
            if self.site == SiteKind::Random { Options::random(self.seed) } else { Options::new(self.site) };
        plain.seed = self.seed;
        Options {
            rows: self.rows.or(plain.rows),
            k: self.k.unwrap_or(plain.k),
            page: self.page.unwrap_or(plain.page),
            totals: self.totals.unwrap_or(plain.totals),
            labels: self.labels.unwrap_or(plain.labels),
            paging: self.paging.unwrap_or(plain.paging),
            method: self.method.unwrap_or(plain.method),
            records: self.records.unwrap_or(plain.records),
            language: self.language.unwrap_or(plain.language),
            tokens: self.tokens || plain.tokens,
            session: self.session || plain.session,
            resets: self.resets,
            busy: self.busy,
            meta: self.meta.unwrap_or(plain.meta),
            nulls: self.nulls.unwrap_or(plain.nulls),
            duplicates: self.duplicates.unwrap_or(plain.duplicates),
            round: self.round.or(plain.round),
            ignore: self.ignore,
            refuse_empty: self.refuse_empty || plain.refuse_empty,
            archived: self.archived,
            radios: self.radios,
            data: self.data,
            summarizer: self.summarizer,
            database: self.database,
            ..plain
        }
    }
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Serve { port, forever, choice } => serve(port, forever, &choice.options()),
        Command::Truth { choice } => match truth(&choice.options()) {
            // A reader that has seen enough is no error.
            Err(error) if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) => {
                Ok(())
            }
            other => other,
        },
        Command::Examine(Examination { site: Some(seed), .. }) => {
            print!("{}", examine(seed, true)?.told());
            Ok(())
        }
        Command::Examine(Examination { sites, words, seed, hold, threads, .. }) => {
            let alarm = |outcome: &Outcome| {
                if outcome.is_false() {
                    eprintln!("{}: false", outcome.seed);
                }
            };
            let outcomes = Exam { sites, words, seed, hold, threads }.run(&alarm)?;
            print!("{}", Tables::new(&outcomes).all());
            Ok(())
        }
    }
}

fn serve(port: u16, forever: bool, options: &Options) -> anyhow::Result<()> {
    let site = Site::start_on((Ipv4Addr::LOCALHOST, port).into(), options)?;
    println!("{}", site.form());
    // Whoever reads the URL through a pipe must not wait for a full buffer; if nobody reads it, serving goes on.
    let _ = io::stdout().flush();
    if forever {
        loop {
            std::thread::park();
        }
    }
    let mut ignored = [0; 256];
    let mut input = io::stdin().lock();
    while input.read(&mut ignored).is_ok_and(|n| n > 0) {}
    Ok(())
}

fn truth(options: &Options) -> anyhow::Result<()> {
    let site = Site::build(options)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for row in site.truth() {
        writeln!(out, "{}", row.json())?;
    }
    Ok(out.flush()?)
}
