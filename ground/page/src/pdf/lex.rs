//! The tokens of PDF's content streams, of CMaps, and of the clear part of Type 1 fonts: they share one syntax.
//!
//! PDF 32000-1, 7.2 and 7.3. Total and linear: whatever does not fit is passed over byte by byte.

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Number(f64),
    /// A string, without its escapes.
    Text(Vec<u8>),
    Name(Vec<u8>),
    /// `[`
    Open,
    /// `]`
    Close,
    /// An operator, or any other word.
    Word(&'a [u8]),
}

pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn is_white(byte: u8) -> bool {
    matches!(byte, 0 | 9 | 10 | 12 | 13 | 32)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Lexer<'a> {
        Lexer { bytes, at: 0 }
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                _ if is_white(byte) => self.at += 1,
                b'%' => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
                }
                b'(' => return Some(Token::Text(self.string())),
                b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => self.at += 2,
                b'<' => return Some(Token::Text(self.hexadecimal())),
                b'/' => return Some(Token::Name(self.name())),
                b'[' => return Some(self.step(Token::Open)),
                b']' => return Some(self.step(Token::Close)),
                b'>' | b')' | b'{' | b'}' => self.at += 1,
                _ => return Some(self.word()),
            }
        }
    }

    fn step(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// What is between brackets, with the escapes resolved; brackets in it are balanced.
    fn string(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut text, mut depth) = (Vec::new(), 1u32);
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut text);
                    continue;
                }
                _ => {}
            }
            text.push(byte);
        }
        text
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(&byte) = self.bytes.get(self.at) else { return };
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'\n' => {}
            b'\r' => self.at += usize::from(self.bytes.get(self.at) == Some(&b'\n')),
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit) = self.bytes.get(self.at).filter(|b| (b'0'..=b'7').contains(b)) else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                text.push(code as u8);
            }
            other => text.push(other),
        }
    }

    fn hexadecimal(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut text, mut half) = (Vec::new(), None);
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            if byte == b'>' {
                break;
            }
            let Some(digit) = char::from(byte).to_digit(16) else { continue };
            match half.take() {
                Some(high) => text.push((high << 4 | digit) as u8),
                None => half = Some(digit),
            }
        }
        text.extend(half.map(|high| (high << 4) as u8));
        text
    }

    fn name(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut name = Vec::new();
        while let Some(&byte) = self.bytes.get(self.at).filter(|b| !is_white(**b) && !is_delimiter(**b)) {
            self.at += 1;
            let digits = self.bytes.get(self.at..self.at + 2).filter(|_| byte == b'#');
            let code = digits.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
            name.push(code.unwrap_or(byte));
            self.at += if code.is_some() { 2 } else { 0 };
        }
        name
    }

    fn word(&mut self) -> Token<'a> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| is_white(*b) || is_delimiter(*b)).unwrap_or(rest.len());
        self.at += end;
        let word = &rest[..end];
        match number(word) {
            Some(number) => Token::Number(number),
            None => Token::Word(word),
        }
    }

    /// After `BI`: the picture that stands in the stream is passed over, up to its `EI`.
    pub(super) fn skip_picture(&mut self) {
        while let Some(found) = memchr::memmem::find(&self.bytes[self.at..], b"EI") {
            let at = self.at + found;
            self.at = at + 2;
            let after = self.bytes.get(self.at).is_none_or(|b| is_white(*b));
            if after && self.bytes.get(at.wrapping_sub(1)).is_some_and(|b| is_white(*b)) {
                return;
            }
        }
        self.at = self.bytes.len();
    }
}

/// A number; writers are known to put a sign in front of a sign, or into the middle.
fn number(word: &[u8]) -> Option<f64> {
    let plain = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+');
    if !word.iter().all(plain) || !word.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let text = str::from_utf8(word).ok()?;
    let signless = text.trim_start_matches(['-', '+']);
    let end = signless.find(['-', '+']).unwrap_or(signless.len());
    let value: f64 = signless[..end].parse().ok()?;
    Some(if text.starts_with('-') { -value } else { value })
}

/// Bytes as a number, the first being the highest; at most four.
pub(super) fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_what_the_standard_says() {
        let mut lexer = Lexer::new(b"% c\n/F#41 -.5 --3 (a\\(b\\)\\101(c)\\\n) <4 1> [7]TJ << /K 1 >> 1.2.3 T*");
        let expected = [
            Token::Name(b"FA".to_vec()),
            Token::Number(-0.5),
            Token::Number(-3.0),
            Token::Text(b"a(b)A(c)".to_vec()),
            Token::Text(b"A".to_vec()),
            Token::Open,
            Token::Number(7.0),
            Token::Close,
            Token::Word(b"TJ"),
            Token::Name(b"K".to_vec()),
            Token::Number(1.0),
            Token::Word(b"1.2.3"),
            Token::Word(b"T*"),
        ];
        for token in expected {
            assert_eq!(lexer.next(), Some(token));
        }
        assert_eq!(lexer.next(), None);
    }

    #[test]
    fn pictures_in_the_stream_are_passed_over() {
        let mut lexer = Lexer::new(b" /W 1 ID (\xffxEIx EI Q");
        lexer.skip_picture();
        assert_eq!(lexer.next(), Some(Token::Word(b"Q")));
    }
}
