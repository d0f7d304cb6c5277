//! `groma summarize`: the cooperative side of gathering. Tells what a database holds, as SOIF, over HTTP, once, or as CGI.

use std::io;
use std::sync::Arc;

use groma_serve::serve_summaries;
use groma_settings::Fault;
use groma_summary::{Address, Options, Summarizer, SummaryError, cgi};

use crate::Exit;
use crate::args::{SourceArgs, SummarizeArgs, SummarizeCommand};
use crate::output::{Out, tell};
use crate::signals::on_signals;
use crate::wording::{STOPPED, serving};

pub(crate) fn run(args: &SummarizeArgs) -> Result<Exit, Fault> {
    match &args.what {
        SummarizeCommand::Serve { listen, public, source } => {
            if !public && !listen.ip().to_canonical().is_loopback() {
                return Err(Fault::new(
                    reachable(&listen.to_string()),
                    "say --public if everybody who reaches it may know what the documents name",
                ));
            }
            let summarizer = open(source)?;
            let ready = |at: std::net::SocketAddr| tell(&serving(&at.to_string()));
            let served = serve_summaries(&summarizer, *listen, &on_signals()?, ready);
            summarizer.tidy_up();
            served.map_err(|error| Fault::new(error.to_string(), error.hint()))?;
            tell(STOPPED);
        }
        SummarizeCommand::Once { id, cgi: as_cgi, source } => {
            let summarizer = open(source)?;
            let mut out = Out::open(None)?;
            if *as_cgi {
                cgi::answer(&summarizer, |name| std::env::var(name).ok(), out.writer())?;
            } else {
                summarizer.once(id.as_deref().unwrap_or_default(), out.writer()).map_err(|error| fault(&error))?;
            }
            out.finish()?;
        }
    }
    Ok(Exit::Fine)
}

fn open(source: &SourceArgs) -> Result<Arc<Summarizer>, Fault> {
    let options = Options {
        documents: source.config.clone(),
        database: address(source)?,
        cache: source.cache.clone(),
        limits: source.limits(),
        allow_writable_role: source.allow_writable_role,
        allow_far: source.far_database,
    };
    let log = Box::new(|line: &str| tell(&format!("note: {}", one_line(line))));
    Summarizer::open(options, log).map_err(|error| fault(&error))
}

/// The address of the database: typed, or the first line of a file. The password may stand where the databases' own clients look.
fn address(source: &SourceArgs) -> Result<Address, Fault> {
    let text = match (&source.database, &source.database_file) {
        (Some(text), _) => text.clone(),
        (None, Some(path)) => {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| Fault::of_input(&path.display().to_string(), &error))?;
            text.lines().next().unwrap_or_default().to_owned()
        }
        (None, None) => String::new(),
    };
    let scheme = text.trim_start().split(':').next().unwrap_or_default().to_ascii_lowercase();
    let variable = match scheme.as_str() {
        "postgres" | "postgresql" => "PGPASSWORD",
        "odbc" => "ODBC_PWD",
        _ => "MYSQL_PWD",
    };
    let password = std::env::var(variable).ok();
    Address::parse(&text, password.as_deref()).map_err(|error| fault(&error))
}

fn fault(error: &SummaryError) -> Fault {
    match error {
        SummaryError::File(error) if error.kind() == io::ErrorKind::BrokenPipe => Fault::of_output(error),
        error => Fault::new(one_line(&error.to_string()), error.hint()),
    }
}

/// Words of a database may have line ends.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn reachable(address: &str) -> String {
    format!("{address} can be reached from other machines")
}
