//! CMaps: how long a code is, and what it stands for (PDF 32000-1, 9.7.5 and 9.10.3).
//!
//! Read are the code spaces, `bfchar` and `bfrange` (codes to text), `cidchar` and `cidrange` (codes to characters of a
//! font). Cost: linear in the stream for reading; a code is looked up in the logarithm of the ranges. A range is kept as
//! such, so a short stream cannot become a large table.

use std::collections::BTreeMap;

use super::lex::{Lexer, Token, code};

#[derive(Debug, Default)]
pub(super) struct CMap {
    /// Lengths of codes, with the first and the last.
    spaces: Vec<(usize, u32, u32)>,
    /// By length and first code: the last one, and the text of the first.
    texts: BTreeMap<(usize, u32), (u32, Vec<u16>)>,
    /// By length and first code: the last one, and the character of the first.
    cids: BTreeMap<(usize, u32), (u32, u32)>,
}

impl CMap {
    pub(super) fn read(bytes: &[u8]) -> CMap {
        let mut map = CMap::default();
        let mut lexer = Lexer::new(bytes);
        let mut section: &[u8] = b"";
        let mut pending: Vec<Token<'_>> = Vec::new();
        // Inside the array of a range: which code comes next, and its length.
        let mut array: Option<(usize, u32)> = None;
        while let Some(token) = lexer.next() {
            match token {
                Token::Word(word) => {
                    section = word.strip_prefix(b"begin").unwrap_or_default();
                    pending.clear();
                    array = None;
                }
                Token::Open => {
                    if let [Token::Text(low), Token::Text(_)] = pending.as_slice() {
                        array = Some((low.len(), code(low)));
                    }
                }
                Token::Close => {
                    array = None;
                    pending.clear();
                }
                Token::Text(text) if array.is_some() => {
                    if let Some((length, at)) = &mut array {
                        map.texts.insert((*length, *at), (*at, units(&text)));
                        *at = at.saturating_add(1);
                    }
                }
                Token::Text(_) | Token::Number(_) => {
                    pending.push(token);
                    if map.entry(section, &pending) {
                        pending.clear();
                    }
                }
                Token::Name(_) => pending.clear(),
            }
        }
        map
    }

    /// Takes an entry of a section; true if it was complete.
    fn entry(&mut self, section: &[u8], parts: &[Token<'_>]) -> bool {
        match (section, parts) {
            (b"codespacerange", [Token::Text(low), Token::Text(high)]) => {
                if (1..=4).contains(&low.len()) {
                    self.spaces.push((low.len(), code(low), code(high)));
                }
            }
            (b"bfchar", [Token::Text(from), Token::Text(to)]) => {
                self.texts.insert((from.len(), code(from)), (code(from), units(to)));
            }
            (b"bfrange", [Token::Text(low), Token::Text(high), Token::Text(to)]) => {
                self.texts.insert((low.len(), code(low)), (code(high), units(to)));
            }
            (b"cidchar", [Token::Text(from), Token::Number(cid)]) => {
                self.cids.insert((from.len(), code(from)), (code(from), *cid as u32));
            }
            (b"cidrange", [Token::Text(low), Token::Text(high), Token::Number(cid)]) => {
                self.cids.insert((low.len(), code(low)), (code(high), *cid as u32));
            }
            (b"codespacerange" | b"bfchar" | b"bfrange" | b"cidchar" | b"cidrange", parts) => return parts.len() > 3,
            _ => return true,
        }
        true
    }

    /// Does it say what anything stands for?
    pub(super) fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// How many bytes the code has that a string begins with.
    pub(super) fn length(&self, string: &[u8]) -> Option<usize> {
        let fits = |(length, low, high): &&(usize, u32, u32)| {
            string.get(..*length).is_some_and(|bytes| {
                bytes.iter().enumerate().all(|(at, byte)| {
                    let shift = 8 * (length - 1 - at);
                    ((low >> shift) as u8..=(high >> shift) as u8).contains(byte)
                })
            })
        };
        self.spaces.iter().find(fits).map(|(length, ..)| *length)
    }

    /// The shortest code there is.
    pub(super) fn shortest(&self) -> Option<usize> {
        self.spaces.iter().map(|(length, ..)| *length).min()
    }

    /// The text of a code.
    pub(super) fn text(&self, length: usize, code: u32) -> Option<String> {
        let ((found, low), (high, units)) = self.texts.range(..=(length, code)).next_back()?;
        if *found != length || code > *high {
            return None;
        }
        let mut units = units.clone();
        if let Some(last) = units.last_mut() {
            *last = last.wrapping_add((code - low) as u16);
        }
        Some(String::from_utf16_lossy(&units))
    }

    /// The character of a font for a code.
    pub(super) fn cid(&self, length: usize, code: u32) -> Option<u32> {
        let ((found, low), (high, cid)) = self.cids.range(..=(length, code)).next_back()?;
        (*found == length && code <= *high).then(|| cid.saturating_add(code - low))
    }
}

fn units(bytes: &[u8]) -> Vec<u16> {
    if let [one] = bytes {
        return vec![u16::from(*one)];
    }
    // No code stands for a sentence.
    bytes.chunks_exact(2).take(64).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_looked_up_by_length() {
        let map = CMap::read(
            b"1 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange 2 beginbfchar <01> <00660069> <8140> <D83DDE00> endbfchar\
              2 beginbfrange <0002> <0004> <0041> <0010> <0011> [<0058> <0059>] endbfrange 1 begincidrange <8140> <8150> 633 endcidrange",
        );
        assert_eq!(map.text(1, 1).as_deref(), Some("fi"));
        assert_eq!(map.text(2, 0x8140).as_deref(), Some("\u{1f600}"));
        assert_eq!(map.text(2, 4).as_deref(), Some("C"));
        assert_eq!(map.text(2, 0x11).as_deref(), Some("Y"));
        assert_eq!(map.text(2, 5), None);
        assert_eq!((map.length(b"\x81\x40"), map.length(b"\x41"), map.length(b"\xff\xff")), (Some(2), Some(1), None));
        assert_eq!(map.cid(2, 0x8142), Some(635));
    }
}
