//! From glyphs at places to words, lines and paragraphs.
//!
//! In the order of the content stream, which is the order writers write in. Let s be the size of the text, d the gap
//! between the end of a glyph and the start of the next along the line, h the distance of their base lines:
//! h > s/2 or another direction: a new line; d above s/10 or below -s: a space. A line goes on with the paragraph above it
//! unless it lies above that one, more than 1.75 sizes below it, or is set in another size (a fifth more or less). A hyphen
//! at the end of a line in front of a small letter joins; between two ideographs there is no space. What a line says is told
//! by [`Line`], which knows of scripts that run from right to left.
//!
//! Not guaranteed: columns of a table are read row by row or column by column as they were written.

use super::line::{Line, Strong};

/// Where a glyph stands, in the space of the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    /// Height of the letters.
    pub(super) size: f64,
}

impl Place {
    /// The direction of a glyph, of length one; to the right if it has no width.
    pub(super) fn way(&self) -> (f64, f64) {
        let (x, y) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let length = x.hypot(y);
        if length > 1e-6 && length.is_finite() { (x / length, y / length) } else { (1.0, 0.0) }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Paragraph {
    pub(super) text: String,
    pub(super) size: f64,
    pub(super) page: u32,
}

/// Puts glyphs together to words, lines and paragraphs.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) done: Vec<Paragraph>,
    open: Paragraph,
    /// The letters of the open paragraph, without its last line.
    strong: Strong,
    line: Line,
    last: Option<Place>,
    page: u32,
    bytes: usize,
}

/// What stands between two glyphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Space,
    Line,
    Paragraph,
}

impl Flow {
    /// Bytes of text so far.
    pub(super) fn len(&self) -> usize {
        self.bytes + self.line.len()
    }

    /// A new page begins.
    pub(super) fn page(&mut self, number: u32) {
        self.flush();
        self.page = number;
        self.last = None;
    }

    /// A glyph. Says what stands between it and the one before.
    pub(super) fn glyph(&mut self, text: &str, place: Place) -> Gap {
        let is_blank = text.chars().all(char::is_whitespace);
        let gap = if is_blank { Gap::None } else { self.gap(place) };
        match gap {
            Gap::None => {}
            Gap::Space => self.line.space(),
            Gap::Line => self.end_line(),
            Gap::Paragraph => self.flush(),
        }
        if self.line.is_full() {
            self.end_line();
        }
        if is_blank {
            self.line.push(text, place);
            // A space has no place of its own: the gap to what follows is measured from its end only on the same line.
            if let Some(last) = &mut self.last
                && across(last, place.from).abs() <= last.size / 2.0
            {
                last.to = place.to;
            }
            return Gap::Space;
        }
        if self.open.text.is_empty() && self.line.is_empty() {
            (self.open.size, self.open.page) = (place.size, self.page);
        }
        let is_accent = self.line.push(text, place);
        self.last = self.last.filter(|_| is_accent).or(Some(place));
        gap
    }

    fn gap(&self, place: Place) -> Gap {
        let Some(last) = self.last else { return Gap::None };
        let size = last.size.max(place.size).max(0.1);
        let away = across(&last, place.from);
        if away.abs() > size / 2.0 || turned(&last, &place) {
            let below = -away;
            let same = place.size < last.size * 1.2 && last.size < place.size * 1.2;
            return if same && below > 0.0 && below <= 1.75 * size { Gap::Line } else { Gap::Paragraph };
        }
        let gap = along(&last, place.from);
        if gap > 0.1 * size || gap < -size { Gap::Space } else { Gap::None }
    }

    /// The open line goes to the end of the open paragraph.
    fn end_line(&mut self) {
        let strong = self.line.strong();
        let next = self.line.take(self.strong);
        self.strong.add(strong);
        let next = next.trim();
        let Some(first) = next.chars().next() else { return };
        let text = &mut self.open.text;
        let mut before = text.chars().rev();
        let (hyphen, letter) = (before.next(), before.next());
        let is_cut = matches!(hyphen, Some('-' | '\u{ad}' | '\u{2010}')) && letter.is_some_and(char::is_alphabetic);
        if is_cut && first.is_lowercase() {
            text.pop();
        } else if hyphen.is_some() && !(hyphen.is_some_and(is_ideograph) && is_ideograph(first)) {
            text.push(' ');
        }
        text.push_str(next);
        // What was printed twice counts once: it is counted when that is known.
        self.bytes += next.len();
    }

    /// The open paragraph ends.
    pub(super) fn flush(&mut self) {
        self.end_line();
        self.strong = Strong::default();
        let done = std::mem::take(&mut self.open);
        if !done.text.is_empty() {
            self.done.push(done);
        }
    }
}

fn along(last: &Place, point: (f64, f64)) -> f64 {
    let (x, y) = last.way();
    (point.0 - last.to.0) * x + (point.1 - last.to.1) * y
}

fn across(last: &Place, point: (f64, f64)) -> f64 {
    let (x, y) = last.way();
    (point.1 - last.to.1) * x - (point.0 - last.to.0) * y
}

fn turned(last: &Place, place: &Place) -> bool {
    let ((a, b), (c, d)) = (last.way(), place.way());
    a * c + b * d < 0.5
}

/// Written without spaces between words.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(lines: &[(&str, f64, f64, f64)]) -> Vec<String> {
        let mut flow = Flow::default();
        flow.page(1);
        for (text, x, y, size) in lines {
            for (at, c) in text.chars().enumerate() {
                let x = x + at as f64 * size / 2.0;
                flow.glyph(&c.to_string(), Place { from: (x, *y), to: (x + size / 2.0, *y), size: *size });
            }
        }
        flow.flush();
        flow.done.into_iter().map(|paragraph| paragraph.text).collect()
    }

    #[test]
    fn gaps_make_words_lines_and_paragraphs() {
        let two = [("Hel", 0.0, 100.0, 10.0), ("lo", 15.2, 100.0, 10.0), ("you", 28.0, 100.0, 10.0)];
        assert_eq!(flow(&two), ["Hello you"]);
        assert_eq!(
            flow(&[("one", 0.0, 100.0, 10.0), ("two", 0.0, 88.0, 10.0), ("three", 0.0, 60.0, 10.0)]),
            ["one two", "three"]
        );
        assert_eq!(flow(&[("Head", 0.0, 100.0, 20.0), ("text", 0.0, 85.0, 10.0)]), ["Head", "text"]);
        assert_eq!(flow(&[("contin-", 0.0, 100.0, 10.0), ("ued", 0.0, 88.0, 10.0)]), ["continued"]);
        assert_eq!(flow(&[("\u{6f22}", 0.0, 100.0, 10.0), ("\u{5b57}", 0.0, 88.0, 10.0)]), ["\u{6f22}\u{5b57}"]);
        assert_eq!(flow(&[("a", 0.0, 100.0, 10.0), (" ", 5.0, 100.0, 10.0), ("b", 10.0, 100.0, 10.0)]), ["a b"]);
    }
}
