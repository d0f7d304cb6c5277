//! Links of a page: rectangles with a URL, and the text that stands in them.
//!
//! Rectangles are kept by the rows of the page they reach into, so a glyph is compared with those of its own row only; a
//! row keeps `CROWD` of them, so that a page full of rectangles costs no more than its glyphs and its rectangles.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

use super::flow::{Gap, Place};
use super::line::{Line, Strong};
use super::objects::{self, resolved};

/// Height of a row, rows a rectangle reaches into at most, and rectangles of one row.
const ROW: f64 = 16.0;
const ROWS: i64 = 256;
const CROWD: usize = 64;
/// Bytes kept of a text.
const TEXT: usize = 600;

/// The links of one page.
#[derive(Debug, Default)]
pub(super) struct Rectangles {
    links: Vec<Link>,
    rows: HashMap<i64, Vec<usize>>,
}

#[derive(Debug)]
struct Link {
    address: String,
    sides: [f64; 4],
    /// Its finished lines, and the open one.
    text: String,
    line: Line,
}

impl Link {
    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.line.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(&self.line.take(Strong::default()));
    }
}

impl Rectangles {
    /// The links of a page.
    pub(super) fn read(document: &Document, page: &Dictionary, most: usize) -> Rectangles {
        let mut found = Rectangles::default();
        for annotation in objects::array(document, page, b"Annots").unwrap_or_default().iter().take(most) {
            let Ok(annotation) = resolved(document, annotation).as_dict() else { continue };
            let action = objects::dictionary(document, annotation, b"A");
            let action = action.filter(|action| objects::name(document, action, b"S") == Some(b"URI"));
            let Some(Object::String(address, _)) = action.and_then(|it| objects::get(document, it, b"URI")) else {
                continue;
            };
            let sides = objects::numbers(document, annotation, b"Rect");
            found.add(&String::from_utf8_lossy(address), &sides);
        }
        found
    }

    fn add(&mut self, address: &str, sides: &[f64]) {
        let sides = match *sides {
            [a, b, c, d] => [a.min(c), b.min(d), a.max(c), b.max(d)],
            _ => [0.0; 4],
        };
        let number = self.links.len();
        let (low, high) = ((sides[1] / ROW).floor() as i64, (sides[3] / ROW).floor() as i64);
        for row in low..=high.min(low.saturating_add(ROWS)) {
            let row = self.rows.entry(row).or_default();
            if row.len() < CROWD {
                row.push(number);
            }
        }
        self.links.push(Link { address: address.to_owned(), sides, text: String::new(), line: Line::default() });
    }

    /// A glyph, and what stands between it and the one before.
    pub(super) fn glyph(&mut self, text: &str, place: Place, gap: Gap) {
        let x = f64::midpoint(place.from.0, place.to.0);
        let y = f64::midpoint(place.from.1, place.to.1) + place.size / 4.0;
        let Some(row) = self.rows.get(&((y / ROW).floor() as i64)) else { return };
        for link in row {
            let Some(link) = self.links.get_mut(*link) else { continue };
            let [left, low, right, high] = link.sides;
            if left <= x && x <= right && low <= y && y <= high && link.text.len() + link.line.len() < TEXT {
                match gap {
                    Gap::None => {}
                    Gap::Space => link.line.space(),
                    Gap::Line | Gap::Paragraph => link.end_line(),
                }
                link.line.push(text, place);
            }
        }
    }

    /// URLs and texts in order. A link over several lines is several rectangles: those of one URL in a row are one.
    pub(super) fn finish(self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for mut link in self.links {
            link.end_line();
            match found.last_mut() {
                Some((address, text)) if *address == link.address => {
                    text.push(' ');
                    text.push_str(&link.text);
                }
                _ => found.push((link.address, link.text)),
            }
        }
        found
    }
}
