//! A font of a PDF: how strings are cut into codes, what the codes stand for, and how wide they are.
//!
//! Text of a code, the first that says anything: the font's ToUnicode map; the names of its encoding (the base, the
//! differences, else the encoding inside of the font's own file); a number in the name; the table of characters in a
//! TrueType file; the code itself, if a glyph has a name that nobody knows, as pdftotext does: most such fonts are made by
//! hand for one script and are written by its transliteration. For composite fonts the predefined map if it is one of
//! Unicode or of a charset of the web, else the table of characters inside of the font's file. Not known: the character
//! collections of Adobe for fonts that are not embedded.

use std::collections::HashMap;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_16BE};
use lopdf::{Dictionary, Document, Object};

use super::cmap::CMap;
use super::lex;
use super::names;
use super::objects::{self, dictionary, name, number, resolved};
use super::program::{self, TrueType};

#[derive(Debug)]
pub(super) struct Font {
    to_unicode: Option<CMap>,
    codes: Codes,
    /// Widths in thousandths of the size, by code or by character.
    widths: HashMap<u32, f64>,
    /// The width of what has none.
    usual: f64,
    /// How tall its letters are in sizes of the font: one, but for fonts that draw in a space of their own.
    pub(super) height: f64,
    /// Text runs from top to bottom.
    pub(super) vertical: bool,
}

#[derive(Debug)]
enum Codes {
    /// One byte each, with their texts.
    Bytes(Vec<String>),
    /// Two bytes each, which are the characters of the font.
    Pairs(HashMap<u32, char>),
    /// By a map inside of the file.
    Mapped(CMap, HashMap<u32, char>),
    Charset(&'static Encoding),
}

/// A glyph that is shown.
pub(super) struct Shown {
    pub(super) text: String,
    /// In sizes of the font.
    pub(super) width: f64,
    /// A single byte of value 32: word spacing applies.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn read(document: &Document, font: &Dictionary) -> Font {
        let to_unicode = objects::stream(document, font, b"ToUnicode").map(|bytes| CMap::read(&bytes));
        let to_unicode = to_unicode.filter(CMap::has_texts);
        if name(document, font, b"Subtype") == Some(b"Type0") {
            composite(document, font, to_unicode)
        } else {
            simple(document, font, to_unicode)
        }
    }

    /// Cuts a string into what it shows.
    pub(super) fn show(&self, mut string: &[u8], mut each: impl FnMut(Shown)) {
        while !string.is_empty() {
            let length = self.length(string).clamp(1, string.len());
            let (bytes, rest) = string.split_at(length);
            string = rest;
            let code = lex::code(bytes);
            let character = match &self.codes {
                Codes::Mapped(map, _) => map.cid(length, code).unwrap_or(code),
                _ => code,
            };
            let width = self.widths.get(&character).copied().unwrap_or(self.usual) / 1000.0;
            let text = self.text(bytes, length, code, character);
            each(Shown { text, width, is_space: length == 1 && code == 32 });
        }
    }

    fn length(&self, string: &[u8]) -> usize {
        match &self.codes {
            Codes::Bytes(_) => 1,
            Codes::Pairs(_) => 2,
            Codes::Mapped(map, _) => map.length(string).or_else(|| map.shortest()).unwrap_or(2),
            Codes::Charset(encoding) if *encoding == UTF_16BE => {
                if string.first().is_some_and(|byte| (0xd8..0xdc).contains(byte)) { 4 } else { 2 }
            }
            Codes::Charset(encoding) => match string[0] {
                0..=0x80 => 1,
                0xa0..=0xdf if *encoding == SHIFT_JIS => 1,
                _ => 2,
            },
        }
    }

    fn text(&self, bytes: &[u8], length: usize, code: u32, character: u32) -> String {
        if let Some(text) = self.to_unicode.as_ref().and_then(|map| map.text(length, code)) {
            return names::apart(&text);
        }
        match &self.codes {
            Codes::Bytes(texts) => texts.get(code as usize).cloned().unwrap_or_default(),
            Codes::Pairs(glyphs) | Codes::Mapped(_, glyphs) => {
                glyphs.get(&character).map(char::to_string).unwrap_or_default()
            }
            Codes::Charset(encoding) => encoding.decode_without_bom_handling(bytes).0.into_owned(),
        }
    }
}

fn simple(document: &Document, font: &Dictionary, to_unicode: Option<CMap>) -> Font {
    let descriptor = dictionary(document, font, b"FontDescriptor");
    let first = number(document, font, b"FirstChar").unwrap_or(0.0) as u32;
    let scale = if name(document, font, b"Subtype") == Some(b"Type3") {
        // Glyphs of a Type 3 font have a space of their own.
        let matrix = objects::numbers(document, font, b"FontMatrix");
        matrix.first().map_or(1.0, |a| a.abs() * 1000.0)
    } else {
        1.0
    };
    let widths = objects::numbers(document, font, b"Widths");
    let widths: HashMap<u32, f64> =
        (first..=u32::MAX).zip(widths.into_iter().take(256)).map(|(code, w)| (code, w * scale)).collect();
    let missing = descriptor.and_then(|it| number(document, it, b"MissingWidth"));
    let fixed = name(document, font, b"BaseFont").is_some_and(|name| name.starts_with(b"Courier"));
    let usual = match missing {
        Some(width) if !widths.is_empty() => width,
        _ if fixed => 600.0,
        _ if widths.is_empty() => 500.0,
        _ => 0.0,
    };
    let texts = texts(document, font, descriptor);
    let height = if scale == 1.0 { 1.0 } else { height(&texts, &widths) };
    Font { to_unicode, codes: Codes::Bytes(texts), widths, usual, height, vertical: false }
}

/// How tall are letters whose size may say nothing? An `m` is four fifths as wide; if there is none, the middle width is half
/// of it. A size that fits roughly is taken as it is.
fn height(texts: &[String], widths: &HashMap<u32, f64>) -> f64 {
    let m = texts.iter().position(|text| text == "m").and_then(|code| widths.get(&(code as u32)).copied());
    let wide = m.filter(|width| *width > 0.0).map(|width| width / 0.8);
    let height = wide.or_else(|| {
        let mut all: Vec<f64> = widths.values().copied().filter(|width| *width > 0.0).collect();
        all.sort_by(f64::total_cmp);
        all.get(all.len() / 2).map(|width| width * 2.0)
    });
    let height = height.map_or(1.0, |height| height / 1000.0).clamp(0.001, 1000.0);
    if (0.5..2.0).contains(&height) { 1.0 } else { height }
}

/// The texts of the codes of a simple font.
fn texts(document: &Document, font: &Dictionary, descriptor: Option<&Dictionary>) -> Vec<String> {
    let encoding = font.get(b"Encoding").ok().map(|object| resolved(document, object));
    let (base, differences) = match encoding {
        Some(Object::Name(name)) => (Some(name.as_slice()), None),
        Some(Object::Dictionary(encoding)) => {
            (name(document, encoding, b"BaseEncoding"), objects::array(document, encoding, b"Differences"))
        }
        _ => (None, None),
    };
    let true_type = name(document, font, b"Subtype") == Some(b"TrueType");
    let file = descriptor.filter(|_| true_type).map(|descriptor| TrueType { document, descriptor });
    let own = descriptor.filter(|_| base.is_none()).and_then(|it| program::encoding(document, it));
    let mut texts = match (base, own) {
        (None, Some(own)) => meanings(&(0..256).zip(own).collect::<Vec<_>>(), file.as_ref()),
        (None, None) if true_type => names::base(Some(b"WinAnsiEncoding")),
        _ => names::base(base),
    };
    if let (None, Some(own)) = (encoding, file.as_ref().and_then(TrueType::by_codes)) {
        for (text, own) in texts.iter_mut().zip(own) {
            *text = own.unwrap_or_else(|| std::mem::take(text));
        }
    }
    let (mut wanted, mut code) = (Vec::new(), 0usize);
    for object in differences.into_iter().flatten() {
        match resolved(document, object) {
            Object::Integer(number) => code = usize::try_from(*number).unwrap_or(256),
            Object::Name(name) => {
                if code < 256 && wanted.len() < 256 {
                    wanted.push((code, name.clone()));
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    for ((code, _), text) in wanted.iter().zip(meanings(&wanted, file.as_ref())) {
        texts[*code] = text;
    }
    texts
}

/// What codes mean by the names of their glyphs.
fn meanings(wanted: &[(usize, Vec<u8>)], file: Option<&TrueType<'_>>) -> Vec<String> {
    let all: Vec<Vec<u8>> = wanted.iter().map(|(_, name)| name.clone()).collect();
    let mut texts = names::glyph_texts(&all);
    let unknown = |(code, name): &(usize, Vec<u8>), text: &String| text.is_empty() && *code < 256 && name != b".notdef";
    let places: Vec<usize> = (0..wanted.len()).filter(|at| unknown(&wanted[*at], &texts[*at])).collect();
    let missing: Vec<&[u8]> = places.iter().map(|at| all[*at].as_slice()).collect();
    let found = file.map_or_else(|| vec![None; missing.len()], |file| file.by_names(&missing));
    for ((at, name), found) in places.iter().zip(missing).zip(found) {
        let code = wanted[*at].0 as u32;
        texts[*at] = found.or_else(|| names::numbered(name)).or_else(|| names::readable(code)).unwrap_or_default();
    }
    texts
}

fn composite(document: &Document, font: &Dictionary, to_unicode: Option<CMap>) -> Font {
    let descendants = objects::array(document, font, b"DescendantFonts");
    let inner = descendants.and_then(|all| all.first()).and_then(|object| resolved(document, object).as_dict().ok());
    let mut widths = HashMap::new();
    let mut usual = 1000.0;
    if let Some(inner) = inner {
        usual = number(document, inner, b"DW").unwrap_or(1000.0);
        if let Some(array) = objects::array(document, inner, b"W") {
            widths = character_widths(document, array);
        }
    }
    let descriptor = inner.filter(|_| to_unicode.is_none()).and_then(|it| dictionary(document, it, b"FontDescriptor"));
    let glyphs = || descriptor.map(|it| program::characters(document, it)).unwrap_or_default();
    let encoding = font.get(b"Encoding").ok().map(|object| resolved(document, object));
    let named = match encoding {
        Some(Object::Name(name)) => name.as_slice(),
        _ => b"",
    };
    let codes = match encoding {
        Some(Object::Stream(stream)) => match objects::content(stream) {
            Some(bytes) => Codes::Mapped(CMap::read(&bytes), glyphs()),
            None => Codes::Pairs(glyphs()),
        },
        _ => charset(named).map_or_else(|| Codes::Pairs(glyphs()), Codes::Charset),
    };
    if matches!(codes, Codes::Charset(_)) {
        // Their widths are by characters of a collection we do not know: full ones for all.
        widths.clear();
    }
    Font { to_unicode, codes, widths, usual, height: 1.0, vertical: named.ends_with(b"-V") }
}

/// The charset of a predefined map.
fn charset(name: &[u8]) -> Option<&'static Encoding> {
    let has = |part: &[u8]| memchr::memmem::find(name, part).is_some();
    let name = str::from_utf8(name).ok()?;
    Some(match name {
        _ if has(b"UCS2") || has(b"UTF16") => UTF_16BE,
        _ if has(b"RKSJ") => SHIFT_JIS,
        "EUC-H" | "EUC-V" => EUC_JP,
        _ if has(b"KSC") => EUC_KR,
        _ if name.starts_with("GB") => GBK,
        _ if has(b"B5") || name.starts_with("ETen") || name.starts_with("HKscs") => BIG5,
        _ => return None,
    })
}

/// `W`: `c [w1 w2 ...]` and `first last w`.
fn character_widths(document: &Document, array: &[Object]) -> HashMap<u32, f64> {
    let mut widths = HashMap::new();
    let mut pending: Vec<f64> = Vec::new();
    for object in array {
        match resolved(document, object) {
            Object::Array(list) => {
                let first = pending.pop().unwrap_or(0.0) as u32;
                pending.clear();
                let list = list.iter().map(|width| objects::value(resolved(document, width)).unwrap_or(0.0));
                widths.extend((first..=u32::MAX).zip(list));
            }
            other => pending.extend(objects::value(other)),
        }
        if let [first, last, width] = pending[..] {
            let (first, last) = (first as u32, (last as u32).min(65_535));
            widths.extend((first..=last).map(|code| (code, width)));
            pending.clear();
        }
    }
    widths
}
