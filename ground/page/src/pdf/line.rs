//! One line of glyphs as text, in the order in which it is read.
//!
//! From left to right that is the order of the content stream. A line with letters of a script that runs from right to left
//! (Hebrew, Arabic, ...) is set anew by its places, since writers put such glyphs down in either order: glyphs are sorted along
//! the line (marks stay with the letter they stand over, what is printed twice at one place counts once), a gap of more than
//! a tenth of the size is a space, and nothing else is (the joiner of Persian is a space that is gone back over), and what is seen is turned into what is read by the Unicode Bidirectional Algorithm
//! (UAX 9). That one maps what is read to what is seen; applied to what is seen, its last step (L2, runs of a level are
//! reversed) leads back, since it undoes itself where the levels are the same. Brackets in reversed runs are exchanged. The
//! line runs from right to left if it has as many such letters as others, or if its paragraph does.
//!
//! Accents that are printed over a letter, before it or after it, as TeX does where a font has no letter with that accent,
//! make one character with it.
//!
//! Cost: n log n for a line of n glyphs, and at most `GLYPHS` of them are taken for one line. Not guaranteed: numbers beside
//! neutral signs (UAX 9 resolves them by what was read before) may change places.

use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};
use unicode_normalization::UnicodeNormalization;

use super::flow::{Place, is_ideograph};

/// Glyphs of one line.
const GLYPHS: usize = 16_384;

/// A line that is being put together.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// In the order of the stream, with spaces.
    text: String,
    glyphs: Vec<Glyph>,
    /// Where it runs, of length one, and how tall it is.
    way: (f64, f64),
    size: f32,
    strong: Strong,
}

/// What is known of a glyph: its piece of the text, and from where to where it reaches along the line.
#[derive(Clone, Copy, Debug)]
struct Glyph {
    start: usize,
    end: usize,
    low: f32,
    high: f32,
}

impl Glyph {
    fn middle(&self) -> f32 {
        self.low.midpoint(self.high)
    }
}

/// How many letters run which way?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Strong {
    left: usize,
    right: usize,
}

impl Strong {
    pub(super) fn add(&mut self, other: Strong) {
        (self.left, self.right) = (self.left + other.left, self.right + other.right);
    }

    fn count(&mut self, text: &str) {
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            // No letter before Hebrew runs to the left.
            if c < '\u{590}' || !matches!(bidi_class(c), BidiClass::R | BidiClass::AL) {
                self.left += 1;
            } else {
                self.right += 1;
            }
        }
    }
}

impl Line {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn is_full(&self) -> bool {
        self.glyphs.len() >= GLYPHS
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn strong(&self) -> Strong {
        self.strong
    }

    /// A space, or a gap that is seen as one.
    pub(super) fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(' ') {
            self.text.push(' ');
        }
    }

    /// A glyph. True if it is an accent over the one before, and takes no place of its own.
    pub(super) fn push(&mut self, text: &str, place: Place) -> bool {
        if text.chars().all(char::is_whitespace) {
            self.space();
            return false;
        }
        if self.glyphs.is_empty() {
            self.way = place.way();
        }
        let along = |point: (f64, f64)| (point.0 * self.way.0 + point.1 * self.way.1) as f32;
        let (from, to) = (along(place.from), along(place.to));
        let (low, high) = (from.min(to), from.max(to));
        if let Some(is_accent) = self.over(text, low, high) {
            return is_accent;
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.strong.count(text);
        self.size = self.size.max(place.size as f32);
        self.glyphs.push(Glyph { start, end: self.text.len(), low, high });
        false
    }

    /// Joins a glyph with the one before if one of the two is an accent over the other: says whether the new one is.
    fn over(&mut self, text: &str, low: f32, high: f32) -> Option<bool> {
        let last = *self.glyphs.last()?;
        let before = self.text.get(last.start..).filter(|_| last.end == self.text.len())?;
        let inside = |middle: f32, low: f32, high: f32| {
            let edge = 0.1 * (high - low);
            low + edge < middle && middle < high - edge
        };
        let (joined, is_accent) = match (accent(before), accent(text)) {
            (Some(mark), None) if inside(last.middle(), low, high) => (accented(text, mark)?, false),
            (None, Some(mark)) if inside(low.midpoint(high), last.low, last.high) => (accented(before, mark)?, true),
            _ => return None,
        };
        let mut start = last.start;
        let glyph = if is_accent { (last.low, last.high) } else { (low, high) };
        // The gap in front of an accent is none if its letter reaches further.
        if let [.., one, _] = self.glyphs.as_slice()
            && one.end + 1 == start
            && glyph.0 - one.high <= 0.1 * self.size
        {
            start = one.end;
        }
        self.text.truncate(start);
        self.text.push_str(&joined);
        self.strong.count(if is_accent { "" } else { text });
        let end = self.text.len();
        *self.glyphs.last_mut()? = Glyph { start, end, low: glyph.0, high: glyph.1 };
        Some(is_accent)
    }

    /// The text, which leaves the line empty; `around` is what the paragraph has so far.
    pub(super) fn take(&mut self, mut around: Strong) -> String {
        let line = std::mem::take(self);
        if line.strong.right == 0 {
            return line.text;
        }
        around.add(line.strong);
        let to_left = line.strong.right >= line.strong.left || around.right > around.left;
        line.read(if to_left { Level::rtl() } else { Level::ltr() })
    }

    /// What is read where this is seen.
    fn read(&self, base: Level) -> String {
        let (pieces, starts, seen) = self.seen();
        let info = BidiInfo::new(&seen, Some(base));
        let levels: Vec<Level> = starts.iter().map(|start| info.levels.get(*start).copied().unwrap_or(base)).collect();
        let mut text = String::with_capacity(seen.len());
        for at in BidiInfo::reorder_visual(&levels) {
            match (pieces.get(at), levels.get(at)) {
                (Some(piece), Some(level)) if level.is_rtl() => text.extend(piece.chars().map(mirrored)),
                (Some(piece), _) => text.push_str(piece),
                _ => {}
            }
        }
        text.trim().to_owned()
    }

    /// Glyphs with their marks from the left to the right, where each begins in the text they make together, and that text.
    fn seen(&self) -> (Vec<String>, Vec<usize>, String) {
        let text = |glyph: &Glyph| self.text.get(glyph.start..glyph.end).unwrap_or_default();
        let is_mark = |glyph: &Glyph| text(glyph).chars().all(|c| bidi_class(c) == BidiClass::NSM);
        let (marks, mut letters): (Vec<Glyph>, Vec<Glyph>) = self.glyphs.iter().copied().partition(is_mark);
        letters.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
        // Printed twice, for the look of bold type or a shadow.
        letters.dedup_by(|next, one| text(next) == text(one) && (next.middle() - one.middle()).abs() < 0.1 * self.size);
        let mut over: Vec<String> = letters.iter().map(|glyph| text(glyph).to_owned()).collect();
        for mark in &marks {
            if let Some(piece) = nearest(&letters, mark.middle()).and_then(|letter| over.get_mut(letter))
                && !piece.ends_with(text(mark))
            {
                piece.push_str(text(mark));
            }
        }
        let (mut pieces, mut starts, mut seen) = (Vec::new(), Vec::new(), String::new());
        let mut reach = f32::NEG_INFINITY;
        for (glyph, piece) in letters.iter().zip(over) {
            if glyph.low - reach > 0.1 * self.size && !seen.is_empty() {
                starts.push(seen.len());
                seen.push(' ');
                pieces.push(" ".to_owned());
            }
            reach = reach.max(glyph.high);
            // Whatever ends or embeds a paragraph would make the levels those of something else.
            let plain: String = piece.chars().filter(|c| !steers(*c)).collect();
            if !plain.is_empty() {
                starts.push(seen.len());
                seen.push_str(&plain);
                pieces.push(plain);
            }
        }
        (pieces, starts, seen)
    }
}

/// The mark of an accent that stands alone.
fn accent(text: &str) -> Option<char> {
    let mut chars = text.chars();
    let (one, None) = (chars.next()?, chars.next()) else { return None };
    Some(match one {
        '`' | '\u{2cb}' => '\u{300}',
        '\u{b4}' | '\u{2ca}' => '\u{301}',
        '^' | '\u{2c6}' => '\u{302}',
        '~' | '\u{2dc}' => '\u{303}',
        '\u{af}' | '\u{2c9}' => '\u{304}',
        '\u{2d8}' => '\u{306}',
        '\u{2d9}' => '\u{307}',
        '\u{a8}' => '\u{308}',
        '\u{2da}' | '\u{b0}' => '\u{30a}',
        '\u{2dd}' => '\u{30b}',
        '\u{2c7}' => '\u{30c}',
        '\u{b8}' => '\u{327}',
        '\u{2db}' => '\u{328}',
        '\u{300}'..='\u{36f}' => one,
        _ => return None,
    })
}

/// A letter with a mark; nothing if it is no letter.
fn accented(text: &str, mark: char) -> Option<String> {
    let mut chars = text.chars();
    let letter = match chars.next()? {
        '\u{131}' => 'i',
        '\u{237}' => 'j',
        other => other,
    };
    // No letter has more than a few.
    let marks = chars.as_str();
    let is_one = letter.is_alphabetic() && !is_ideograph(letter) && !marks.chars().any(char::is_alphabetic);
    (is_one && marks.len() < 8).then(|| [letter].into_iter().chain(marks.chars()).chain([mark]).nfc().collect())
}

/// The letter whose middle is nearest to a place.
fn nearest(letters: &[Glyph], place: f32) -> Option<usize> {
    let after = letters.partition_point(|glyph| glyph.middle() < place);
    let far = |at: &usize| letters.get(*at).map_or(f32::INFINITY, |glyph| (glyph.middle() - place).abs());
    let near = after.saturating_sub(1)..(after + 1).min(letters.len());
    near.min_by(|a, b| far(a).total_cmp(&far(b)))
}

/// A character that divides paragraphs or changes their direction.
fn steers(c: char) -> bool {
    use BidiClass::{B, FSI, LRE, LRI, LRO, PDF, PDI, RLE, RLI, RLO, S};
    matches!(bidi_class(c), B | S | LRE | LRO | RLE | RLO | PDF | LRI | RLI | FSI | PDI)
}

/// What is seen as one bracket is read as the other where text runs to the left.
fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '\u{ab}' => '\u{bb}',
        '\u{bb}' => '\u{ab}',
        '\u{2039}' => '\u{203a}',
        '\u{203a}' => '\u{2039}',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters one after the other from the left, each half a size wide.
    fn places(text: &str) -> Vec<(String, Place)> {
        let place = |at: usize| {
            let x = at as f64 * 5.0;
            Place { from: (x, 7.0), to: (x + 5.0, 7.0), size: 10.0 }
        };
        text.chars().enumerate().map(|(at, c)| (c.to_string(), place(at))).collect()
    }

    fn read(glyphs: &[(String, Place)]) -> String {
        let mut line = Line::default();
        for (text, place) in glyphs {
            line.push(text, *place);
        }
        line.take(Strong::default())
    }

    #[test]
    fn what_is_seen_is_read_whichever_way_it_was_written() {
        // As it is read, and as it is seen from the left.
        let cases = [
            ("\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{5e2}\u{5d5}", "\u{5d5}\u{5e2} \u{5dd}\u{5d5}\u{5dc}\u{5e9}"),
            ("\u{5d0}\u{5d1} abc 12.5 \u{5d2}\u{5d3}", "\u{5d3}\u{5d2} abc 12.5 \u{5d1}\u{5d0}"),
            ("\u{5d0} (\u{5d1}\u{5d2}) \u{5d3}", "\u{5d3} (\u{5d2}\u{5d1}) \u{5d0}"),
            ("\u{645}\u{631}\u{62d}\u{628}\u{627} 2026", "2026 \u{627}\u{628}\u{62d}\u{631}\u{645}"),
            ("see \u{5d0}\u{5d1}\u{5d2} here", "see \u{5d2}\u{5d1}\u{5d0} here"),
        ];
        for (as_read, as_seen) in cases {
            let mut glyphs = places(as_seen);
            assert_eq!(read(&glyphs), as_read);
            glyphs.reverse();
            assert_eq!(read(&glyphs), as_read, "written from the right");
        }
    }

    #[test]
    fn letters_keep_their_marks_and_ligatures_their_order() {
        let mut glyphs = places("\u{5dc}\u{5d0}");
        // A mark over the letter at the right, and one printed twice.
        let over = Place { from: (7.0, 7.0), to: (7.0, 7.0), size: 10.0 };
        glyphs.push(("\u{5b8}".to_owned(), over));
        glyphs.push(glyphs[0].clone());
        // A space that is gone back over is none.
        glyphs.push((" ".to_owned(), over));
        assert_eq!(read(&glyphs), "\u{5d0}\u{5b8}\u{5dc}");
        let joined = places("xyz").into_iter().zip(["\u{628}", "\u{644}\u{627}", "\u{645}"]);
        let glyphs: Vec<_> = joined.map(|((_, place), text)| (text.to_owned(), place)).collect();
        assert_eq!(read(&glyphs), "\u{645}\u{644}\u{627}\u{628}");
    }

    #[test]
    fn accents_go_to_their_letters() {
        let at = |x: f64, wide: f64| Place { from: (x, 7.0), to: (x + wide, 7.0), size: 10.0 };
        // The accent stands before its letter, and so far from the one before that it seems to be another word.
        let mut line = Line::default();
        line.push("c", at(0.0, 5.0));
        line.space();
        assert!(!line.push("\u{b4}", at(6.5, 3.0)));
        assert!(!line.push("m", at(5.0, 7.0)));
        line.push("\u{131}", at(12.0, 3.0));
        assert!(line.push("\u{a8}", at(12.5, 2.0)));
        // Behind a letter, or over nothing that is one: itself.
        line.push("x", at(15.0, 5.0));
        line.push("^", at(20.0, 5.0));
        line.push("2", at(20.0, 5.0));
        assert_eq!(line.take(Strong::default()), "c\u{1e3f}\u{ef}x^2");
    }

    #[test]
    fn whatever_steers_is_left_out_and_no_letter_is_lost() {
        let odd = "\u{202e}\u{5d0}\u{2029}\u{5d1}\u{2067}\u{5d2}\u{301}";
        assert_eq!(read(&places(odd)), "\u{5d2}\u{301}\u{5d1} \u{5d0}");
        let mut many = Line::default();
        let one = Place { from: (f64::MAX, f64::MIN), to: (1e300, -1e300), size: f64::MAX };
        while !many.is_full() {
            many.push("\u{5d0}", one);
            many.push(" ", one);
        }
        assert!(many.take(Strong::default()).contains('\u{5d0}'));
    }
}
