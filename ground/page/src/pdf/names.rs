//! What characters do the names of glyphs stand for?
//!
//! The names of the Adobe Glyph List, and those that TeX's fonts have beside them, are listed in `glyphs.txt`; beside it the rules of the
//! Adobe Glyph List Specification: what follows a full stop is a variant, `_` joins, `uniXXXX` and `uXXXXX` are codes. Ligatures are taken
//! apart: people search for the letters. (The PDF library knows the list too, as half a megabyte of code.)

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

use super::encodings;

const LIST: &str = include_str!("glyphs.txt");

/// What fonts that follow Unicode's own names call the Thai letters from U+0E01 on; `-` has no such name.
const THAI: &str = "KoKai KhoKhai KhoKhuat KhoKhwai KhoKhon KhoRakhang NgoNgu ChoChan ChoChing ChoChang SoSo ChoChoe YoYing DoChada ToPatak ThoThan ThoNangmontho ThoPhuthao NoNen DoDek ToTao ThoThung ThoThahan ThoThong NoNu BoBaimai PoPla PhoPhung FoFa PhoPhan FoFan PhoSamphao MoMa YoYak RoRua Ru LoLing Lu WoWaen SoSala SoRusi SoSua HoHip LoChula OAng HoNokhuk Paiyannoi SaraA MaiHan_akat SaraAa SaraAm SaraI SaraIi SaraUe SaraUee SaraU SaraUu Phinthu - - - - - SaraE SaraAe SaraO SaraAiMaimuan SaraAiMaimalai Lakkhangyao Maiyamok Maitaikhu MaiEk MaiTho MaiTri MaiChattawa Thanthakhat Nikhahit Yamakkan Fongman DigitZero DigitOne DigitTwo DigitThree DigitFour DigitFive DigitSix DigitSeven DigitEight DigitNine Angkhankhu Khomut";

/// The characters of the 256 codes of a base encoding; Adobe's standard encoding unless another is named.
pub(super) fn base(name: Option<&[u8]>) -> Vec<String> {
    encodings::named(name).into_iter().map(|c| c.map_or_else(String::new, letter)).collect()
}

/// The characters of glyph names; empty for unknown names.
pub(super) fn glyph_texts(names: &[Vec<u8>]) -> Vec<String> {
    names.iter().map(|name| named(name)).collect()
}

fn named(name: &[u8]) -> String {
    let name = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    match listed(name) {
        Some(character) => letter(character),
        None => by_rule(name),
    }
}

/// A character of the list as people search for it. Adobe puts small capitals and old-style figures at U+F7XX, XX being the plain letter;
/// fonts of other makers have pictures there, so this holds for names and not for codes.
fn letter(character: char) -> String {
    match character {
        '\u{f721}'..='\u{f77e}' | '\u{f7a1}'..='\u{f7ff}' => {
            char::from_u32(u32::from(character) - 0xf700).map(String::from).unwrap_or_default()
        }
        _ => apart(character.encode_utf8(&mut [0; 4])),
    }
}

/// The character of a name of the list: lines `NAME CODE`, in the order of the names' bytes.
fn listed(name: &[u8]) -> Option<char> {
    let mut rest = LIST.as_bytes();
    while !rest.is_empty() {
        let begins = |at: usize| rest[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let (before, from) = rest.split_at(begins(rest.len() / 2));
        let (line, after) = from.split_at(from.iter().position(|byte| *byte == b'\n')? + 1);
        let (known, code) = line.trim_ascii_end().split_at(line.iter().position(|byte| *byte == b' ')?);
        rest = match name.cmp(known) {
            Ordering::Less => before,
            Ordering::Greater => after,
            Ordering::Equal => return char::from_u32(u32::from_str_radix(str::from_utf8(code).ok()?.trim(), 16).ok()?),
        };
    }
    None
}

/// A name that is in no list.
fn by_rule(name: &[u8]) -> String {
    let Ok(name) = str::from_utf8(name) else { return String::new() };
    if let Some(letter) = name.strip_prefix("Thai").and_then(thai) {
        return letter.to_string();
    }
    if name.contains('_') && name.len() <= 64 {
        let parts: Vec<Vec<u8>> = name.split('_').map(|part| part.as_bytes().to_vec()).collect();
        return if parts.iter().all(|part| !part.is_empty()) { glyph_texts(&parts).concat() } else { String::new() };
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
        // What TeX's fonts call theirs.
        "visiblespace" => "\u{2423}",
        "Eng" | "Ng" => "\u{14a}",
        "eng" | "ng" => "\u{14b}",
        "Ohorn" => "\u{1a0}",
        "lscript" => "\u{2113}",
        "epsilon1" => "\u{3f5}",
        "tie" => "\u{2040}",
        "star" => "\u{22c6}",
        "sfthyphen" | "softhyphen" => "\u{ad}",
        "Germandbls" => "SS",
        _ => "",
    };
    character.map_or_else(|| other.to_owned(), |character| apart(&character.to_string()))
}

/// `CharacterKoKai`, `DigitOne`, or a letter in the form it has beside others, `CharacterMaiEkLowLeft`.
fn thai(name: &str) -> Option<char> {
    let form = name.strip_prefix("Character").unwrap_or(name);
    let plain = ["LowLeft", "Left", "Low", "Descless"].iter().find_map(|end| form.strip_suffix(end)).unwrap_or(form);
    let at = THAI.split(' ').position(|known| known == plain)?;
    char::from_u32(0xe01 + u32::try_from(at).ok()?)
}

/// `a65`, `c65`, `char65`: names without a meaning that hold the code of the character. In fonts TeX made of pictures
/// (`a11`) the first codes are ligatures.
pub(super) fn numbered(name: &[u8]) -> Option<String> {
    let name = str::from_utf8(name).ok()?;
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let code: u32 = digits.parse().ok()?;
    match (&name[..name.len() - digits.len()], code) {
        ("a", 11) => Some("ff".to_owned()),
        ("a", 12) => Some("fi".to_owned()),
        ("a", 13) => Some("fl".to_owned()),
        ("a", 14) => Some("ffi".to_owned()),
        ("a", 15) => Some("ffl".to_owned()),
        ("a" | "c" | "C" | "char" | "G" | "g" | "x", code) => readable(code),
        _ => None,
    }
}

/// The character of a code of one byte, if it can be seen.
pub(super) fn readable(code: u32) -> Option<String> {
    char::from_u32(code)
        .filter(|c| matches!(c, ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}'))
        .map(String::from)
}

/// Ligatures as the letters they are made of, and the forms Arabic and Hebrew letters take in a word as the letters: what
/// people search for.
pub(super) fn apart(text: &str) -> String {
    let is_form = |c: char| matches!(c, '\u{fb00}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    if !text.chars().any(is_form) {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            // Marks that stand alone: the space below them is no part of the text.
            '\u{fc5e}'..='\u{fc63}' | '\u{fe70}'..='\u{fe7f}' => out.extend(c.nfkc().filter(|c| *c != ' ')),
            _ if is_form(c) => out.extend(c.nfkc()),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use lopdf::{Document, Encoding, Object, dictionary};

    use super::*;

    #[test]
    fn names_are_characters_by_the_list_or_by_rule() {
        let names = [
            "A",
            "eacute",
            "fi",
            "f_f_i",
            "uni00410042",
            "u1F600",
            "a.sc",
            "afii10017",
            "nobody",
            "",
            "Euro",
            "ThaiCharacterMaiHan_akatLeft",
            "ThaiDigitNine",
            "oneoldstyle",
            "Eacutesmall",
        ];
        let names: Vec<Vec<u8>> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        let expected = [
            "A",
            "\u{e9}",
            "fi",
            "ffi",
            "AB",
            "\u{1f600}",
            "a",
            "\u{410}",
            "",
            "",
            "\u{20ac}",
            "\u{e31}",
            "\u{e59}",
            "1",
            "\u{e9}",
        ];
        assert_eq!(glyph_texts(&names), expected);
    }

    #[test]
    fn every_name_of_the_list_is_found_and_has_the_character_the_library_says() {
        let mut before = "";
        for line in LIST.lines() {
            let (name, code) = line.split_once(' ').unwrap();
            assert!(before < name, "{name} is out of order");
            before = name;
            let character = listed(name.as_bytes()).unwrap();
            assert_eq!(character as u32, u32::from_str_radix(code, 16).unwrap(), "{name}");
            assert_eq!(library(name), Some(character), "{name}");
        }
        for nobody in ["", "\n", " ", "A ", "A 0041", "0041", "zz", "\u{e9}", "nobody"] {
            assert_eq!(listed(nobody.as_bytes()), None, "{nobody:?}");
        }
    }

    /// What lopdf takes a glyph name for.
    fn library(name: &str) -> Option<char> {
        let difference = Object::Array(vec![Object::Integer(0), Object::Name(name.as_bytes().to_vec())]);
        let font = dictionary! { "Type" => "Font", "Encoding" => dictionary! { "Differences" => difference } };
        match font.get_font_encoding(&Document::new()) {
            Ok(Encoding::Differences(known)) => char::from_u32(known.map.get(&0)?.utf16_code_unit().into()),
            _ => None,
        }
    }

    #[test]
    fn numbers_in_names_are_codes() {
        let numbered = |name: &str| numbered(name.as_bytes()).unwrap_or_default();
        assert_eq!(
            ["a65", "char233", "a11", "g11", "a7", "n65", "a99999999999"].map(numbered),
            ["A", "\u{e9}", "ff", "", "", "", ""]
        );
    }

    #[test]
    fn forms_are_the_letters_people_search_for() {
        assert_eq!(apart("o\u{fb03}ce \u{fb06}"), "office st");
        assert_eq!(apart("\u{fee3}\u{feae}\u{fea3}\u{fe92}\u{fe8e}"), "\u{645}\u{631}\u{62d}\u{628}\u{627}");
        assert_eq!(apart("\u{fefb}\u{fe76}\u{fb2a}"), "\u{644}\u{627}\u{64e}\u{5e9}\u{5c1}");
        assert_eq!(apart("\u{f7e9}"), "\u{f7e9}", "a code there may be a picture");
        assert_eq!(apart("\u{b2}\u{ff21}"), "\u{b2}\u{ff21}", "others are as they were written");
    }

    #[test]
    fn base_encodings_are_as_the_library_has_them() {
        for name in ["StandardEncoding", "WinAnsiEncoding", "MacRomanEncoding", "MacExpertEncoding"] {
            let (document, font) = (Document::new(), dictionary! { "Type" => "Font", "Encoding" => name });
            let encoding = font.get_font_encoding(&document).unwrap();
            let characters = encodings::named(Some(name.as_bytes()));
            assert_eq!(characters.len(), 256);
            for (code, character) in (0..=255).zip(characters) {
                let known = encoding.bytes_to_string(&[code]).unwrap();
                assert_eq!(known, character.map(String::from).unwrap_or_default(), "{name} {code}");
            }
        }
        assert_eq!(base(None)[0xae], "fi");
        assert_eq!(base(Some(b"WinAnsiEncoding"))[0xe9], "\u{e9}");
        assert_eq!(base(Some(b"MacRomanEncoding"))[0x8e], "\u{e9}");
    }
}
