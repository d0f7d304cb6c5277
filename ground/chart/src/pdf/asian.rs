//! Chinese, Japanese and Korean: which font of the reader shows a character, and how is it named?
//!
//! Rule: these fonts are too large to carry along, so the file names the ones that readers have had since PDF 1.2 and writes
//! characters by their UTF-16 code. Hangul is Korean and kana Japanese; Han characters follow the text they stand in, then its
//! language, and are Chinese otherwise. Source: ISO 32000-1, 9.7.5.2 (predefined CMaps). Cost: nothing but the names.
//! Not guaranteed: that a reader has such a font, though text can be searched and copied all the same; characters beyond the
//! first 65,536 are shown as boxes.

use std::io;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo};
use pdf_writer::{Name, Rect, Ref, Str};

use super::body::Body;

/// How many object numbers such a font takes.
pub(super) const ASIAN_OBJECTS: i32 = 4;

/// A writing system with a font that readers are expected to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asian {
    Chinese,
    Japanese,
    Korean,
}

impl Asian {
    /// The font for a character in a text whose Han characters are read like this, if it is one of these scripts.
    pub(super) fn for_char(character: char, han: Asian) -> Option<Asian> {
        match character {
            '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}' => Some(Asian::Korean),
            '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => Some(Asian::Japanese),
            '\u{2e80}'..='\u{2fdf}' | '\u{3000}'..='\u{3040}' | '\u{3100}'..='\u{312f}' | '\u{3190}'..='\u{31ef}' => {
                Some(han)
            }
            '\u{3200}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Some(han),
            '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff65}' | '\u{ffa0}'..='\u{ffef}' => Some(han),
            _ => None,
        }
    }

    /// How the Han characters of a text are read.
    pub(super) fn reading(text: impl Iterator<Item = char>, language: &str) -> Asian {
        let mut korean = false;
        for character in text {
            match Asian::for_char(character, Asian::Chinese) {
                Some(Asian::Japanese) => return Asian::Japanese,
                Some(Asian::Korean) => korean = true,
                _ => {}
            }
        }
        match language.get(..2) {
            _ if korean => Asian::Korean,
            Some("ja" | "JA") => Asian::Japanese,
            Some("ko" | "KO") => Asian::Korean,
            _ => Asian::Chinese,
        }
    }

    /// Name of the font, of the collection of characters, and of the code.
    fn names(self) -> (&'static str, &'static str, &'static str, i32) {
        match self {
            Asian::Chinese => ("STSong-Light", "GB1", "UniGB-UTF16-H", 4),
            Asian::Japanese => ("HeiseiKakuGo-W5", "Japan1", "UniJIS-UTF16-H", 4),
            Asian::Korean => ("HYGoThic-Medium", "Korea1", "UniKS-UTF16-H", 2),
        }
    }

    /// Writes the font; its numbers are `first` and the next ones ([`ASIAN_OBJECTS`]).
    pub(super) fn write(self, body: &mut Body<'_>, first: Ref) -> io::Result<()> {
        let id = |next: i32| Ref::new(first.get() + next);
        let (cid_font, descriptor, unicode) = (id(1), id(2), id(3));
        let (font_name, ordering, code, supplement) = self.names();
        let full = format!("{font_name}-{code}");
        body.object(first, |chunk| {
            let mut font = chunk.type0_font(first);
            font.base_font(Name(full.as_bytes())).encoding_predefined(Name(code.as_bytes()));
            font.descendant_font(cid_font).to_unicode(unicode);
        })?;
        body.object(cid_font, |chunk| {
            let ordering = Str(ordering.as_bytes());
            let mut font = chunk.cid_font(cid_font);
            font.subtype(CidFontType::Type0).base_font(Name(font_name.as_bytes()));
            font.system_info(SystemInfo { registry: Str(b"Adobe"), ordering, supplement });
            font.font_descriptor(descriptor).default_width(1000.0);
        })?;
        body.object(descriptor, |chunk| {
            let mut about = chunk.font_descriptor(descriptor);
            about.name(Name(font_name.as_bytes())).flags(FontFlags::SYMBOLIC).italic_angle(0.0);
            about
                .bbox(Rect::new(0.0, -120.0, 1000.0, 880.0))
                .ascent(880.0)
                .descent(-120.0)
                .cap_height(740.0)
                .stem_v(80.0);
        })?;
        body.stream(unicode, same_code().as_bytes(), |_| {})
    }
}

/// A table that says: the code is the character. Readers without their own tables can then still copy the text.
fn same_code() -> String {
    let mut text = String::from(
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
         /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
         /CMapName /GromaSame def\n/CMapType 2 def\n\
         1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
    );
    // A range may not cross the last byte, and a list has at most a hundred of them. Surrogates are left out.
    let highs: Vec<u32> = (0x20..=0xffu32).filter(|high| !(0xd8..=0xdf).contains(high)).collect();
    for some in highs.chunks(100) {
        text.push_str(&format!("{} beginbfrange\n", some.len()));
        for high in some {
            text.push_str(&format!("<{high:02X}00> <{high:02X}FF> <{high:02X}00>\n"));
        }
        text.push_str("endbfrange\n");
    }
    text.push_str("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn han_characters_follow_the_text_then_the_language() {
        let reading = |text: &str, language: &str| Asian::reading(text.chars(), language);
        assert_eq!(reading("東京の", "zh"), Asian::Japanese);
        assert_eq!(reading("大學 서울", ""), Asian::Korean);
        assert_eq!(reading("東京", "ja"), Asian::Japanese);
        assert_eq!(reading("東京", ""), Asian::Chinese);
        assert_eq!(reading("東京", "é"), Asian::Chinese, "a language that is no language");
        assert_eq!(Asian::for_char('a', Asian::Chinese), None);
        assert_eq!(Asian::for_char('東', Asian::Korean), Some(Asian::Korean));
    }
}
