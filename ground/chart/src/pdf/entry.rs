//! An entry of the map: title, URL, bars, chart of parts, small values, and the lines that lead to it.

use groma_model::wording;

use super::columns::{Column, Columns, DEEPEST, STEP, indent, small};
use super::ink::Ink;
use super::script::clean;
use super::setting::{Case, Weight};
use super::sheet::{Goal, LEFT, RIGHT, Sheet};
use crate::{Field, Label};

pub(super) const TITLE: f32 = 8.2;
pub(super) const SMALL: f32 = 6.2;
/// From the top of an entry to its first and second line, and to the middle of the first.
const FIRST: f32 = 9.4;
const SECOND: f32 = 17.6;
const MIDDLE: f32 = 6.6;

/// What the tree knows of an entry.
pub(super) struct Entry<'a> {
    pub(super) depth: u32,
    /// For each layer from 1 on: does a sibling of the one who stands there follow?
    pub(super) follows: &'a [bool],
    /// Pages at and below it, on the whole map, and folded behind it.
    pub(super) pages: u32,
    pub(super) all: u32,
    pub(super) folded: u32,
}

/// Draws an entry from this height down.
pub(super) fn draw(sheet: &mut Sheet, case: &mut Case, columns: &Columns, entry: &Entry<'_>, label: &Label, top: f32) {
    guide(sheet, entry, top, columns.row);
    let (mut x, deep) = indent(entry.depth);
    if deep {
        let digits = case.line(&entry.depth.to_string(), Weight::Book, SMALL, 40.0, "");
        sheet.text(x, top - FIRST, &digits, Ink::GREY);
        x += digits.width + 3.0;
    }
    let mut end = columns.text_end;
    let goal = Goal::web(&label.url);
    if entry.folded > 0 {
        let words = format!("+ {} folded", wording::grouped(u64::from(entry.folded)));
        let folded = case.line(&words, Weight::Book, SMALL, 90.0, "");
        end -= folded.width + 5.0;
        sheet.text_until(columns.text_end, top - FIRST, &folded, Ink::GREY);
    }
    let (name, ink) = name(label, columns.title);
    let weight = if entry.depth < 2 { Weight::Bold } else { Weight::Book };
    let line = case.line(&name, weight, TITLE, end - x, &label.language);
    sheet.text(x, top - FIRST, &line, ink);
    if let Some(goal) = &goal {
        sheet.link(x, top - FIRST - 2.0, line.width, TITLE + 1.5, goal.clone());
    }
    if columns.address {
        let beside = if columns.beside.is_empty() { RIGHT } else { columns.text_end };
        let address = case.line(&label.url, Weight::Book, SMALL, beside - x, "");
        sheet.text(x, top - SECOND, &address, Ink::LINK);
        if let Some(goal) = goal {
            sheet.link(x, top - SECOND - 1.5, address.width, SMALL + 1.0, goal);
        }
    }
    for column in &columns.bars {
        value(sheet, case, column, entry, label, top - FIRST);
    }
    if !columns.beside.is_empty() {
        let start = columns.bars.first().map_or(columns.text_end, |column| column.start);
        values(sheet, case, &columns.beside, label, entry.depth, (start, top - SECOND));
    }
    let under = if columns.address { SECOND } else { FIRST };
    for (fields, lines) in columns.below.iter().zip(1u8..) {
        values(sheet, case, fields, label, entry.depth, (x, top - under - 8.0 * f32::from(lines)));
    }
}

/// The words on the first line. A page without a title is called by the end of its URL, in gray.
fn name(label: &Label, title: bool) -> (String, Ink) {
    match (title, called(label)) {
        (true, name) if clean(&label.title).next().is_some() => (name, Ink::BLACK),
        (true, name) => (name, Ink::GREY),
        (false, _) => (label.url.clone(), Ink::LINK),
    }
}

/// What an entry is called where only words can be: in the contents, the running heads and the bookmarks.
pub(super) fn called(label: &Label) -> String {
    crate::name::display_name(label)
}

/// The lines from the entry above and to the one below.
fn guide(sheet: &mut Sheet, entry: &Entry<'_>, top: f32, row: f32) {
    let mut strokes = Vec::new();
    let own = entry.depth.min(DEEPEST);
    for (layer, &follows) in (1..=own).zip(entry.follows) {
        let x = LEFT + STEP * (layer - 1) as f32 + 3.0;
        // An entry below the deepest indentation has no branch of its own to be drawn: its depth stands in digits.
        let is_own = layer == own && entry.depth <= DEEPEST;
        if follows {
            strokes.push([x, top, x, top - row]);
        } else if is_own {
            strokes.push([x, top, x, top - MIDDLE]);
        }
        if is_own {
            strokes.push([x, top - MIDDLE, x + STEP - 5.0, top - MIDDLE]);
        }
    }
    sheet.strokes(&strokes, 0.5, Ink::PALE);
}

/// A number and its bar.
fn value(sheet: &mut Sheet, case: &mut Case, column: &Column, entry: &Entry<'_>, label: &Label, base: f32) {
    let (bar, width, height) = (column.bar, column.bar_width, 4.4);
    let words = match column.field {
        // A page with nothing below needs no digit to say so.
        Field::Pages if entry.pages < 2 => return,
        Field::Pages => {
            sheet.bar(bar, base, width, height, share_of_pages(entry.pages, entry.all), Ink::BAR);
            wording::grouped(u64::from(entry.pages))
        }
        Field::Rank => {
            sheet.bar(bar, base, width, height, share_of_rank(label.rank, entry.all), Ink::RANK);
            if label.rank.is_finite() { rank(label.rank) } else { String::new() }
        }
        _ if label.parts.is_empty() => return,
        _ => {
            sheet.parts(bar, base, width, height, &label.parts);
            let files: u64 = label.parts.files.iter().map(|&files| u64::from(files)).sum();
            match label.parts.total() {
                0 if files == 1 => "1 file".into(),
                0 => format!("{} files", wording::grouped(files)),
                bytes => wording::size(bytes),
            }
        }
    };
    let number = case.line(&words, Weight::Book, SMALL, column.number_end - column.start, "");
    sheet.text_until(column.number_end, base, &number, Ink::GREY);
}

/// Three digits that say something: 0.15, 3.42, 27.1, 1,204.
fn rank(rank: f64) -> String {
    match rank {
        ..10.0 => format!("{rank:.2}"),
        10.0..100.0 => format!("{rank:.1}"),
        _ => wording::grouped(rank as u64),
    }
}

/// The length of the bar of pages: logarithmic, full for the whole map, empty for a page with nothing below.
pub(super) fn share_of_pages(pages: u32, all: u32) -> f32 {
    if all < 2 { 0.0 } else { f64::from(pages.max(1)).ln() as f32 / f64::from(all).ln() as f32 }
}

/// The length of the bar of rank: logarithmic, from the least a page can have (0.15) to the most, all that a map this large has.
fn share_of_rank(rank: f64, all: u32) -> f32 {
    let most = (f64::from(all.max(2)) / 0.15).ln();
    let share = (rank / 0.15).max(1.0).ln() / most;
    if share.is_finite() { share as f32 } else { 0.0 }
}

/// Small values in a row, what is broken in its own color.
fn values(sheet: &mut Sheet, case: &mut Case, fields: &[Field], label: &Label, depth: u32, (mut x, y): (f32, f32)) {
    let mut between = "";
    for &field in fields {
        let words = small(field, label, depth);
        if words.is_empty() {
            continue;
        }
        let line = case.line(&format!("{between}{words}"), Weight::Book, SMALL, RIGHT - x, "");
        sheet.text(x, y, &line, if field == Field::Broken { Ink::BROKEN } else { Ink::GREY });
        if line.cut {
            return;
        }
        x += line.width + 2.0;
        between = "· ";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_between_nothing_and_all() {
        assert_eq!((share_of_pages(1, 1000), share_of_pages(1000, 1000), share_of_pages(1, 1)), (0.0, 1.0, 0.0));
        for rank in [f64::NAN, f64::INFINITY, -3.0, 0.0, 0.15, 1e300] {
            assert!((0.0..1000.0).contains(&share_of_rank(rank, 10)), "{rank}");
        }
        assert_eq!([rank(0.15), rank(27.13), rank(1204.7), rank(1e300)].map(|words| words.len()), [4, 4, 5, 26]);
    }
}
