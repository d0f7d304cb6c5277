//! The head of the map: whose it is, of when, how large, how to read it, and what the reader must know.

use groma_model::wording;

use super::columns::{Columns, caption};
use super::entry::{SMALL, share_of_pages};
use super::ink::Ink;
use super::setting::{Case, Line, Weight};
use super::sheet::{Goal, LEFT, RIGHT, Sheet};
use crate::value::written;
use crate::{Field, Parts, SiteMap, Sort};

const NAME: f32 = 22.0;
const NOTE: f32 = 8.0;
/// The most lines a note gets, and the most notes.
const NOTE_LINES: usize = 3;
const NOTES: usize = 8;
/// The most layers in the chart; the rest are added up.
const LAYERS: u32 = 9;
/// Where the right half begins.
const HALF: f32 = LEFT + 290.0;

/// The head, set but not yet drawn: how high it is decides where everything else goes.
pub(super) struct Cover {
    name: Vec<Line>,
    root: Line,
    notes: Vec<Line>,
    layers: Vec<(String, u32)>,
    pub(super) end: f32,
}

impl Cover {
    pub(super) fn set(map: &SiteMap<'_>, shown: u32, case: &mut Case) -> Cover {
        let heading = &map.heading;
        let site = if heading.site.trim().is_empty() { &heading.root } else { &heading.site };
        let name = case.lines(site, Weight::Bold, NAME, RIGHT - LEFT, 2);
        let root = case.line(&heading.root, Weight::Book, 9.0, RIGHT - LEFT, "");
        let mut told: Vec<String> = heading.notes.iter().take(NOTES).cloned().collect();
        if heading.notes.len() > NOTES {
            told.push(format!("{} more notes are left out here.", heading.notes.len() - NOTES));
        }
        if map.tree.is_empty() {
            told.push("The map is empty: its root was not fetched, or nothing is in its scope.".into());
        }
        if let Some(depth) = map.depth.filter(|_| shown < map.tree.len()) {
            let folded = wording::grouped(u64::from(map.tree.len() - shown));
            told.push(format!("Folded below depth {depth}: {folded} pages are counted, not listed."));
        }
        let room = RIGHT - LEFT - 10.0;
        let notes: Vec<Line> =
            told.iter().flat_map(|note| case.lines(note, Weight::Book, NOTE, room, NOTE_LINES)).collect();
        let layers = layers(map);
        let chart = 26.0 + 10.5 * layers.len() as f32;
        let body = if map.tree.is_empty() { 8.0 } else { chart.max(98.0) };
        let above = 800.0 - 26.0 * name.len().max(1) as f32 - 80.0;
        let end = above - body - if notes.is_empty() { 0.0 } else { 6.0 + 11.0 * notes.len() as f32 };
        Cover { name, root, notes, layers, end }
    }

    pub(super) fn draw(&self, map: &SiteMap<'_>, columns: &Columns, case: &mut Case, sheet: &mut Sheet) {
        let heading = &map.heading;
        let mut y = 800.0;
        label(sheet, case, LEFT, y, "SITE MAP");
        for line in &self.name {
            y -= 26.0;
            sheet.text(LEFT, y, line, Ink::BLACK);
        }
        if self.name.is_empty() {
            y -= 26.0;
        }
        y -= 17.0;
        sheet.text(LEFT, y, &self.root, Ink::LINK);
        if let Some(goal) = Goal::web(&heading.root) {
            sheet.link(LEFT, y - 2.0, self.root.width, 11.0, goal);
        }
        y -= 12.0;
        sheet.strokes(&[[LEFT, y, RIGHT, y]], 0.8, Ink::BLACK);
        facts(map, case, sheet, y - 14.0);
        y -= 38.0;
        sheet.strokes(&[[LEFT, y, RIGHT, y]], 0.4, Ink::PALE);
        y -= 13.0;
        if !map.tree.is_empty() {
            legend(columns, case, sheet, y);
            self.layer_chart(case, sheet, y);
        }
        let mut y = self.end + 11.0 * self.notes.len() as f32 - 8.0;
        if !self.notes.is_empty() {
            sheet.fill(LEFT, self.end - 4.0, 2.0, 11.0 * self.notes.len() as f32 + 3.0, Ink::RANK);
        }
        for note in &self.notes {
            sheet.text(LEFT + 8.0, y, note, Ink::BLACK);
            y -= 11.0;
        }
    }

    fn layer_chart(&self, case: &mut Case, sheet: &mut Sheet, top: f32) {
        label(sheet, case, HALF, top, "PAGES BY DEPTH");
        let largest = self.layers.iter().map(|&(_, pages)| pages).max().unwrap_or(1).max(1);
        let mut y = top - 13.0;
        for (name, pages) in &self.layers {
            let name = case.line(name, Weight::Book, 7.0, 60.0, "");
            sheet.text_until(HALF + 34.0, y, &name, Ink::GREY);
            let share = *pages as f32 / largest as f32;
            sheet.fill(HALF + 38.0, y - 0.5, (130.0 * share).max(0.6), 6.0, Ink::BAR);
            let count = case.line(&wording::grouped(u64::from(*pages)), Weight::Book, 7.0, 60.0, "");
            sheet.text(HALF + 42.0 + 130.0 * share, y, &count, Ink::BLACK);
            y -= 10.5;
        }
    }
}

/// Pages of each layer, the deep ones added up.
fn layers(map: &SiteMap<'_>) -> Vec<(String, u32)> {
    let count = map.tree.layer_count();
    let one_by_one = if count <= LAYERS { count } else { LAYERS - 1 };
    let pages = |layer: u32| map.tree.layer(layer).len() as u32;
    let mut layers: Vec<(String, u32)> = (0..one_by_one).map(|layer| (layer.to_string(), pages(layer))).collect();
    if count > one_by_one {
        layers.push((format!("{one_by_one} to {}", count - 1), (one_by_one..count).map(pages).sum()));
    }
    layers
}

fn label(sheet: &mut Sheet, case: &mut Case, x: f32, y: f32, words: &str) {
    let line = case.line(words, Weight::Bold, SMALL, 200.0, "");
    sheet.text(x, y, &line, Ink::GREY);
}

/// Numbers and moments, side by side.
fn facts(map: &SiteMap<'_>, case: &mut Case, sheet: &mut Sheet, y: f32) {
    let heading = &map.heading;
    let minute =
        |seconds: i64| written(seconds).and_then(|text| Some(text.get(..16)?.replace('T', " "))).unwrap_or_default();
    let facts = [
        ("pages on the map", wording::grouped(u64::from(map.tree.len()))),
        ("depth", wording::grouped(u64::from(map.tree.layer_count().saturating_sub(1)))),
        ("not reached", wording::grouped(heading.unreached)),
        ("surveyed (UTC)", minute(heading.surveyed)),
        ("drawn (UTC)", minute(heading.drawn)),
        ("drawn by", heading.generator.clone()),
    ];
    let widths = [84.0, 54.0, 70.0, 102.0, 102.0, 99.0];
    let mut x = LEFT;
    for ((name, value), width) in facts.iter().zip(widths) {
        let value = case.line(value, Weight::Bold, 10.0, width - 8.0, "");
        let name = case.line(name, Weight::Book, 7.0, width - 8.0, "");
        sheet.text(x, y, &value, Ink::BLACK);
        sheet.text(x, y - 11.0, &name, Ink::GREY);
        x += width;
    }
}

/// How to read an entry.
fn legend(columns: &Columns, case: &mut Case, sheet: &mut Sheet, top: f32) {
    label(sheet, case, LEFT, top, "HOW TO READ IT");
    let mut y = top - 13.0;
    let tell = |sheet: &mut Sheet, case: &mut Case, y: f32, words: &str| {
        let line = case.line(words, Weight::Book, 7.0, HALF - LEFT - 70.0, "");
        sheet.text(LEFT + 58.0, y, &line, Ink::BLACK);
    };
    for column in &columns.bars {
        let words = match column.field {
            Field::Pages => {
                sheet.bar(LEFT, y, 48.0, 4.4, share_of_pages(60, 1000), Ink::BAR);
                format!("{}: how many stand at and below it, logarithmic", caption(Field::Pages))
            }
            Field::Rank => {
                sheet.bar(LEFT, y, 48.0, 4.4, 0.4, Ink::RANK);
                format!("{}: PageRank, 0.15 and up, logarithmic", caption(Field::Rank))
            }
            _ => {
                sheet.parts(LEFT, y, 48.0, 4.4, &Parts { bytes: [6, 5, 3, 4, 2, 2, 2], files: [1; 7] });
                format!("{}: shares of bytes, by sort of content", caption(Field::Parts))
            }
        };
        tell(sheet, case, y, &words);
        y -= 12.0;
    }
    if columns.bars.iter().any(|column| column.field == Field::Parts) {
        let mut x = LEFT;
        for sort in Sort::ALL {
            let name = case.line(sort.name(), Weight::Book, 7.0, 80.0, "");
            sheet.fill(x, y, 5.0, 5.0, Ink::for_sort(sort));
            sheet.text(x + 7.0, y, &name, Ink::BLACK);
            x += name.width + 16.0;
        }
        y -= 12.0;
        sheet.fill(LEFT, y, 48.0, 2.2, Ink::for_sort(Sort::Image));
        tell(sheet, case, y, "half as high: shares of files, sizes are not known");
        y -= 12.0;
    }
    let digits = case.line("14", Weight::Book, SMALL, 40.0, "");
    sheet.text_until(LEFT + 48.0, y, &digits, Ink::GREY);
    tell(sheet, case, y, "digits before a title: its depth, where it is too deep to indent");
}
