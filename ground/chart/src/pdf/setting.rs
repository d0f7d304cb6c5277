//! How does a text become a line of type that fits? Fonts are chosen character by character, widths added up, and what does not
//! fit is cut with an ellipsis.
//!
//! Rule: bold if asked and there, else book, else a font of the reader ([`Asian`]), else a box that carries the character
//! unseen (`ActualText`), so that even what cannot be shown can be found and copied. Cost: linear in what fits, not in the text.

use std::io;
use std::sync::LazyLock;

use super::asian::Asian;
use super::face::Face;
use super::script::{clean, turn};

/// The most characters on a line, whatever their width: marks without a width would fill it for ever.
const LONGEST: usize = 400;
/// Stands for a character that no font has.
const BOX: char = '\u{25a1}';

/// Weight of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Book,
    Bold,
}

/// The fonts of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Font {
    Book,
    Bold,
    Of(Asian),
}

impl Font {
    pub(super) const ALL: [Font; 5] =
        [Font::Book, Font::Bold, Font::Of(Asian::Chinese), Font::Of(Asian::Japanese), Font::Of(Asian::Korean)];

    /// The name by which pages speak of it.
    pub(super) fn name(self) -> &'static [u8] {
        match self {
            Font::Book => b"B",
            Font::Bold => b"D",
            Font::Of(Asian::Chinese) => b"C",
            Font::Of(Asian::Japanese) => b"J",
            Font::Of(Asian::Korean) => b"K",
        }
    }
}

/// Characters of one font, next to each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) font: Font,
    /// The numbers of the characters, two bytes each.
    pub(super) codes: Vec<u8>,
    /// What the boxes of this run stand for.
    pub(super) meant: Option<String>,
}

/// A line of type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) runs: Vec<Run>,
    pub(super) size: f32,
    /// In points.
    pub(super) width: f32,
    /// Was something left out?
    pub(super) cut: bool,
}

static BOOK: Unpacked = LazyLock::new(|| unpack(include_bytes!("../../assets/fonts/DejaVuSansCondensed.ttf.zst")));
static BOLD: Unpacked = LazyLock::new(|| unpack(include_bytes!("../../assets/fonts/DejaVuSansCondensed-Bold.ttf.zst")));

type Unpacked = LazyLock<Vec<u8>>;

/// A font that cannot be unpacked is empty, and refused as it is read.
fn unpack(packed: &[u8]) -> Vec<u8> {
    zstd::decode_all(packed).unwrap_or_default()
}

/// The case of type: all fonts, and which of them were used.
pub(super) struct Case {
    pub(super) book: Face,
    pub(super) bold: Face,
    asian: [bool; 3],
}

struct Glyph {
    font: Font,
    code: u16,
    width: f32,
    meant: Option<char>,
}

impl Case {
    /// Loads the built-in fonts.
    pub(super) fn open() -> io::Result<Case> {
        Ok(Case {
            book: Face::read("DejaVuSansCondensed", &BOOK)?,
            bold: Face::read("DejaVuSansCondensed-Bold", &BOLD)?,
            asian: [false; 3],
        })
    }

    /// Was anything set in this font?
    pub(super) fn is_used(&self, font: Font) -> bool {
        match font {
            Font::Book => self.book.is_used(),
            Font::Bold => self.bold.is_used(),
            Font::Of(script) => self.asian[script as usize],
        }
    }

    fn glyph(&mut self, c: char, weight: Weight, han: Asian) -> Glyph {
        let bold = if weight == Weight::Bold { self.bold.cast(c).map(|cast| (Font::Bold, cast)) } else { None };
        if let Some((font, cast)) = bold.or_else(|| self.book.cast(c).map(|cast| (Font::Book, cast))) {
            return Glyph { font, code: cast.cid, width: cast.width, meant: None };
        }
        if let (Some(script), Ok(code)) = (Asian::for_char(c, han), u16::try_from(u32::from(c))) {
            self.asian[script as usize] = true;
            return Glyph { font: Font::Of(script), code, width: 1000.0, meant: None };
        }
        let (code, width) = self.book.cast(BOX).map_or((0, 600.0), |cast| (cast.cid, cast.width));
        Glyph { font: Font::Book, code, width, meant: Some(c) }
    }

    /// A line that is at most this wide.
    pub(super) fn line(&mut self, text: &str, weight: Weight, size: f32, room: f32, language: &str) -> Line {
        let han = Asian::reading(clean(text).take(LONGEST), language);
        let room = room.max(0.0) * 1000.0 / size;
        let ellipsis = self.glyph('…', weight, han).width;
        let mut chars: Vec<char> = Vec::new();
        let (mut width, mut fits, mut cut) = (0.0, 0, false);
        for c in clean(text) {
            width += self.glyph(c, weight, han).width;
            if width > room || chars.len() == LONGEST {
                cut = true;
                break;
            }
            chars.push(c);
            if width + ellipsis <= room {
                fits = chars.len();
            }
        }
        if cut {
            chars.truncate(fits);
            while chars.last() == Some(&' ') {
                chars.pop();
            }
            chars.push('…');
        } else if chars.last() == Some(&' ') {
            chars.pop();
        }
        turn(&mut chars);
        self.set(&chars, weight, size, han, cut)
    }

    fn set(&mut self, chars: &[char], weight: Weight, size: f32, han: Asian, cut: bool) -> Line {
        let mut line = Line { runs: Vec::new(), size, width: 0.0, cut };
        for &c in chars {
            let glyph = self.glyph(c, weight, han);
            line.width += glyph.width * size / 1000.0;
            let next = |run: &Run| run.font == glyph.font && run.meant.is_some() == glyph.meant.is_some();
            if !line.runs.last().is_some_and(next) {
                let meant = glyph.meant.map(|_| String::new());
                line.runs.push(Run { font: glyph.font, codes: Vec::new(), meant });
            }
            if let Some(run) = line.runs.last_mut() {
                run.codes.extend_from_slice(&glyph.code.to_be_bytes());
                if let (Some(meant), Some(c)) = (&mut run.meant, glyph.meant) {
                    meant.push(c);
                }
            }
        }
        line
    }

    /// Lines of at most this width, broken between words where there are words; the last one is cut if they are too few.
    pub(super) fn lines(&mut self, text: &str, weight: Weight, size: f32, room: f32, most: usize) -> Vec<Line> {
        // Nobody sees more than this, and texts of strangers can be very long.
        let text: String = clean(text).take(LONGEST * most).collect();
        let mut rest = text.as_str();
        let mut lines = Vec::new();
        while !rest.is_empty() && lines.len() < most {
            let end = if lines.len() + 1 == most { rest.len() } else { self.breaking(rest, weight, size, room) };
            lines.push(self.line(&rest[..end], weight, size, room, ""));
            rest = rest[end..].trim_start();
        }
        lines
    }

    /// Where a line of this text ends: after the last word that fits, or inside the first if it is longer than the line.
    fn breaking(&mut self, text: &str, weight: Weight, size: f32, room: f32) -> usize {
        let room = room * 1000.0 / size;
        let (mut width, mut word) = (0.0, 0);
        for (at, c) in text.char_indices() {
            if c == ' ' {
                word = at;
            }
            width += self.glyph(c, weight, Asian::Chinese).width;
            if width > room {
                return if word > 0 { word } else { at.max(c.len_utf8()) };
            }
        }
        text.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case() -> Case {
        Case::open().unwrap()
    }

    #[test]
    fn what_fits_is_whole_and_what_does_not_is_cut() {
        let mut case = case();
        let whole = case.line("Náš žluťoučký kůň", Weight::Book, 10.0, 200.0, "cs");
        assert!(!whole.cut && whole.runs.len() == 1 && whole.width > 50.0 && whole.width < 120.0);
        for room in [0.0, 3.0, 8.0, 30.0, 60.0] {
            let line = case.line("Náš žluťoučký kůň", Weight::Bold, 10.0, room, "cs");
            assert!(line.cut && (line.width <= room || line.runs[0].codes.len() == 2), "{room}: {}", line.width);
        }
    }

    #[test]
    fn a_very_long_text_costs_no_more_than_a_line() {
        let mut case = case();
        let line = case.line(&"\u{301}".repeat(100_000), Weight::Book, 8.0, 300.0, "");
        assert!(line.cut && line.runs.iter().map(|run| run.codes.len()).sum::<usize>() <= 2 * (LONGEST + 1));
        assert_eq!(case.lines(&"long ".repeat(20_000), Weight::Bold, 20.0, 300.0, 2).len(), 2);
    }

    #[test]
    fn each_script_is_set_in_a_font_that_has_it() {
        let mut case = case();
        let fonts = |case: &mut Case, text: &str| -> Vec<Font> {
            case.line(text, Weight::Bold, 8.0, 500.0, "").runs.iter().map(|run| run.font).collect()
        };
        assert_eq!(fonts(&mut case, "Straße Řeka Улица Δρόμος"), [Font::Bold]);
        assert_eq!(fonts(&mut case, "a שלום"), [Font::Bold, Font::Book]);
        assert_eq!(fonts(&mut case, "中文 a"), [Font::Of(Asian::Chinese), Font::Bold]);
        assert_eq!(fonts(&mut case, "日本のa"), [Font::Of(Asian::Japanese), Font::Bold]);
        assert_eq!(fonts(&mut case, "한국"), [Font::Of(Asian::Korean)]);
        assert!(case.is_used(Font::Of(Asian::Korean)) && case.is_used(Font::Bold));
    }

    #[test]
    fn what_no_font_has_is_a_box_that_keeps_its_meaning() {
        let line = case().line("ok ไทย 🦀", Weight::Book, 8.0, 500.0, "");
        let meant: Vec<&str> = line.runs.iter().filter_map(|run| run.meant.as_deref()).collect();
        assert_eq!(meant, ["ไทย", "🦀"]);
    }

    #[test]
    fn lines_are_broken_between_words() {
        let mut case = case();
        let lines = case.lines("one two three four five six", Weight::Book, 10.0, 60.0, 10);
        assert!(lines.len() >= 2 && lines.iter().all(|line| line.width <= 60.0 && !line.cut));
        let hard = case.lines(&"x".repeat(60), Weight::Book, 10.0, 60.0, 3);
        assert!(hard.len() == 3 && hard[2].cut);
        assert!(case.lines(" \n ", Weight::Book, 10.0, 60.0, 3).is_empty());
    }
}
