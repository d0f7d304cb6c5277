//! The runs as a picture: a column for each, what it changed stacked by kind.

use std::collections::BTreeMap;

use groma_model::wording::grouped;
use groma_store::{ChangeKind, RunRow};

use crate::pages::shown::{day, minute};

/// Runs shown; of more, the last.
const RUNS: usize = 60;
const WIDE: f64 = 900.0;
const HIGH: f64 = 150.0;

/// Changes of each run, as a picture.
pub(super) struct Timeline {
    pub(super) columns: Vec<Column>,
    pub(super) legend: Vec<(&'static str, &'static str)>,
    /// The highest column stands for so many changes.
    pub(super) most: String,
    /// Runs before the first column.
    pub(super) earlier: usize,
    pub(super) first_day: String,
    pub(super) last_day: String,
}

/// The changes of one run.
pub(super) struct Column {
    pub(super) href: String,
    pub(super) tip: String,
    pub(super) x: String,
    pub(super) width: String,
    pub(super) on: bool,
    pub(super) parts: Vec<Part>,
}

/// What it changed, of one kind.
pub(super) struct Part {
    pub(super) class: &'static str,
    pub(super) y: String,
    pub(super) height: String,
}

impl Timeline {
    /// Of these runs; nothing if there is only one. The pages of the first crawl are all new: it would make all others look
    /// like nothing, so it is left out of the picture's height.
    pub(super) fn draw(
        runs: &[RunRow],
        counts: &BTreeMap<u32, [u64; ChangeKind::ALL.len()]>,
        on: Option<u32>,
        href: &dyn Fn(u32) -> String,
    ) -> Option<Timeline> {
        if runs.len() < 2 {
            return None;
        }
        let shown = &runs[runs.len().saturating_sub(RUNS)..];
        let sum = |run: &RunRow| counts.get(&run.id).map_or(0, |counts| counts.iter().sum::<u64>());
        let most = shown.iter().filter(|run| run.id > 1).map(sum).max().unwrap_or(0).max(1);
        let step = WIDE / shown.len() as f64;
        let width = (step - 4.0).clamp(2.0, 60.0);
        let columns = shown.iter().enumerate().map(|(at, run)| {
            let counts = counts.get(&run.id).copied().unwrap_or_default();
            let scale = (HIGH / most as f64).min(HIGH / sum(run).max(1) as f64);
            let (mut y, mut parts, mut told) = (HIGH, Vec::new(), Vec::new());
            for (kind, count) in ChangeKind::ALL.iter().zip(counts).filter(|(_, count)| *count > 0) {
                let height = (count as f64 * scale).max(1.0);
                y -= height;
                parts.push(Part { class: class(*kind), y: format!("{y:.1}"), height: format!("{height:.1}") });
                told.push(format!("{} {}", grouped(count), kind.name()));
            }
            let told = if told.is_empty() { "nothing changed".to_owned() } else { told.join(", ") };
            Column {
                href: href(run.id),
                tip: format!("run {} ({}, {}): {told}", run.id, run.kind, minute(run.started)),
                x: format!("{:.1}", at as f64 * step + (step - width) / 2.0),
                width: format!("{width:.1}"),
                on: Some(run.id) == on,
                parts,
            }
        });
        Some(Timeline {
            columns: columns.collect(),
            legend: ChangeKind::ALL.iter().map(|kind| (class(*kind), kind.name())).collect(),
            most: grouped(most),
            earlier: runs.len() - shown.len(),
            first_day: shown.first().map(|run| day(run.started)).unwrap_or_default(),
            last_day: shown.last().map(|run| day(run.started)).unwrap_or_default(),
        })
    }
}

/// The class of a kind of change in the style sheet.
pub(super) fn class(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "c0",
        ChangeKind::Changed => "c1",
        ChangeKind::Moved => "c3",
        ChangeKind::Gone => "s-broken",
        ChangeKind::Unreachable => "c2",
        ChangeKind::Back => "c4",
        ChangeKind::Unknown => "c6",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(id: u32) -> RunRow {
        RunRow { id, kind: "update".into(), started: i64::from(id) * 86_400, ended: Some(0), outcome: String::new() }
    }

    #[test]
    fn columns_are_as_high_as_what_changed_and_the_first_crawl_does_not_dwarf_them() {
        let counts = BTreeMap::from([(1, [5_000, 0, 0, 0, 0, 0, 0]), (2, [0, 10, 0, 10, 0, 0, 0]), (3, [0; 7])]);
        let runs = [run(1), run(2), run(3)];
        let picture = Timeline::draw(&runs, &counts, Some(2), &|run| format!("?run={run}")).unwrap();
        assert_eq!((picture.most.as_str(), picture.earlier), ("20", 0));
        let heights: Vec<f64> = picture
            .columns
            .iter()
            .map(|column| column.parts.iter().map(|part| part.height.parse::<f64>().unwrap()).sum())
            .collect();
        assert_eq!(heights, [HIGH, HIGH, 0.0]);
        assert!(picture.columns[1].on && picture.columns[1].tip.ends_with("10 gone, 10 changed"));
        assert!(picture.columns[2].tip.ends_with("nothing changed"));
        assert!(Timeline::draw(&runs[..1], &counts, None, &|_| String::new()).is_none());
    }

    #[test]
    fn only_the_last_runs_are_drawn_and_the_others_counted() {
        let runs: Vec<RunRow> = (1..=100).map(run).collect();
        let picture = Timeline::draw(&runs, &BTreeMap::new(), None, &|_| String::new()).unwrap();
        assert_eq!((picture.columns.len(), picture.earlier), (RUNS, 40));
    }
}
