//! `groma diff`: what a run changed, or several runs; `groma diff A B`: what differs between two surveys.
//!
//! The log says what became of each page. A page that is gone while another with the same text was added has moved there, even
//! where the server said nothing of it.

mod surveys;

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;

use groma_model::{Fp, PageId};
use groma_store::{ChangeKind, RunRow, Snapshot};

use crate::Exit;
use crate::args::DiffArgs;
use crate::output::{Format, Out, tell};
use groma_desk::Fault;
use groma_desk::{place, words};
use groma_model::moment::rfc3339;
use groma_model::wording::{grouped, plain};

/// Rows of the log read at a time.
const STEP: usize = 10_000;
/// Pages shown to people of each kind; programs get all.
const SHOWN: usize = 50;

#[derive(Serialize)]
struct Row {
    change: &'static str,
    url: String,
    /// How much of the text changed, in per cent.
    percent: Option<u8>,
    to: Option<String>,
    at: String,
    run: u32,
    /// Why the page cannot be seen, as it stands now.
    reason: Option<&'static str>,
}

/// What became of a page.
struct Happened {
    kind: ChangeKind,
    amount: u8,
    to: Option<PageId>,
    at: i64,
    run: u32,
}

pub(crate) fn run(args: &DiffArgs) -> Result<Exit, Fault> {
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| !Path::new(text).exists());
    let between = match args.between.as_slice() {
        [] => None,
        [a, b] => match (number(a), number(b)) {
            (Some(a), Some(b)) => Some((a, b)),
            _ => return surveys::run(Path::new(a), Path::new(b), &args.output),
        },
        _ => return Err(Fault::new(words::ONE_SURVEY, words::ONE_SURVEY_HINT)),
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
            tell(&format!("note: {}", words::runs_pages_only()));
            let range = first.id + 1..=last.id;
            (last, range)
        }
    };
    let changes = what_happened(&mut store, &range)?;
    let rows = rows(&mut store, changes)?;
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
    out.flush()?;
    Ok(Exit::Fine)
}

fn chosen(runs: &[RunRow], wanted: Option<u32>) -> Result<RunRow, Fault> {
    let run = match wanted {
        Some(number) => runs.iter().find(|run| run.id == number),
        None => runs.iter().rev().find(|run| run.ended.is_some()),
    };
    run.cloned().ok_or_else(|| match wanted {
        Some(number) => Fault::new(words::no_such_run(number), words::RUNS_HINT),
        None => Fault::new(words::NOT_RUN, words::NOT_RUN_HINT),
    })
}

/// The changes of some runs, taken together for each page.
fn what_happened(store: &mut dyn Snapshot, runs: &RangeInclusive<u32>) -> Result<BTreeMap<PageId, Happened>, Fault> {
    let mut changes = BTreeMap::new();
    let mut after = 0;
    loop {
        let rows = store.changes(after, STEP)?;
        let Some(last) = rows.last() else { break };
        after = last.seq;
        for change in rows.into_iter().filter(|change| runs.contains(&change.run)) {
            let happened =
                Happened { kind: change.kind, amount: change.amount, to: change.to, at: change.at, run: change.run };
            let before = changes.get(&change.page).map(|before: &Happened| before.kind);
            // Found and then lost, or found to be another name of a page; lost and found again: nothing happened.
            let undone = match before {
                Some(ChangeKind::Added) => matches!(change.kind, ChangeKind::Moved | ChangeKind::Gone),
                Some(ChangeKind::Gone | ChangeKind::Unreachable | ChangeKind::Unknown) => {
                    change.kind == ChangeKind::Back
                }
                _ => false,
            };
            // What is new is new, whatever became of it since.
            let still_new =
                before == Some(ChangeKind::Added) && matches!(change.kind, ChangeKind::Changed | ChangeKind::Back);
            if undone {
                changes.remove(&change.page);
            } else if !still_new {
                changes.insert(change.page, happened);
            }
        }
    }
    // By their text, what was added; of equal texts the first.
    let mut added: HashMap<Fp, PageId> = HashMap::new();
    let any_gone = changes.values().any(|happened| happened.kind == ChangeKind::Gone);
    for (page, _) in changes.iter().filter(|(_, happened)| any_gone && happened.kind == ChangeKind::Added) {
        // Pages without a word are all alike, and none of them is another's new place.
        if let Some(text) = store.page(*page)?.filter(|page| page.facts.words > 0).and_then(|page| page.facts.text_fp) {
            added.entry(text).or_insert(*page);
        }
    }
    for (page, happened) in changes.iter_mut().filter(|(_, happened)| happened.kind == ChangeKind::Gone) {
        let text = store.page(*page)?.and_then(|page| page.facts.text_fp);
        if let Some(to) = text.and_then(|text| added.remove(&text)) {
            (happened.kind, happened.to) = (ChangeKind::Moved, Some(to));
        }
    }
    Ok(changes)
}

fn rows(store: &mut dyn Snapshot, changes: BTreeMap<PageId, Happened>) -> Result<Vec<Row>, Fault> {
    // Where a page has moved to is no news of its own.
    let targets: Vec<PageId> = changes.values().filter(|h| h.kind == ChangeKind::Moved).filter_map(|h| h.to).collect();
    let targets: std::collections::HashSet<PageId> = targets.into_iter().collect();
    let mut rows = Vec::with_capacity(changes.len());
    for (page, happened) in changes {
        if happened.kind == ChangeKind::Added && targets.contains(&page) {
            continue;
        }
        let Some(address) = store.address(page)? else { continue };
        let to = match happened.to {
            Some(to) => store.address(to)?.map(|row| row.url),
            None => None,
        };
        let unseen = matches!(happened.kind, ChangeKind::Unreachable | ChangeKind::Unknown);
        rows.push(Row {
            change: happened.kind.name(),
            url: address.url,
            percent: (happened.kind == ChangeKind::Changed).then_some(happened.amount),
            to,
            at: rfc3339(happened.at),
            run: happened.run,
            reason: (unseen && address.reason.fault().is_some()).then(|| address.reason.name()),
        });
    }
    rows.sort_by(|a, b| (order(a.change), &a.url).cmp(&(order(b.change), &b.url)));
    Ok(rows)
}

fn order(change: &str) -> usize {
    ChangeKind::ALL.iter().position(|kind| kind.name() == change).unwrap_or(usize::MAX)
}

fn print(run: &RunRow, rows: &[Row], out: &mut Out) -> std::io::Result<()> {
    if run.id == 1 && rows.iter().all(|row| row.change == ChangeKind::Added.name()) {
        return out.line(&words::first_crawl(rows.len() as u64));
    }
    let counts = ChangeKind::ALL.iter().map(|kind| {
        let n = rows.iter().filter(|row| row.change == kind.name()).count();
        format!("{} {}", grouped(n as u64), kind.name())
    });
    let head = format!("run {} ({}, {})", run.id, run.kind, rfc3339(run.started));
    out.line(&format!("{}: {}", out.paint.heading(&head), counts.collect::<Vec<_>>().join(", ")))?;
    for kind in ChangeKind::ALL {
        let of_kind: Vec<&Row> = rows.iter().filter(|row| row.change == kind.name()).collect();
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
