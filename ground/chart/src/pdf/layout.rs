//! On which sheet does a page of the site stand? Computed from the tree alone, so that the contents can be written first.
//!
//! Rule: every entry has the same height, so the n-th entry in reading order stands on sheet `first + n / entries a sheet`
//! (the first sheet of a flow may hold fewer). The contents and bookmarks are the pages below the root and the places with the
//! most pages below them, so many as fit; a parent has more below it than its child, so a chosen place has its parent chosen.
//! Source: ours. Cost: O(shown pages · log rows of contents); memory: the rows of the contents.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groma_graph::WalkStep;

use super::columns::Columns;
use crate::{SiteMap, View};

/// The most rows of contents and bookmarks: about four sheets.
pub(super) const MOST_CHOSEN: usize = 200;
/// The height of a row of contents.
pub(super) const CONTENTS_ROW: f32 = 13.0;
/// Where the first row of a sheet begins, and what is kept free at its end.
pub(super) const TOP: f32 = 780.0;
pub(super) const BOTTOM: f32 = 46.0;
/// Room for a headline above the first row of a flow that begins below something else.
pub(super) const HEADLINE: f32 = 30.0;
/// Fewer rows than this are not begun at the end of a sheet.
const FEWEST: u32 = 4;

/// Rows of equal height that run over sheets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flow {
    /// The sheet it begins on, counted from 0.
    pub(super) sheet: u32,
    /// Where its first row begins.
    top: f32,
    /// How many rows fit on its first sheet, and on each one after.
    first: u32,
    each: u32,
    row: f32,
    rows: u32,
}

impl Flow {
    /// Rows that begin at this height of this sheet, or on the next one if too little room is left.
    fn new(sheet: u32, top: f32, row: f32, rows: u32) -> Flow {
        let fitting = |top: f32| ((top - BOTTOM) / row).max(0.0) as u32;
        let each = fitting(TOP).max(1);
        if fitting(top) < rows.min(FEWEST) {
            return Flow { sheet: sheet + 1, top: TOP, first: each, each, row, rows };
        }
        Flow { sheet, top, first: fitting(top), each, row, rows }
    }

    /// The sheet of a row, counted from 0.
    pub(super) fn sheet_of(&self, row: u32) -> u32 {
        if row < self.first { self.sheet } else { self.sheet + 1 + (row - self.first) / self.each }
    }

    /// The height at which a row begins.
    pub(super) fn top_of(&self, row: u32) -> f32 {
        let (top, before) = if row < self.first { (self.top, row) } else { (TOP, (row - self.first) % self.each) };
        top - before as f32 * self.row
    }

    /// The rows on a sheet.
    pub(super) fn rows_on(&self, sheet: u32) -> std::ops::Range<u32> {
        let begin = |sheet: u32| match sheet.checked_sub(self.sheet) {
            None | Some(0) => 0,
            Some(after) => self.first.saturating_add((after - 1).saturating_mul(self.each)),
        };
        begin(sheet).min(self.rows)..begin(sheet.saturating_add(1)).min(self.rows).max(begin(sheet).min(self.rows))
    }

    /// The first sheet after it.
    fn after(&self) -> u32 {
        if self.rows == 0 { self.sheet } else { self.sheet_of(self.rows - 1) + 1 }
    }
}

/// A place that stands in the contents and has a bookmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) place: u32,
    pub(super) depth: u32,
    /// Which entry it is, in reading order.
    pub(super) entry: u32,
}

/// Which entries and sheets there are, before anything is written.
pub(super) struct Layout {
    pub(super) columns: Columns,
    pub(super) chosen: Vec<Chosen>,
    /// Some of the tree is left out of the contents.
    pub(super) partial: bool,
    /// The contents, unless the whole map is so short that they would be no help.
    pub(super) contents: Option<Flow>,
    pub(super) entries: Flow,
    pub(super) sheets: u32,
}

impl Layout {
    /// Lays out a map whose cover ends at this height of the first sheet.
    pub(super) fn new(map: &SiteMap<'_>, shown: View<'_>, cover_end: f32) -> Layout {
        let columns = Columns::from_fields(&map.fields);
        let count = if map.tree.is_empty() { 0 } else { shown.shown_count() };
        let (chosen, below) = (choose(map, shown), cover_end - HEADLINE);
        let short = Flow::new(0, below, columns.row, count);
        let contents = (short.after() > 2).then(|| Flow::new(0, below, CONTENTS_ROW, chosen.len() as u32));
        let entries = contents.map_or(short, |contents| Flow::new(contents.after(), TOP, columns.row, count));
        let partial = (chosen.len() as u32) < count;
        Layout { columns, chosen, partial, contents, entries, sheets: entries.after().max(1) }
    }
}

/// What is chosen first: what has most below it; among equals what comes first. A leaf is chosen right below the root only.
fn weight(map: &SiteMap<'_>, place: u32, depth: u32) -> Option<(u32, Reverse<u32>)> {
    (depth < 2 || map.pages(place) > 1).then(|| (map.pages(place), Reverse(place)))
}

/// The places of contents and bookmarks, in reading order.
fn choose(map: &SiteMap<'_>, shown: View<'_>) -> Vec<Chosen> {
    let mut heaviest = BinaryHeap::new();
    read(shown, |place, depth, _| {
        if let Some(weight) = weight(map, place, depth) {
            heaviest.push(Reverse(weight));
            if heaviest.len() > MOST_CHOSEN {
                heaviest.pop();
            }
        }
    });
    let least = heaviest.peek().map(|Reverse(least)| *least);
    let mut chosen = Vec::new();
    read(shown, |place, depth, entry| {
        if weight(map, place, depth) >= least && weight(map, place, depth).is_some() {
            chosen.push(Chosen { place, depth, entry });
        }
    });
    chosen
}

/// Goes through the shown places: place, depth, and which entry it is.
fn read(shown: View<'_>, mut visit: impl FnMut(u32, u32, u32)) {
    let (mut depth, mut entry) = (0, 0);
    for step in shown.walk() {
        match step {
            WalkStep::Enter(place) => {
                visit(place, depth, entry);
                depth += 1;
                entry += 1;
            }
            WalkStep::Leave(_) => depth -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_of_a_flow_follow_each_other_without_gaps(top in 0.0f32..780.0, row in 10.0f32..60.0, rows in 0u32..5_000) {
            let flow = Flow::new(3, top, row, rows);
            let mut next = 0;
            for sheet in 0..flow.after() {
                let here = flow.rows_on(sheet);
                prop_assert!(here.start == next || here.is_empty());
                for row in here.clone() {
                    prop_assert_eq!(flow.sheet_of(row), sheet);
                    prop_assert!(flow.top_of(row) <= TOP && flow.top_of(row) - flow.row >= BOTTOM - 0.1);
                    prop_assert!(row == here.start || flow.top_of(row) < flow.top_of(row - 1));
                }
                next = next.max(here.end);
            }
            prop_assert_eq!(next, rows);
        }
    }

    proptest! {
        #[test]
        fn whoever_is_chosen_has_a_chosen_parent_and_the_largest_are_chosen(steps in prop::collection::vec(0u32..3, 0..1_500)) {
            let tree = super::super::read_back::tree(&steps);
            let map = SiteMap::new(crate::Heading::default(), &tree);
            let shown = View::select(&tree, &map.sizes, None, None);
            let chosen = choose(&map, shown);
            let is_chosen = |place: u32| chosen.iter().any(|chosen| chosen.place == place);
            prop_assert!(is_chosen(0) && chosen.len() <= MOST_CHOSEN);
            prop_assert!(chosen.iter().all(|chosen| tree.parent(chosen.place).is_none_or(is_chosen)));
            let least = chosen.iter().map(|chosen| map.pages(chosen.place)).min().unwrap_or(0);
            if chosen.len() == MOST_CHOSEN {
                prop_assert!((0..tree.len()).all(|place| map.pages(place) <= least || is_chosen(place)));
            } else {
                prop_assert!((0..tree.len()).all(|place| map.pages(place) == 1 || is_chosen(place)));
            }
        }
    }

    #[test]
    fn a_flow_without_rows_takes_no_sheet() {
        let flow = Flow::new(0, 300.0, 20.0, 0);
        assert_eq!((flow.after(), flow.rows_on(0)), (0, 0..0));
    }
}
