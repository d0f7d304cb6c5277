//! The embedded fonts: which characters do they have, how wide are they, and how do they get into the file?
//!
//! Rule: a character gets the next free number (CID) of its font when it is first set; the numbers are what stands in the
//! pages. At the end only the glyphs that were used are embedded, with tables from numbers to glyphs, widths and characters, so
//! that text can be found and copied exactly. Source: ISO 32000-1, 9.7 (composite fonts) and 9.10.3 (ToUnicode). Cost: a few
//! bytes for each different character. Not guaranteed: kerning, ligatures, placing of accents beyond the zero-width ones of
//! the font.

use std::collections::HashMap;
use std::io;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Name, Rect, Ref, Str};
use subsetter::GlyphRemapper;

use super::body::Body;

/// Numbers are not given by a registry but by us.
const IDENTITY: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// How many object numbers a face takes.
pub(super) const FACE_OBJECTS: i32 = 6;

/// A character as a face sets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cast {
    /// Its number in the font.
    pub(super) cid: u16,
    /// Its width in thousandths of the size.
    pub(super) width: f32,
}

/// An embedded font and what was used of it.
pub(super) struct Face {
    name: &'static str,
    data: &'static [u8],
    font: ttf_parser::Face<'static>,
    casts: HashMap<char, Option<Cast>>,
    /// The character, glyph and width of each number; number 0 is kept for "nothing".
    used: Vec<(char, u16, f32)>,
}

impl Face {
    pub(super) fn read(name: &'static str, data: &'static [u8]) -> io::Result<Face> {
        let font = ttf_parser::Face::parse(data, 0).map_err(io::Error::other)?;
        Ok(Face { name, data, font, casts: HashMap::new(), used: vec![('\u{fffd}', 0, 0.0)] })
    }

    /// A character, if the font has it.
    pub(super) fn cast(&mut self, character: char) -> Option<Cast> {
        let Face { font, casts, used, .. } = self;
        *casts.entry(character).or_insert_with(|| {
            let glyph = font.glyph_index(character).filter(|glyph| glyph.0 != 0)?;
            let cid = u16::try_from(used.len()).ok()?;
            let units = f32::from(font.units_per_em());
            let width = (f32::from(font.glyph_hor_advance(glyph)?) * 1000.0 / units).round();
            used.push((character, glyph.0, width));
            Some(Cast { cid, width })
        })
    }

    /// Was anything set in it?
    pub(super) fn is_used(&self) -> bool {
        self.used.len() > 1
    }

    /// Writes the font with what was used of it; its numbers are `first` and the next ones ([`FACE_OBJECTS`]).
    pub(super) fn write(&self, body: &mut Body<'_>, first: Ref) -> io::Result<()> {
        let id = |next: i32| Ref::new(first.get() + next);
        let (cid_font, descriptor, file, unicode, glyphs) = (id(1), id(2), id(3), id(4), id(5));
        // Six letters and a plus say "only a part of the font"; which letters is free, as long as they differ.
        let name = format!("GROMAP+{}", self.name);
        let name = Name(name.as_bytes());

        body.object(first, |chunk| {
            let mut font = chunk.type0_font(first);
            font.base_font(name).encoding_predefined(Name(b"Identity-H"));
            font.descendant_font(cid_font).to_unicode(unicode);
        })?;
        body.object(cid_font, |chunk| {
            let mut font = chunk.cid_font(cid_font);
            font.subtype(CidFontType::Type2).base_font(name).system_info(IDENTITY);
            font.font_descriptor(descriptor).default_width(0.0).cid_to_gid_map_stream(glyphs);
            font.widths().consecutive(0, self.used.iter().map(|&(_, _, width)| width));
        })?;
        let scale = |units: i16| (f32::from(units) * 1000.0 / f32::from(self.font.units_per_em())).round();
        let bounds = self.font.global_bounding_box();
        body.object(descriptor, |chunk| {
            let mut about = chunk.font_descriptor(descriptor);
            about.name(name).flags(FontFlags::SYMBOLIC).italic_angle(0.0);
            about.bbox(Rect::new(scale(bounds.x_min), scale(bounds.y_min), scale(bounds.x_max), scale(bounds.y_max)));
            about.ascent(scale(self.font.ascender())).descent(scale(self.font.descender()));
            about.cap_height(scale(self.font.capital_height().unwrap_or(1493))).stem_v(80.0).font_file2(file);
        })?;

        let mut kept = GlyphRemapper::new();
        let map: Vec<u8> = self.used.iter().flat_map(|&(_, glyph, _)| kept.remap(glyph).to_be_bytes()).collect();
        body.stream(glyphs, &map, |_| {})?;
        let outlines = subsetter::subset(self.data, 0, &kept).map_err(io::Error::other)?;
        body.stream(file, &outlines, |stream| {
            stream.pair(Name(b"Length1"), outlines.len() as i32);
        })?;
        let mut cmap = UnicodeCmap::new(Name(b"GromaUnicode"), IDENTITY);
        for (cid, &(character, _, _)) in (0u16..).zip(&self.used).skip(1) {
            cmap.pair(cid, character);
        }
        let cmap = cmap.finish();
        body.stream(unicode, cmap.as_slice(), |_| {})
    }
}
