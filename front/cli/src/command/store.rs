//! `groma store`: surveys from one place to another, and which there are on a server.

use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use groma_model::wording::{counted, grouped, plain, size};
use groma_settings::{Fault, place};
use groma_store::{Copied, Folder, Server, survey_sizes};
use serde_json::json;

use crate::Exit;
use crate::args::{StoreArgs, StoreCommand, StoreCopyArgs, StoreListArgs};
use crate::output::{Format, Out, tell};

/// How often somebody who looks is told.
const TOLD: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &StoreArgs) -> Result<Exit, Fault> {
    match &args.what {
        StoreCommand::Copy(args) => copy(args),
        StoreCommand::List(args) => list(args),
    }
}

fn copy(args: &StoreCopyArgs) -> Result<Exit, Fault> {
    let (from, to) = (place::find(Some(&args.from))?, Folder::new(&args.to));
    let shows = !args.quiet && std::io::stderr().is_terminal();
    let (begun, mut told) = (Instant::now(), None::<Instant>);
    let copied = from.copy_to(&to, &mut |table, rows| {
        if shows && told.is_none_or(|at| at.elapsed() >= TOLD) {
            told = Some(Instant::now());
            let _ = write!(std::io::stderr(), "\r{:<60}", copying(table, rows));
        }
    });
    if told.is_some() {
        let _ = write!(std::io::stderr(), "\r{:<60}\r", "");
    }
    let (copied, seconds) = (copied?, begun.elapsed().as_secs_f64());
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Text => out.line(&copy_outcome(copied.rows(), copied.bytes(), seconds))?,
        Format::Json => out.json(&as_json(&copied, &from, &to, seconds))?,
        Format::Csv => {
            out.csv(&["room", "table", "rows", "bytes", "digest"])?;
            for table in &copied.tables {
                let (rows, bytes) = (table.rows.to_string(), table.bytes.to_string());
                out.csv(&[table.room, table.name, &rows, &bytes, &format!("{:032x}", table.digest)])?;
            }
        }
    }
    out.finish()?;
    if !args.quiet && args.output.format == Format::Text {
        tell(&source_stays(&from.shown()));
    }
    Ok(Exit::Fine)
}

fn as_json(copied: &Copied, from: &Folder, to: &Folder, seconds: f64) -> serde_json::Value {
    let tables = copied.tables.iter().map(|table| {
        json!({
            "room": table.room,
            "table": table.name,
            "rows": table.rows,
            "bytes": table.bytes,
            "digest": format!("{:032x}", table.digest),
        })
    });
    json!({
        "from": from.shown().to_string_lossy(),
        "to": to.shown().to_string_lossy(),
        "rows": copied.rows(),
        "bytes": copied.bytes(),
        "seconds": seconds,
        "same": true,
        "tables": tables.collect::<Vec<_>>(),
    })
}

fn list(args: &StoreListArgs) -> Result<Exit, Fault> {
    let surveys = survey_sizes(&Server::parse(&args.server)?)?;
    let mut out = Out::open(args.output.output.as_deref())?;
    if args.output.format == Format::Csv {
        out.csv(&["survey", "urls", "bytes"])?;
    }
    for survey in &surveys {
        let (name, bytes) = (survey.name.as_str(), survey.bytes);
        match args.output.format {
            Format::Text => {
                let about = survey.addresses.map(|count| about_addresses(&grouped(count))).unwrap_or_default();
                out.line(format!("{name:<40} {:>10}  {about}", size(bytes)).trim_end())?;
            }
            Format::Json => out.json(&json!({ "survey": name, "urls": survey.addresses, "bytes": bytes }))?,
            Format::Csv => {
                let addresses = survey.addresses.map(|count| count.to_string()).unwrap_or_default();
                out.csv(&[name, &addresses, &bytes.to_string()])?;
            }
        }
    }
    if surveys.is_empty() && args.output.format == Format::Text {
        out.line("no surveys on this server; begin one with `groma crawl URL --store ADDRESS?survey=NAME`")?;
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn copying(table: &str, rows: u64) -> String {
    format!("copying {table}: {}", grouped(rows))
}

fn source_stays(from: &Path) -> String {
    let from = plain(&from.display().to_string());
    format!("{from} is as it was: remove it when you no longer need it; make the index of the copy with `groma index`")
}

fn about_addresses(count: &str) -> String {
    format!("about {count} URLs")
}

fn copy_outcome(rows: u64, bytes: u64, seconds: f64) -> String {
    let rows = counted(rows, "row", "rows");
    format!("{rows}, {}, {seconds:.1} s: the same on both sides", size(bytes))
}
