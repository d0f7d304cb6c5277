//! Which other files does a style sheet bring in?
//!
//! `@import`, `url()`, and the strings of `image-set()`, by the tokens of CSS Syntax Level 3: comments, strings, escapes,
//! bad strings and bad URLs are what the standard says they are. What stands in `@namespace` names nothing to
//! fetch, nor does a bare fragment. What a sheet imports and what a font is made of counts as style, the rest as image.
//!
//! Cost: linear; every character is looked at once (a word in front of a bracket twice). Not guaranteed: that a rule
//! ever applies, and URLs put together by `var()` or `src()`.

use groma_model::{BlockKind, LinkKind, ParsedPage};

use crate::charset;
use crate::filter::{Filter, Input};
use crate::sheet::Sheet;

/// Reads `text/css`.
#[derive(Clone, Copy, Debug)]
pub struct Css;

impl Filter for Css {
    fn takes(&self, media_type: &str) -> bool {
        media_type == "text/css"
    }

    fn read(&self, input: &Input<'_>) -> ParsedPage {
        let (text, encoding) = charset::decode(input.bytes, input.charset);
        let mut sheet = Sheet::new(input);
        sheet.charset(encoding.name());
        references(&text, |reference, kind| sheet.link(reference, kind, "", "", BlockKind::Paragraph));
        sheet.finish(input.url)
    }
}

/// What an at-rule makes of the URLs in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    None,
    Import,
    Font,
    Namespace,
}

/// Calls `each` with every reference of a style sheet, or of the value of a `style` attribute.
pub(crate) fn references(text: &str, mut each: impl FnMut(&str, LinkKind)) {
    let mut tokens = Tokens { text, bytes: text.as_bytes(), at: 0 };
    let mut rule = Rule::None;
    // For every open bracket: are the strings in it URLs?
    let mut open: Vec<bool> = Vec::new();
    let mut tell = |rule: Rule, reference: &str| {
        let reference = reference.trim();
        let kind = match rule {
            Rule::Import | Rule::Font => LinkKind::Style,
            Rule::None => LinkKind::Image,
            Rule::Namespace => return,
        };
        if !reference.is_empty() && !reference.starts_with('#') {
            each(reference, kind);
        }
    };
    while let Some(token) = tokens.next() {
        match token {
            Token::At(name) => {
                rule = match name.to_ascii_lowercase().as_str() {
                    "import" => Rule::Import,
                    "font-face" => Rule::Font,
                    "namespace" => Rule::Namespace,
                    _ => Rule::None,
                }
            }
            Token::Address(reference) => tell(rule, &reference),
            Token::Text(text) if open.last() == Some(&true) => tell(rule, &text),
            // Of an import, only the first string is an address: the rest are conditions.
            Token::Text(text) if rule == Rule::Import && open.is_empty() => {
                tell(rule, &text);
                rule = Rule::None;
            }
            Token::Text(_) | Token::Other => {}
            Token::Function(name) => {
                let name = name.to_ascii_lowercase();
                open.push(matches!(name.as_str(), "url" | "image-set" | "-webkit-image-set"));
            }
            Token::Open => open.push(false),
            Token::Close => {
                open.pop();
            }
            Token::End => {
                open.clear();
                rule = Rule::None;
            }
            // The bracket of a font's rule, and no semicolon in it, keeps the rule.
            Token::Semicolon => {
                open.clear();
                if rule != Rule::Font {
                    rule = Rule::None;
                }
            }
        }
    }
}

enum Token {
    At(String),
    /// `url(` without quotes.
    Address(String),
    /// In quotes.
    Text(String),
    /// A name and its bracket.
    Function(String),
    Open,
    Close,
    Semicolon,
    /// `}`
    End,
    Other,
}

struct Tokens<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl Tokens<'_> {
    fn next(&mut self) -> Option<Token> {
        let first = *self.bytes.get(self.at)?;
        Some(match first {
            b'/' if self.bytes.get(self.at + 1) == Some(&b'*') => {
                let from = self.at + 2;
                let end = memchr::memmem::find(&self.bytes[from..], b"*/");
                self.at = end.map_or(self.bytes.len(), |end| from + end + 2);
                Token::Other
            }
            b'"' | b'\'' => self.string(first),
            b'@' => {
                self.at += 1;
                Token::At(self.name())
            }
            b'(' | b'[' => self.step(Token::Open),
            b')' | b']' => self.step(Token::Close),
            b'}' => self.step(Token::End),
            b';' => self.step(Token::Semicolon),
            _ if starts_name(self.bytes, self.at) => self.word(),
            _ => {
                self.character();
                Token::Other
            }
        })
    }

    fn step(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    /// The next character, passed over.
    fn character(&mut self) -> char {
        let next = self.text[self.at..].chars().next().unwrap_or('\0');
        self.at += next.len_utf8();
        next
    }

    fn white(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// A name, escapes and all.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while starts_name(self.bytes, self.at) {
            if self.bytes[self.at] == b'\\' {
                name.push(self.escape());
            } else {
                name.push(self.character());
            }
        }
        name
    }

    /// After a backslash: up to six hexadecimal digits and a space, or any character.
    fn escape(&mut self) -> char {
        self.at += 1;
        let digits =
            self.bytes[self.at.min(self.bytes.len())..].iter().take(6).take_while(|b| b.is_ascii_hexdigit()).count();
        if digits == 0 {
            return if self.at < self.bytes.len() { self.character() } else { '\u{fffd}' };
        }
        let code = u32::from_str_radix(&self.text[self.at..self.at + digits], 16).unwrap_or(0);
        self.at += digits;
        if self.bytes[self.at..].starts_with(b"\r\n") {
            self.at += 2;
        } else if self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        char::from_u32(code).filter(|c| *c != '\0').unwrap_or('\u{fffd}')
    }

    /// A string; one that a line ends is none.
    fn string(&mut self, quote: u8) -> Token {
        self.at += 1;
        let mut text = String::new();
        while let Some(&next) = self.bytes.get(self.at) {
            match next {
                _ if next == quote => {
                    self.at += 1;
                    break;
                }
                b'\n' | b'\r' | 0x0c => return Token::Other,
                b'\\' => match self.bytes.get(self.at + 1) {
                    Some(b'\r') if self.bytes.get(self.at + 2) == Some(&b'\n') => self.at += 3,
                    Some(b'\n' | b'\r' | 0x0c) => self.at += 2,
                    _ => text.push(self.escape()),
                },
                _ => text.push(self.character()),
            }
        }
        Token::Text(text)
    }

    /// A word, a function, or a URL without quotes.
    fn word(&mut self) -> Token {
        let name = self.name();
        if self.bytes.get(self.at) != Some(&b'(') {
            return Token::Other;
        }
        self.at += 1;
        if !name.eq_ignore_ascii_case("url") {
            return Token::Function(name);
        }
        self.white();
        if matches!(self.bytes.get(self.at), Some(b'"' | b'\'')) {
            return Token::Function(name);
        }
        self.address()
    }

    /// The rest of `url(` without quotes, its closing bracket included.
    fn address(&mut self) -> Token {
        let mut address = String::new();
        while let Some(&next) = self.bytes.get(self.at) {
            match next {
                b')' => {
                    self.at += 1;
                    return Token::Address(address);
                }
                b if b.is_ascii_whitespace() => {
                    self.white();
                    match self.bytes.get(self.at) {
                        None | Some(b')') => {}
                        Some(_) => return self.bad_address(),
                    }
                }
                b'"' | b'\'' | b'(' | 0..=8 | 0x0b | 0x0e..=0x1f | 0x7f => return self.bad_address(),
                b'\\' if matches!(self.bytes.get(self.at + 1), Some(b'\n' | b'\r' | 0x0c)) => {
                    return self.bad_address();
                }
                b'\\' => address.push(self.escape()),
                _ => address.push(self.character()),
            }
        }
        Token::Address(address)
    }

    /// A URL that is none: passed over up to its bracket.
    fn bad_address(&mut self) -> Token {
        while let Some(&next) = self.bytes.get(self.at) {
            match next {
                b')' => return self.step(Token::Other),
                b'\\' => {
                    self.escape();
                }
                _ => {
                    self.character();
                }
            }
        }
        Token::Other
    }
}

/// Can this character stand in a name?
fn starts_name(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'\\') => !matches!(bytes.get(at + 1), None | Some(b'\n' | b'\r' | 0x0c)),
        Some(b) => b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | 0x80..),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> Vec<(String, LinkKind)> {
        let mut found = Vec::new();
        references(text, |reference, kind| found.push((reference.to_owned(), kind)));
        found
    }

    fn names(text: &str) -> Vec<String> {
        found(text).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn addresses_are_found_by_the_tokens_of_the_standard() {
        for (text, expected) in [
            ("a{background:url(x.png)}", &["x.png"][..]),
            ("a{background:URL( 'x y.png' )}", &["x y.png"]),
            (r"a{background:u\72 l(x\29 .png)}", &["x).png"]),
            ("/* url(a.png) */ b{background:url(\"b.png\")}", &["b.png"]),
            ("a{content:'url(a.png)'}", &[]),
            ("a{background:url(a b.png), url(c.png)}", &["c.png"]),
            ("a{content:'broken\n} b{background:url(b.png)}", &["b.png"]),
            ("a{mask:url(#m);background:url()}", &[]),
            ("a{background:image-set('a.png' 1x, url(b.png) 2x type('image/png'))}", &["a.png", "b.png"]),
            ("a{background:url(a.png", &["a.png"]),
            ("a{background:url(\"a\\\n.png\")}", &["a.png"]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_imported_and_what_fonts_are_made_of_is_style() {
        let text = "@charset 'utf-8'; @import 'a.css' layer('x'); @import url(b.css) screen; @namespace url(http://n.test/);\
                    @font-face{font-family:'F';src:url(f.woff2) format('woff2'), url(f.ttf)} p{background:url(p.png)}";
        let style = ["a.css", "b.css", "f.woff2", "f.ttf"].map(|name| (name.to_owned(), LinkKind::Style));
        let expected: Vec<_> = style.into_iter().chain([("p.png".to_owned(), LinkKind::Image)]).collect();
        assert_eq!(found(text), expected);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(url\\(|@import|@font-face|\\\\|\"|'|\\(|\\)|\\{|\\}|/\\*|\\*/|a|\u{e9}|\n| |;|#){0,40}") {
            for (reference, _) in found(&text) {
                prop_assert!(!reference.trim().is_empty());
            }
        }
    }
}
