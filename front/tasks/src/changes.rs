//! What did a run change, or several runs taken together?
//!
//! The log says what became of each page. A page that is gone while another with the same text was added has moved there, even
//! where the server said nothing of it. Cost: one reading of the log; memory: what changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;

use groma_model::moment::rfc3339;
use groma_model::wording::counted;
use groma_model::{Fp, PageId};
use groma_settings::Fault;
use groma_store::{ChangeKind, RunRow, Snapshot};
use serde::Serialize;

/// Rows of the log read at a time.
const STEP: usize = 10_000;

/// What became of a page.
#[derive(Clone, Debug, Serialize)]
pub struct Changed {
    /// Kind of change.
    pub change: &'static str,
    /// Of the page.
    pub url: String,
    /// How much of the text changed, in per cent.
    pub percent: Option<u8>,
    /// Where it moved to.
    pub to: Option<String>,
    /// Time of the change.
    pub at: String,
    /// Number of the run.
    pub run: u32,
    /// Why the page cannot be seen, as it stands now.
    pub reason: Option<&'static str>,
    /// What, as the log has it.
    #[serde(skip)]
    pub kind: ChangeKind,
}

/// What the log says of a page.
struct Happened {
    kind: ChangeKind,
    amount: u8,
    to: Option<PageId>,
    at: i64,
    run: u32,
}

/// The run that is meant: the one with this number, or the last that came to its end.
pub fn chosen(runs: &[RunRow], wanted: Option<u32>) -> Result<RunRow, Fault> {
    let run = match wanted {
        Some(number) => runs.iter().find(|run| run.id == number),
        None => runs.iter().rev().find(|run| run.ended.is_some()),
    };
    run.cloned().ok_or_else(|| match wanted {
        Some(number) => Fault::new(no_such_run(number), "`groma status` lists the runs"),
        None => Fault::new(
            "no crawl has finished yet",
            "run the same crawl command again: it goes on; `groma status` shows where it stands",
        ),
    })
}

/// What some runs changed, by kind and then by URL.
pub fn of_runs(store: &mut dyn Snapshot, runs: &RangeInclusive<u32>) -> Result<Vec<Changed>, Fault> {
    let changes = what_happened(store, runs)?;
    rows(store, changes)
}

/// How many changes of each kind every run has in the log, in the order of [`ChangeKind::ALL`]: rows of the log, so that a page
/// that moved without a word is counted as gone and as added.
pub fn counts(store: &mut dyn Snapshot) -> Result<BTreeMap<u32, [u64; ChangeKind::ALL.len()]>, Fault> {
    let mut counts: BTreeMap<u32, [u64; ChangeKind::ALL.len()]> = BTreeMap::new();
    each_change(store, &mut |change| {
        counts.entry(change.run).or_default()[change.kind as usize] += 1;
    })?;
    Ok(counts)
}

/// Everything the log has of one page, oldest first.
pub fn of_page(store: &mut dyn Snapshot, page: PageId) -> Result<Vec<Changed>, Fault> {
    let mut found = Vec::new();
    each_change(store, &mut |change| {
        if change.page == page {
            found.push(change.clone());
        }
    })?;
    let mut rows = Vec::with_capacity(found.len());
    for change in found {
        let happened =
            Happened { kind: change.kind, amount: change.amount, to: change.to, at: change.at, run: change.run };
        rows.extend(row(store, page, &happened)?);
    }
    Ok(rows)
}

fn each_change(store: &mut dyn Snapshot, call: &mut dyn FnMut(&groma_store::Change)) -> Result<(), Fault> {
    let mut after = 0;
    loop {
        let rows = store.changes(after, STEP)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.seq;
        rows.iter().for_each(&mut *call);
    }
}

/// The changes of some runs, taken together for each page.
fn what_happened(store: &mut dyn Snapshot, runs: &RangeInclusive<u32>) -> Result<BTreeMap<PageId, Happened>, Fault> {
    let mut changes = BTreeMap::new();
    each_change(store, &mut |change| {
        if !runs.contains(&change.run) {
            return;
        }
        let happened =
            Happened { kind: change.kind, amount: change.amount, to: change.to, at: change.at, run: change.run };
        let before = changes.get(&change.page).map(|before: &Happened| before.kind);
        // Found and then lost, or found to be another name of a page; lost and found again: nothing happened.
        let undone = match before {
            Some(ChangeKind::Added) => matches!(change.kind, ChangeKind::Moved | ChangeKind::Gone),
            Some(ChangeKind::Gone | ChangeKind::Unreachable | ChangeKind::Unknown) => change.kind == ChangeKind::Back,
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
    })?;
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

fn rows(store: &mut dyn Snapshot, changes: BTreeMap<PageId, Happened>) -> Result<Vec<Changed>, Fault> {
    // Where a page has moved to is no news of its own.
    let moved = changes.values().filter(|happened| happened.kind == ChangeKind::Moved);
    let targets: HashSet<PageId> = moved.filter_map(|happened| happened.to).collect();
    let mut rows = Vec::with_capacity(changes.len());
    for (page, happened) in changes {
        if happened.kind == ChangeKind::Added && targets.contains(&page) {
            continue;
        }
        rows.extend(row(store, page, &happened)?);
    }
    rows.sort_by(|a, b| (a.kind as u8, &a.url).cmp(&(b.kind as u8, &b.url)));
    Ok(rows)
}

fn row(store: &mut dyn Snapshot, page: PageId, happened: &Happened) -> Result<Option<Changed>, Fault> {
    let Some(address) = store.address(page)? else { return Ok(None) };
    let to = match happened.to {
        Some(to) => store.address(to)?.map(|row| row.url),
        None => None,
    };
    let unseen = matches!(happened.kind, ChangeKind::Unreachable | ChangeKind::Unknown);
    Ok(Some(Changed {
        change: happened.kind.name(),
        url: address.url,
        percent: (happened.kind == ChangeKind::Changed).then_some(happened.amount),
        to,
        at: rfc3339(happened.at),
        run: happened.run,
        reason: (unseen && address.reason.fault().is_some()).then(|| address.reason.name()),
        kind: happened.kind,
    }))
}

fn no_such_run(run: u32) -> String {
    format!("there is no run {run}")
}

/// Why a comparison of runs shows pages only.
pub fn runs_pages_only() -> &'static str {
    "the log of runs knows pages only; `groma update --keep` keeps what is needed to compare links, findings and structure"
}

/// A warning that one side of a comparison was not crawled to its end.
pub fn incomplete_side(which: &str, unread: u64) -> String {
    let pages = counted(unread, "page", "pages");
    format!("the {which} survey is not complete ({pages} known but not read): what is missing there may only be unread")
}
