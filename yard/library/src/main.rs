//! `groma-library`: serves, writes and tells the truth about a journal library.

use std::fs;
use std::io::{self, BufWriter, Read as _, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand, ValueEnum};
use groma_library::{Library, Settings, Split, openalex, truth_line};
use groma_testweb::Server;

/// A journal library made from metadata and one number
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the library; the first line printed is its address
    Serve {
        /// Where to listen; port 0 means any free one
        #[arg(long, default_value = "127.0.0.1:0")]
        listen: SocketAddr,
        /// Serve until killed, not until standard input closes
        #[arg(long)]
        forever: bool,
        #[command(flatten)]
        choice: Choice,
    },
    /// Write every page as a file, and truth.jsonl
    Write {
        /// The folder; it is made if it is not there
        folder: PathBuf,
        /// What addresses begin with in the truth
        #[arg(long, default_value = "")]
        base: String,
        #[command(flatten)]
        choice: Choice,
    },
    /// Print the truth about every page, a JSON object a line
    Truth {
        /// What addresses begin with, e.g. http://127.0.0.1:8000
        #[arg(long, default_value = "")]
        base: String,
        /// Leave out blocks and links
        #[arg(long)]
        brief: bool,
        #[command(flatten)]
        choice: Choice,
    },
    /// List labels: level, articles, books, label, typical words (tab-separated)
    Topics {
        /// Only labels with at least so many articles
        #[arg(long, default_value_t = 50)]
        fewest: usize,
        /// How many words
        #[arg(long, default_value_t = 12)]
        words: usize,
        #[command(flatten)]
        choice: Choice,
    },
}

#[derive(Args)]
struct Choice {
    /// The number everything is made from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A file of OpenAlex works, one JSON object a line, plain or gzip; without it works are invented
    #[arg(long)]
    works: Option<PathBuf>,
    /// How many pages the library has
    #[arg(long, default_value_t = 20_000)]
    pages: usize,
    /// Which templates are used
    #[arg(long, value_enum, default_value_t = Templates::All)]
    split: Templates,
    /// Take works of this field only; may be given several times
    #[arg(long)]
    field: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Templates {
    Development,
    HeldOut,
    /// Both of these
    All,
    Practice,
}

impl Choice {
    fn library(self) -> anyhow::Result<Library> {
        let works = match &self.works {
            Some(path) => openalex::read(path).with_context(|| format!("cannot read works from {}", path.display()))?,
            None => Vec::new(),
        };
        let split = match self.split {
            Templates::Development => Split::Development,
            Templates::HeldOut => Split::HeldOut,
            Templates::All => Split::All,
            Templates::Practice => Split::Practice,
        };
        Ok(Library::build(&works, &Settings { seed: self.seed, pages: self.pages, split, fields: self.field }))
    }
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Serve { listen, forever, choice } => serve(listen, forever, choice),
        Command::Write { folder, base, choice } => write(&folder, &base, &choice.library()?),
        Command::Truth { base, brief, choice } => {
            let out = BufWriter::new(io::stdout().lock());
            quietly(truth(out, &base, brief, &choice.library()?))
        }
        Command::Topics { fewest, words, choice } => {
            let mut out = BufWriter::new(io::stdout().lock());
            let print = || -> io::Result<()> {
                for row in choice.library().map_err(io::Error::other)?.topics(fewest, words) {
                    let words = row.words.join(", ");
                    writeln!(out, "{}\t{}\t{}\t{}\t{words}", row.level, row.articles, row.books, row.label)?;
                }
                out.flush()
            };
            quietly(print())
        }
    }
}

/// A reader that has seen enough is no error.
fn quietly(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

fn serve(listen: SocketAddr, forever: bool, choice: Choice) -> anyhow::Result<()> {
    let server = Server::start_on(listen, choice.library()?).with_context(|| format!("cannot listen on {listen}"))?;
    println!("{}", server.base());
    // Whoever reads the address through a pipe must not wait for a full buffer; if nobody reads it, serving goes on.
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

fn truth(mut out: impl Write, base: &str, brief: bool, library: &Library) -> io::Result<()> {
    for (number, path) in library.paths_of_pages().enumerate() {
        if let Some(page) = library.render(number) {
            writeln!(out, "{}", truth_line(base.trim_end_matches('/'), path, &page, brief))?;
        }
    }
    out.flush()
}

fn write(folder: &Path, base: &str, library: &Library) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(folder.join("robots.txt"), library.robots())?;
    for (number, path) in library.paths_of_pages().enumerate() {
        let Some(page) = library.render(number) else { continue };
        // A query is part of the name: `/search?q=a` is the file `search?q=a/index.html`.
        let place = folder.join(path.trim_start_matches('/'));
        fs::create_dir_all(&place)?;
        fs::write(place.join("index.html"), page.html)?;
    }
    truth(BufWriter::new(fs::File::create(folder.join("truth.jsonl"))?), base, false, library)?;
    println!("{} pages in {}", library.len(), folder.display());
    Ok(())
}
