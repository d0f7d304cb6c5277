//! What characters do the names of glyphs stand for?
//!
//! Adobe's list is the one the PDF library has; beside it the rules of the Adobe Glyph List Specification: what follows a
//! full stop is a variant, `_` joins, `uniXXXX` and `uXXXXX` are codes. Ligatures are taken apart: people search for the
//! letters.

use lopdf::{Dictionary, Document, Encoding, Object};

/// The characters of the 256 codes of a base encoding; Adobe's standard encoding unless another is named.
pub(super) fn base(name: Option<&[u8]>) -> Vec<String> {
    let name = match name {
        Some(name @ (b"WinAnsiEncoding" | b"MacRomanEncoding" | b"MacExpertEncoding")) => name,
        _ => b"StandardEncoding",
    };
    let (document, font) = (Document::new(), font(Object::Name(name.to_vec())));
    let encoding = font.get_font_encoding(&document).ok();
    let one = |code: u8| encoding.as_ref().and_then(|it| it.bytes_to_string(&[code]).ok()).unwrap_or_default();
    (0..=255).map(|code| apart(&one(code))).collect()
}

/// The characters of names; empty where nobody knows.
pub(super) fn of(names: &[Vec<u8>]) -> Vec<String> {
    let document = Document::new();
    names.iter().map(|name| named(&document, name)).collect()
}

fn named(document: &Document, name: &[u8]) -> String {
    let name = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    if name.is_empty() {
        return String::new();
    }
    // One by one: the library refuses an encoding with a single name it does not know.
    let mut encoding = Dictionary::new();
    encoding.set("Differences", Object::Array(vec![Object::Integer(0), Object::Name(name.to_vec())]));
    let font = font(Object::Dictionary(encoding));
    let unit = match font.get_font_encoding(document) {
        Ok(Encoding::Differences(known)) => known.map.get(&0).map_or(0, |glyph| glyph.utf16_code_unit()),
        _ => 0,
    };
    if unit == 0 { by_rule(name) } else { apart(&String::from_utf16_lossy(&[unit])) }
}

fn font(encoding: Object) -> Dictionary {
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Encoding", encoding);
    font
}

/// A name that is in no list.
fn by_rule(name: &[u8]) -> String {
    let Ok(name) = str::from_utf8(name) else { return String::new() };
    if name.contains('_') && name.len() <= 64 {
        let parts: Vec<Vec<u8>> = name.split('_').map(|part| part.as_bytes().to_vec()).collect();
        return if parts.iter().all(|part| !part.is_empty()) { of(&parts).concat() } else { String::new() };
    }
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit()) && text.len() >= 4;
    if let Some(codes) = name.strip_prefix("uni").filter(|codes| digits(codes) && codes.len() % 4 == 0) {
        let unit = |at: usize| u16::from_str_radix(&codes[at..at + 4], 16).unwrap_or(0);
        let units: Vec<u16> = (0..codes.len()).step_by(4).map(unit).collect();
        return apart(&String::from_utf16_lossy(&units));
    }
    let code = name.strip_prefix('u').filter(|code| digits(code) && code.len() <= 6);
    let character = code.and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
    let other = match name {
        "ff" => "ff",
        "fi" => "fi",
        "fl" => "fl",
        "ffi" => "ffi",
        "ffl" => "ffl",
        "dotlessj" => "\u{237}",
        "nbspace" | "nonbreakingspace" => " ",
        "sfthyphen" | "softhyphen" => "\u{ad}",
        "Germandbls" => "SS",
        _ => "",
    };
    character.map_or_else(|| other.to_owned(), |character| apart(&character.to_string()))
}

/// Ligatures as the letters they are made of.
pub(super) fn apart(text: &str) -> String {
    if !text.chars().any(|c| ('\u{fb00}'..='\u{fb06}').contains(&c)) {
        return text.to_owned();
    }
    let letters = |c: char| match c {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        '\u{fb05}' | '\u{fb06}' => "st",
        _ => "",
    };
    text.chars().fold(String::new(), |mut out, c| {
        match letters(c) {
            "" => out.push(c),
            letters => out.push_str(letters),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_characters_by_the_list_or_by_rule() {
        let names = ["A", "eacute", "fi", "f_f_i", "uni00410042", "u1F600", "a.sc", "afii10017", "nobody", "", "Euro"];
        let names: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        let expected = ["A", "\u{e9}", "fi", "ffi", "AB", "\u{1f600}", "a", "\u{410}", "", "", "\u{20ac}"];
        assert_eq!(of(&names), expected);
    }

    #[test]
    fn base_encodings_differ_where_they_should() {
        assert_eq!(base(None)[0xae], "fi");
        assert_eq!(base(Some(b"WinAnsiEncoding"))[0xe9], "\u{e9}");
        assert_eq!(base(Some(b"MacRomanEncoding"))[0x8e], "\u{e9}");
    }
}
