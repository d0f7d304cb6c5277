//! Links of a page: rectangles with an address, and the text that stands in them.
//!
//! Rectangles are kept by the rows of the page they reach into, so a glyph is compared with those of its own row only; a
//! row keeps `CROWD` of them, so that a page full of rectangles costs no more than its glyphs and its rectangles.

use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object};

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
    text: String,
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
        self.links.push(Link { address: address.to_owned(), sides, text: String::new() });
    }

    /// A glyph whose middle stands here; `apart` from the one before it.
    pub(super) fn glyph(&mut self, text: &str, (x, y): (f64, f64), apart: bool) {
        let Some(row) = self.rows.get(&((y / ROW).floor() as i64)) else { return };
        for link in row {
            let Some(link) = self.links.get_mut(*link) else { continue };
            let [left, low, right, high] = link.sides;
            if left <= x && x <= right && low <= y && y <= high && link.text.len() < TEXT {
                if apart && !link.text.is_empty() {
                    link.text.push(' ');
                }
                link.text.push_str(text);
            }
        }
    }

    /// Addresses and texts in order. A link over several lines is several rectangles: those of one address in a row are one.
    pub(super) fn finish(self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for link in self.links {
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
