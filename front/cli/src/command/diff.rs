//! `groma diff`: what a run changed, or several runs; `groma diff A B`: what differs between two surveys.

mod surveys;

use std::path::Path;

use groma_model::moment::rfc3339;
use groma_model::wording::{counted, grouped, plain};
use groma_settings::{Fault, place};
use groma_store::{ChangeKind, RunRow, Snapshot};
use groma_tasks::changes::{self, Changed, chosen, runs_pages_only};

use crate::Exit;
use crate::args::DiffArgs;
use crate::output::{Format, Out, tell};

/// Pages shown to people of each kind; programs get all.
const SHOWN: usize = 50;

pub(crate) fn run(args: &DiffArgs) -> Result<Exit, Fault> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| !Path::new(text).exists());
    let between = match args.between.as_slice() {
        [] => None,
        [a, b] => match (number(a), number(b)) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => return surveys::run(Path::new(a), Path::new(b), &args.output),
        },
        _ => {
            return Err(Fault::new(
                "one survey or run alone cannot be compared",
                "groma diff OLD.groma NEW.groma, groma diff 2 5 (runs), or groma diff (the last run)",
            ));
        }
    };
    let folder = place::find(args.store.store.as_deref())?;
    let mut store = folder.read()?;
    let runs = store.runs()?;
    let (run, range) = match between {
        None => {
            let run = chosen(&runs, args.run)?;
            let range = run.id..=run.id;
            (run, range)
        }
        Some((a, b)) => {
            let (first, last) = (chosen(&runs, Some(a.min(b)))?, chosen(&runs, Some(a.max(b)))?);
            let newest = runs.last().is_some_and(|run| run.id == last.id);
            let newer = if newest { Some(folder.read()?) } else { folder.read_kept(last.id)? };
            if let (Some(mut older), Some(mut newer)) = (folder.read_kept(first.id)?, newer) {
                return surveys::compare_both(&mut older, &mut newer, &args.output);
            }
            tell(&format!("note: {}", runs_pages_only()));
            let range = first.id + 1..=last.id;
            (last, range)
        }
    };
    let rows = changes::of_runs(&mut store, &range)?;
    let mut out = Out::open(args.output.output.as_deref())?;
    match args.output.format {
        Format::Json => rows.iter().try_for_each(|row| out.json(row))?,
        Format::Csv => {
            out.csv(&["change", "url", "percent", "to", "at", "run", "reason"])?;
            for row in &rows {
                let percent = row.percent.map_or(String::new(), |percent| percent.to_string());
                let to = row.to.as_deref().unwrap_or_default();
                let reason = row.reason.unwrap_or_default();
                out.csv(&[row.change, &row.url, &percent, to, &row.at, &row.run.to_string(), reason])?;
            }
        }
        Format::Text => print(&run, &rows, &mut out)?,
    }
    out.finish()?;
    Ok(Exit::Fine)
}

fn print(run: &RunRow, rows: &[Changed], out: &mut Out) -> std::io::Result<()> {
    if run.id == 1 && rows.iter().all(|row| row.change == ChangeKind::Added.name()) {
        return out.line(&first_crawl(rows.len() as u64));
    }
    let counts = ChangeKind::ALL.iter().map(|kind| {
        let n = rows.iter().filter(|row| row.change == kind.name()).count();
        format!("{} {}", grouped(n as u64), kind.name())
    });
    let head = format!("run {} ({}, {})", run.id, run.kind, rfc3339(run.started));
    out.line(&format!("{}: {}", out.paint.heading(&head), counts.collect::<Vec<_>>().join(", ")))?;
    for kind in ChangeKind::ALL {
        let of_kind: Vec<&Changed> = rows.iter().filter(|row| row.change == kind.name()).collect();
        for row in of_kind.iter().take(SHOWN) {
            let more = match (row.percent, &row.to, row.reason) {
                (Some(0), ..) => "  (links only)".to_owned(),
                (Some(percent), ..) => format!("  ({percent} % of the text)"),
                (None, Some(to), _) => format!(" -> {}", plain(to)),
                (None, None, Some(reason)) => format!("  ({reason})"),
                (None, None, None) => String::new(),
            };
            out.line(&format!("  {:12} {}{more}", row.change, plain(&row.url)))?;
        }
        if of_kind.len() > SHOWN {
            let more = grouped((of_kind.len() - SHOWN) as u64);
            out.line(&format!("  {:12} and {more} more: groma diff -f csv", kind.name()))?;
        }
    }
    Ok(())
}

fn first_crawl(pages: u64) -> String {
    format!("first crawl: {} added", counted(pages, "page", "pages"))
}
