//! Two runs of which copies were kept, compared in pages, links, findings and structure.

use groma_model::wording::grouped;
use groma_survey_graph::compare::{Difference, DifferenceKind, compare};
use groma_tasks::changes::{incomplete_side, runs_pages_only};

use crate::error::Problem;
use crate::pages::layout::short;
use crate::pages::shown::Shown;
use crate::sites::Site;

/// Differences of a kind that are shown; all are counted.
const SHOWN: usize = 50;

/// Differences between two runs, by kind.
pub(super) struct Compared {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) kinds: Vec<Kind>,
    pub(super) notes: Vec<String>,
}

/// Differences of a kind.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) count: String,
    pub(super) rows: Vec<ComparedRow>,
    pub(super) more: u64,
}

/// One page that differs.
pub(super) struct ComparedRow {
    pub(super) page: Shown,
    pub(super) to: Option<Shown>,
    pub(super) before: Option<Shown>,
    pub(super) detail: String,
}

/// Compares the survey after one run with that after another.
pub(super) fn read(site: &Site, from: u32, to: u32, newest: bool) -> Result<Compared, Problem> {
    let missing = || Problem::missing(runs_pages_only());
    let mut older = site.folder.read_kept(from)?.ok_or_else(missing)?;
    let mut newer = if newest { site.folder.read()? } else { site.folder.read_kept(to)?.ok_or_else(missing)? };
    let mut counts = vec![(0u64, Vec::new()); DifferenceKind::ALL.len()];
    let sides = compare(&mut older, &mut newer, &mut |difference| {
        let at = DifferenceKind::ALL.iter().position(|kind| *kind == difference.change).unwrap_or(0);
        let (count, rows) = &mut counts[at];
        *count += 1;
        if rows.len() < SHOWN {
            rows.push(difference.clone());
        }
        Ok(())
    })?;
    let row = |difference: &Difference| ComparedRow {
        page: Shown::address(&site.name, &difference.url),
        to: difference.to.as_deref().map(|to| Shown::address(&site.name, to)),
        before: difference.before.as_deref().map(|before| Shown::address(&site.name, before)),
        detail: short(&difference.detail, 160),
    };
    let kinds =
        DifferenceKind::ALL.iter().zip(&counts).filter(|(_, (count, _))| *count > 0).map(|(kind, (count, rows))| {
            Kind {
                name: kind.name(),
                count: grouped(*count),
                rows: rows.iter().map(row).collect(),
                more: count - rows.len() as u64,
            }
        });
    let mut notes = Vec::new();
    for (name, side) in [("older", &sides.a), ("newer", &sides.b)] {
        let unread = side.graph.unread();
        if unread > 0 || side.graph.horizon.is_some() {
            notes.push(incomplete_side(name, unread));
        }
    }
    Ok(Compared { from, to, kinds: kinds.collect(), notes })
}
