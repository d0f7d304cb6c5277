//! The contents: the first layers of the map with the sheets they stand on. And what stands at the head and foot of sheets.

use std::io;

use groma_model::wording;

use super::columns::{Columns, caption};
use super::entry::{SMALL, called};
use super::ink::Ink;
use super::layout::{CONTENTS_ROW, Chosen, Layout, TOP};
use super::setting::{Case, Weight};
use super::sheet::{Goal, LEFT, RIGHT, Sheet};
use crate::{Label, Labels, SiteMap};

/// The most steps of a way that a running head shows: the root, the first, and the last ones.
const STEPS: usize = 4;

/// Draws a row of the contents.
pub(super) fn row(
    sheet: &mut Sheet,
    case: &mut Case,
    layout: &Layout,
    chosen: Chosen,
    pages: u32,
    label: &Label,
    top: f32,
) {
    let base = top - 9.5;
    let x = LEFT + 12.0 * chosen.depth.min(12) as f32;
    let weight = if chosen.depth < 2 { Weight::Bold } else { Weight::Book };
    let on = layout.entries.sheet_of(chosen.entry);
    let number = case.line(&(on + 1).to_string(), weight, 8.2, 40.0, "");
    let count = case.line(&wording::grouped(u64::from(pages)), Weight::Book, SMALL, 50.0, "");
    let name = case.line(&called(label), weight, 8.2, RIGHT - 90.0 - x, &label.language);
    sheet.text(x, base, &name, Ink::BLACK);
    sheet.leader(x + name.width + 3.0, RIGHT - 32.0 - count.width, base + 0.6);
    sheet.text_until(RIGHT - 28.0, base, &count, Ink::GREY);
    sheet.text_until(RIGHT, base, &number, Ink::BLACK);
    let goal = Goal::Sheet(on, layout.entries.top_of(chosen.entry) + 4.0);
    sheet.link(x, top - CONTENTS_ROW, RIGHT - x, CONTENTS_ROW, goal);
}

/// The headline above the first row, at this height.
pub(super) fn headline(sheet: &mut Sheet, case: &mut Case, layout: &Layout, top: f32) {
    let words = case.line("Contents", Weight::Bold, 11.0, 200.0, "");
    sheet.text(LEFT, top + 7.0, &words, Ink::BLACK);
    if layout.partial {
        let told = case.line("the largest branches", Weight::Book, 7.0, 300.0, "");
        sheet.text(LEFT + words.width + 8.0, top + 7.0, &told, Ink::GREY);
    }
    for (x, caption) in [(RIGHT - 28.0, "pages"), (RIGHT, "sheet")] {
        let caption = case.line(caption, Weight::Book, 5.6, 60.0, "");
        sheet.text_until(x, top + 7.0, &caption, Ink::GREY);
    }
    sheet.strokes(&[[LEFT, top + 3.0, RIGHT, top + 3.0]], 0.4, Ink::PALE);
}

/// The names of the columns above the first entry, at this height.
pub(super) fn captions(sheet: &mut Sheet, case: &mut Case, columns: &Columns, top: f32) {
    for column in &columns.bars {
        let words = case.line(caption(column.field), Weight::Book, 5.6, 80.0, "");
        sheet.text_until(column.bar + column.bar_width, top + 4.0, &words, Ink::GREY);
    }
}

/// The running head: some words at the left, and a line below.
pub(super) fn head(sheet: &mut Sheet, case: &mut Case, words: &[String]) {
    let mut x = LEFT;
    let room = (RIGHT - LEFT) / STEPS as f32 - 10.0;
    for (at, step) in words.iter().enumerate() {
        if at > 0 {
            let arrow = case.line("›", Weight::Book, 7.0, 20.0, "");
            sheet.text(x + 3.0, TOP + 22.0, &arrow, Ink::PALE);
            x += arrow.width + 6.0;
        }
        let line = case.line(step, Weight::Book, 7.0, room, "");
        sheet.text(x, TOP + 22.0, &line, Ink::GREY);
        x += line.width;
    }
    sheet.strokes(&[[LEFT, TOP + 17.0, RIGHT, TOP + 17.0]], 0.4, Ink::PALE);
}

/// The foot: the site and the number of the sheet.
pub(super) fn foot(sheet: &mut Sheet, case: &mut Case, site: &str, number: u32, sheets: u32) {
    let number = case.line(&format!("{} / {sheets}", number + 1), Weight::Book, 7.0, 100.0, "");
    sheet.text_until(RIGHT, 28.0, &number, Ink::GREY);
    let site = case.line(site, Weight::Book, 7.0, 300.0, "");
    sheet.text(LEFT, 28.0, &site, Ink::GREY);
}

/// The way from the root to what is above a place, in few words: the root, the step after it, and the last two. `first` is the
/// place of the step after the root.
pub(super) fn way(map: &SiteMap<'_>, labels: &mut dyn Labels, place: u32, first: u32) -> io::Result<Vec<String>> {
    let mut near = Vec::new();
    let mut next = map.tree.parent(place);
    while let Some(parent) = next.filter(|_| near.len() < STEPS) {
        near.push(parent);
        next = map.tree.parent(parent);
    }
    near.reverse();
    let far = near.first().is_some_and(|&place| place != 0);
    if far {
        near[0] = 0;
        near[1] = first;
    }
    let mut words = Vec::new();
    for (at, &place) in near.iter().enumerate() {
        if far && at == 2 && map.tree.parent(place) != Some(first) {
            words.push("…".to_owned());
        }
        words.push(called(&labels.label(map.tree.node(place))?));
    }
    Ok(words)
}
