//! What does the file of a font say about its codes and glyphs?
//!
//! Type 1: the encoding in its clear part. CFF: its encoding and charset. TrueType: `cmap` leads from codes to glyphs,
//! and from glyphs to characters, `post` from names to glyphs. Bounded: 256 codes of a simple font, and the 65,536 glyphs
//! any of these files can have.

use std::collections::HashMap;

use lopdf::{Dictionary, Document};
use ttf_parser::cmap::Format;
use ttf_parser::{Face, GlyphId, PlatformId, cff};

use super::lex::{Lexer, Token};
use super::{names, objects};

/// Tables of characters that are looked at in one font.
const TABLES: usize = 4;

/// The names of the glyphs of the 256 codes, by the encoding of a Type 1 font; nothing if it has the standard one.
pub(super) fn encoding(document: &Document, descriptor: &Dictionary) -> Option<Vec<Vec<u8>>> {
    if let Some(bytes) = objects::stream(document, descriptor, b"FontFile") {
        return type1(&bytes);
    }
    let bytes = objects::stream(document, descriptor, b"FontFile3")?;
    let whole = Face::parse(&bytes, 0).ok();
    let table = match &whole {
        Some(face) => face.tables().cff?,
        None => cff::Table::parse(&bytes)?,
    };
    let glyph = |code: u8| table.glyph_index(code).and_then(|glyph| table.glyph_name(glyph)).unwrap_or(".notdef");
    Some((0..=255).map(|code| glyph(code).as_bytes().to_vec()).collect())
}

/// `dup 65 /A put` in the clear part.
fn type1(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let end = memchr::memmem::find(bytes, b"eexec").unwrap_or(bytes.len().min(65_536));
    let start = memchr::memmem::find(&bytes[..end], b"/Encoding")?;
    let mut lexer = Lexer::new(&bytes[start + 9..end]);
    let mut wanted = vec![b".notdef".to_vec(); 256];
    let (mut code, mut any) = (None, false);
    while let Some(token) = lexer.next() {
        match token {
            Token::Word(b"StandardEncoding") => return None,
            Token::Word(b"def" | b"readonly") if any => break,
            Token::Number(number) => code = Some(number as usize),
            // `8#101` is a number too, in the base that stands in front.
            Token::Word(word) => code = based(word).or(code),
            Token::Name(name) => {
                if let Some(place) = code.take().and_then(|code| wanted.get_mut(code)) {
                    *place = name;
                    any = true;
                }
            }
            _ => {}
        }
    }
    any.then_some(wanted)
}

/// PostScript's numbers with a base.
fn based(word: &[u8]) -> Option<usize> {
    let (base, digits) = str::from_utf8(word).ok()?.split_once('#')?;
    let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
    usize::from_str_radix(digits, base).ok()
}

/// A TrueType font that came with the document; it is unpacked when it is asked.
pub(super) struct TrueType<'a> {
    pub(super) document: &'a Document,
    pub(super) descriptor: &'a Dictionary,
}

impl TrueType<'_> {
    /// The texts of names no list has: a name is that of a glyph, and a glyph that of a character.
    pub(super) fn by_names(&self, names: &[&[u8]]) -> Vec<Option<String>> {
        let nothing = || vec![None; names.len()];
        if names.is_empty() {
            return nothing();
        }
        let Some(bytes) = objects::stream(self.document, self.descriptor, b"FontFile2") else { return nothing() };
        let Ok(face) = Face::parse(&bytes, 0) else { return nothing() };
        let characters = by_table(&face);
        let one = |name: &[u8]| {
            let glyph = face.glyph_index_by_name(str::from_utf8(name).ok()?)?;
            characters.get(&u32::from(glyph.0)).map(|c| names::apart(&c.to_string()))
        };
        names.iter().map(|name| one(name)).collect()
    }

    /// The texts of codes no encoding speaks of: the tables for symbols (from U+F000 on) and for the Macintosh lead to
    /// glyphs.
    pub(super) fn by_codes(&self) -> Option<Vec<Option<String>>> {
        let bytes = objects::stream(self.document, self.descriptor, b"FontFile2")?;
        let face = Face::parse(&bytes, 0).ok()?;
        let characters = by_table(&face);
        let tables = || face.tables().cmap.into_iter().flat_map(|cmap| cmap.subtables);
        let symbols = tables().find(|table| table.platform_id == PlatformId::Windows && table.encoding_id == 0);
        let roman = tables().find(|table| table.platform_id == PlatformId::Macintosh);
        let one = |code: u32| {
            let symbol = symbols.and_then(|table| table.glyph_index(0xf000 + code).or_else(|| table.glyph_index(code)));
            let glyph =
                symbol.or_else(|| roman.and_then(|table| table.glyph_index(code))).filter(|glyph| glyph.0 != 0)?;
            let text = match characters.get(&u32::from(glyph.0)) {
                Some(character) => names::apart(&character.to_string()),
                None => names::glyph_texts(&[face.glyph_name(glyph)?.as_bytes().to_vec()]).concat(),
            };
            (!text.is_empty()).then_some(text)
        };
        Some((0..256).map(one).collect())
    }
}

/// The characters of the glyphs of the font of a composite font.
pub(super) fn characters(document: &Document, descriptor: &Dictionary) -> HashMap<u32, char> {
    let file = [&b"FontFile2"[..], b"FontFile3"].iter().find_map(|key| objects::stream(document, descriptor, key));
    let Some(file) = file else { return HashMap::new() };
    match Face::parse(&file, 0) {
        Ok(face) => by_table(&face),
        Err(_) => cff::Table::parse(&file).map(|table| by_charset(&table)).unwrap_or_default(),
    }
}

/// Codes are asked for one by one: a table can claim ranges as long as it likes.
fn by_table(face: &Face<'_>) -> HashMap<u32, char> {
    let mut found = HashMap::new();
    for table in
        face.tables().cmap.iter().flat_map(|cmap| cmap.subtables).filter(|table| table.is_unicode()).take(TABLES)
    {
        let last = match table.format {
            Format::SegmentedCoverage(_) | Format::ManyToOneRangeMappings(_) => '\u{3ffff}',
            _ => '\u{ffff}',
        };
        // The private area says what the font calls its glyphs, not what they are.
        for character in (' '..=last).filter(|c| !('\u{e000}'..='\u{f8ff}').contains(c)) {
            // Glyph 0 stands for whatever is missing; tables end with it.
            if let Some(glyph) = table.glyph_index(u32::from(character)).filter(|glyph| glyph.0 != 0) {
                found.entry(u32::from(glyph.0)).or_insert(character);
            }
        }
    }
    found
}

fn by_charset(table: &cff::Table<'_>) -> HashMap<u32, char> {
    let glyphs = (0..table.number_of_glyphs()).filter_map(|glyph| Some((glyph, table.glyph_name(GlyphId(glyph))?)));
    let (numbers, wanted): (Vec<u16>, Vec<Vec<u8>>) =
        glyphs.map(|(glyph, name)| (glyph, name.as_bytes().to_vec())).unzip();
    let single = |text: String| text.chars().next().filter(|c| text.len() == c.len_utf8());
    let texts = names::glyph_texts(&wanted).into_iter().map(single);
    numbers.into_iter().zip(texts).filter_map(|(glyph, c)| Some((u32::from(glyph), c?))).collect()
}

#[cfg(test)]
mod tests {
    use lopdf::{Stream, dictionary};

    use super::*;

    fn words(words: &[u16]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// A table of characters with a range for each of these pairs of code and glyph (format 4).
    fn ranges(pairs: &[(u16, u16)]) -> Vec<u8> {
        let count = pairs.len() as u16 + 1;
        let codes: Vec<u16> = pairs.iter().map(|pair| pair.0).chain([0xffff]).collect();
        let deltas: Vec<u16> = pairs.iter().map(|pair| pair.1.wrapping_sub(pair.0)).chain([1]).collect();
        let head = [4, 16 + 8 * count, 0, 2 * count, 0, 0, 0];
        [&head[..], &codes, &[0], &codes, &deltas, &vec![0; codes.len()]]
            .concat()
            .iter()
            .flat_map(|w| w.to_be_bytes())
            .collect()
    }

    /// Four glyphs: one that is missing, `odd` (a Cyrillic letter, and a symbol), `queer` (a Latin one) and `alpha`, which only its name
    /// tells.
    fn true_type() -> Vec<u8> {
        let symbols = ranges(&[(0xf041, 1)]);
        let unicode = ranges(&[(0x78, 2), (0x416, 1), (0xf041, 1)]);
        let mut roman = words(&[0, 262, 0]);
        roman.extend((0..=255).map(|code| match code {
            66 => 2,
            67 => 3,
            _ => 0,
        }));
        let places = [28, 28 + roman.len(), 28 + roman.len() + symbols.len()].map(|place| place as u16);
        let index = words(&[0, 3, 1, 0, 0, places[0], 3, 0, 0, places[1], 3, 1, 0, places[2]]);
        let cmap = [index, roman, symbols, unicode].concat();
        let mut post = words(&[2, 0]);
        post.resize(32, 0);
        post.extend(words(&[4, 0, 258, 259, 260]));
        [&b"odd"[..], b"queer", b"alpha"].iter().for_each(|name| {
            post.push(name.len() as u8);
            post.extend_from_slice(name);
        });
        let (mut head, mut hhea) = (vec![0; 54], vec![0; 36]);
        head[18..20].copy_from_slice(&1000u16.to_be_bytes());
        hhea[..4].copy_from_slice(&[0, 1, 0, 0]);
        let tables =
            [(b"cmap", cmap), (b"head", head), (b"hhea", hhea), (b"maxp", words(&[0, 0x5000, 4])), (b"post", post)];
        let mut file = words(&[1, 0, tables.len() as u16, 0, 0, 0]);
        let mut from = file.len() + 16 * tables.len();
        for (name, table) in &tables {
            file.extend_from_slice(*name);
            [0, from as u32, table.len() as u32].iter().for_each(|word| file.extend(word.to_be_bytes()));
            from += table.len();
        }
        tables.iter().for_each(|(_, table)| file.extend(table));
        file
    }

    #[test]
    fn a_true_type_font_tells_what_its_codes_and_names_are() {
        let mut document = Document::new();
        let file = document.add_object(Stream::new(dictionary! {}, true_type()));
        let descriptor = dictionary! { "FontFile2" => file };
        let font = TrueType { document: &document, descriptor: &descriptor };
        let found = font.by_codes().unwrap();
        let found: Vec<(usize, &str)> =
            found.iter().enumerate().filter_map(|(code, text)| Some((code, text.as_deref()?))).collect();
        assert_eq!(found, [(65, "\u{416}"), (66, "x"), (67, "\u{3b1}")]);
        let named = font.by_names(&[b"queer", b"odd", b"alpha", b"nothing", b"\xff"]);
        assert_eq!(named, [Some("x".to_owned()), Some("\u{416}".to_owned()), None, None, None]);
        assert_eq!(characters(&document, &descriptor), HashMap::from([(1, '\u{416}'), (2, 'x')]));
    }

    #[test]
    fn a_torn_true_type_font_tells_less() {
        let whole = true_type();
        for length in 0..whole.len() {
            let mut document = Document::new();
            let file = document.add_object(Stream::new(dictionary! {}, whole[..length].to_vec()));
            let descriptor = dictionary! { "FontFile2" => file };
            let font = TrueType { document: &document, descriptor: &descriptor };
            let found = font.by_codes().unwrap_or_default().into_iter().flatten().count();
            assert!(found <= 3 && font.by_names(&[b"queer"]).len() == 1, "{length}");
        }
    }

    #[test]
    fn the_clear_part_of_a_type_1_font_names_its_codes() {
        let file = b"%! /Encoding 256 array 0 1 255 {1 index exch /.notdef put} for dup 65/alpha put dup 8#102 /beta put dup 16#ff /z put readonly def dup 7 /no put";
        let names = type1(file).unwrap();
        assert_eq!((&names[65][..], &names[66][..], &names[255][..]), (&b"alpha"[..], &b"beta"[..], &b"z"[..]));
        assert_eq!(names[7], b".notdef");
        assert_eq!(type1(b"/Encoding StandardEncoding def dup 7 /no put"), None);
        assert_eq!(type1(b"/Encoding 99#zz /a put"), None);
    }
}
