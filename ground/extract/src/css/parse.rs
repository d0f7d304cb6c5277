//! From the text of a selector to its tests. Descends by hand, a character at a time; a fault says where and what was expected.

use super::syntax::{
    AttributeTest, COMPOUNDS, Combinator, Comparison, Complex, Compound, CssSyntax, NESTING, Nth, Piece, Test,
};
use crate::error::SelectorError;

/// The rule of a whole text.
pub(super) fn rule(text: &str) -> Result<CssSyntax, SelectorError> {
    let mut cursor = CssCursor { text, at: 0 };
    let list = cursor.list(0)?;
    let piece = cursor.piece()?;
    cursor.blanks();
    if cursor.at < text.len() {
        return Err(cursor.expected("a selector, or ::text, ::attr(name) or ::html at its end"));
    }
    Ok(CssSyntax { list, piece })
}

struct CssCursor<'t> {
    text: &'t str,
    at: usize,
}

impl CssCursor<'_> {
    fn expected(&self, what: &str) -> SelectorError {
        SelectorError::new(self.text, self.at, format!("expected {what}"))
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_here = self.text[self.at..].starts_with(sign);
        self.at += if is_here { sign.len() } else { 0 };
        is_here
    }

    fn must(&mut self, sign: &str) -> Result<(), SelectorError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Passes white space; true if there was some.
    fn blanks(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        blank > 0
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Complex>, SelectorError> {
        if depth > NESTING {
            return Err(SelectorError::new(self.text, self.at, format!("selectors nest at most {NESTING} deep")));
        }
        let mut list = Vec::new();
        loop {
            self.blanks();
            list.push(self.complex(depth)?);
            self.blanks();
            if !self.take(",") {
                return Ok(list);
            }
        }
    }

    fn complex(&mut self, depth: usize) -> Result<Complex, SelectorError> {
        let mut last = self.compound(depth)?;
        let mut before = Vec::new();
        loop {
            let gap = self.blanks();
            let combinator = match self.peek() {
                Some('>') => Combinator::Child,
                Some('+') => Combinator::Next,
                Some('~') => Combinator::Later,
                Some(',' | ')') | None => break,
                Some(':') if gap && self.text[self.at..].starts_with("::") => break,
                _ if gap => Combinator::Descendant,
                _ => break,
            };
            if combinator != Combinator::Descendant {
                self.at += 1;
                self.blanks();
            }
            if before.len() >= COMPOUNDS {
                return Err(SelectorError::new(
                    self.text,
                    self.at,
                    format!("a selector has at most {COMPOUNDS} steps"),
                ));
            }
            let next = self.compound(depth)?;
            before.push((combinator, std::mem::replace(&mut last, next)));
        }
        before.reverse();
        Ok(Complex { last, before })
    }

    fn compound(&mut self, depth: usize) -> Result<Compound, SelectorError> {
        let start = self.at;
        let mut compound = Compound::default();
        if !self.take("*")
            && let Some(name) = self.identifier()?
        {
            compound.name = Some(name.to_ascii_lowercase());
        }
        loop {
            let test = match self.peek() {
                Some('#') => self.named("id", Comparison::Equal)?,
                Some('.') => self.named("class", Comparison::Word)?,
                Some('[') => self.attribute()?,
                Some(':') if !self.text[self.at..].starts_with("::") => self.pseudo(depth)?,
                _ => break,
            };
            compound.tests.push(test);
        }
        if self.at == start {
            Err(self.expected("a name, `*`, `#id`, `.class`, `[attribute]` or `:pseudo`"))
        } else {
            Ok(compound)
        }
    }

    fn named(&mut self, attribute: &str, comparison: Comparison) -> Result<Test, SelectorError> {
        self.at += 1;
        let value = self.identifier()?.ok_or_else(|| self.expected("a name"))?;
        Ok(Test::Attribute(AttributeTest { name: attribute.to_owned(), comparison, value, ignore_case: false }))
    }

    fn attribute(&mut self) -> Result<Test, SelectorError> {
        self.at += 1;
        self.blanks();
        let name = self.identifier()?.ok_or_else(|| self.expected("the name of an attribute"))?.to_ascii_lowercase();
        self.blanks();
        let signs = [
            ("=", Comparison::Equal),
            ("~=", Comparison::Word),
            ("|=", Comparison::Dash),
            ("^=", Comparison::Prefix),
            ("$=", Comparison::Suffix),
            ("*=", Comparison::Substring),
        ];
        let comparison = signs.into_iter().find(|(sign, _)| self.take(sign)).map(|(_, comparison)| comparison);
        let mut test =
            AttributeTest { name, comparison: Comparison::Present, value: String::new(), ignore_case: false };
        if let Some(comparison) = comparison {
            self.blanks();
            test.comparison = comparison;
            test.value = match self.string()? {
                Some(value) => value,
                None => self.identifier()?.ok_or_else(|| self.expected("a value"))?,
            };
            self.blanks();
            test.ignore_case = self.take("i") || self.take("I");
            self.blanks();
        }
        self.must("]")?;
        Ok(Test::Attribute(test))
    }

    fn pseudo(&mut self, depth: usize) -> Result<Test, SelectorError> {
        let start = self.at;
        self.at += 1;
        let name = self.identifier()?.unwrap_or_default().to_ascii_lowercase();
        let nth = |step, first, from_end, of_type| Test::Nth(Nth { step, first, from_end, of_type });
        Ok(match &*name {
            "root" => Test::Root,
            "empty" => Test::Empty,
            "first-child" => nth(0, 1, false, false),
            "last-child" => nth(0, 1, true, false),
            "first-of-type" => nth(0, 1, false, true),
            "last-of-type" => nth(0, 1, true, true),
            "only-child" | "only-of-type" => {
                let of_type = name == "only-of-type";
                let both = [false, true].map(|from_end| nth(0, 1, from_end, of_type)).to_vec();
                let last = Compound { name: None, tests: both };
                Test::Is(vec![Complex { last, before: Vec::new() }])
            }
            "nth-child" | "nth-last-child" | "nth-of-type" | "nth-last-of-type" => {
                let (step, first) = self.step_and_first()?;
                nth(step, first, name.contains("last"), name.ends_with("of-type"))
            }
            "not" => Test::Not(self.nested(depth)?),
            "is" | "where" | "matches" => Test::Is(self.nested(depth)?),
            "has" => self.has(depth)?,
            "contains" | "-soup-contains" => {
                self.must("(")?;
                self.blanks();
                let text = self.string()?.ok_or_else(|| self.expected("a text in quotes"))?;
                self.blanks();
                self.must(")")?;
                Test::Contains(groma_hel::clean(&text))
            }
            _ => {
                self.at = start;
                return Err(self.expected("a pseudo class that speaks of the document, such as :first-child or :not()"));
            }
        })
    }

    fn nested(&mut self, depth: usize) -> Result<Vec<Complex>, SelectorError> {
        self.must("(")?;
        let list = self.list(depth + 1)?;
        self.must(")")?;
        Ok(list)
    }

    fn has(&mut self, depth: usize) -> Result<Test, SelectorError> {
        self.must("(")?;
        let mut list = Vec::new();
        loop {
            self.blanks();
            let combinator = match self.peek() {
                Some('>') => Combinator::Child,
                Some('+') => Combinator::Next,
                Some('~') => Combinator::Later,
                _ => Combinator::Descendant,
            };
            self.at += usize::from(combinator != Combinator::Descendant);
            self.blanks();
            if depth >= NESTING {
                return Err(SelectorError::new(self.text, self.at, format!("selectors nest at most {NESTING} deep")));
            }
            list.push((combinator, self.complex(depth + 1)?));
            self.blanks();
            if !self.take(",") {
                break;
            }
        }
        self.must(")")?;
        Ok(Test::Has(list))
    }

    /// `2n+1`, `odd`, `even`, `3`, `-n+3` in brackets.
    fn step_and_first(&mut self) -> Result<(i32, i32), SelectorError> {
        self.must("(")?;
        let end = self.text[self.at..].find(')').ok_or_else(|| self.expected("`)`"))?;
        let inner: String = self.text[self.at..self.at + end].split_whitespace().collect();
        let inner = inner.to_ascii_lowercase();
        let numbers = match (&*inner, inner.split_once('n')) {
            ("odd", _) => Some((2, 1)),
            ("even", _) => Some((2, 0)),
            (_, None) => inner.parse().ok().map(|first| (0, first)),
            (_, Some((step, first))) => {
                let step = match step {
                    "" | "+" => Some(1),
                    "-" => Some(-1),
                    step => step.parse().ok(),
                };
                let first = if first.is_empty() { Some(0) } else { first.parse().ok() };
                step.zip(first)
            }
        };
        let numbers = numbers.ok_or_else(|| self.expected("a place such as 2, odd or 2n+1"))?;
        self.at += end + 1;
        Ok(numbers)
    }

    fn piece(&mut self) -> Result<Piece, SelectorError> {
        self.blanks();
        if !self.take("::") {
            return Ok(Piece::Text);
        }
        let name = self.identifier()?.unwrap_or_default();
        match &*name {
            "text" => Ok(Piece::OwnText),
            "html" => Ok(Piece::Html),
            "attr" => {
                self.must("(")?;
                self.blanks();
                let name = self.identifier()?.ok_or_else(|| self.expected("the name of an attribute"))?;
                self.blanks();
                self.must(")")?;
                Ok(Piece::Attribute(name.to_ascii_lowercase()))
            }
            _ => Err(self.expected("::text, ::attr(name) or ::html")),
        }
    }

    /// A name as CSS writes it, escapes resolved; nothing if there is none here.
    fn identifier(&mut self) -> Result<Option<String>, SelectorError> {
        let mut name = String::new();
        while let Some(c) = self.peek() {
            match c {
                'a'..='z' | 'A'..='Z' | '_' | '-' | '0'..='9' => {
                    if name.is_empty() && c.is_ascii_digit() {
                        return Err(self.expected("a name; one that begins with a digit is written as \\3N "));
                    }
                    name.push(c);
                }
                '\\' => {
                    self.at += 1;
                    name.push(self.escape()?);
                    continue;
                }
                c if !c.is_ascii() => name.push(c),
                _ => break,
            }
            self.at += c.len_utf8();
        }
        Ok(Some(name).filter(|name| !name.is_empty()))
    }

    /// What stands behind a backslash: hexadecimal digits and a blank, or a character that stands for itself.
    fn escape(&mut self) -> Result<char, SelectorError> {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
        if digits > 0 {
            let code = u32::from_str_radix(&rest[..digits], 16).ok();
            self.at += digits;
            if self.peek().is_some_and(char::is_whitespace) {
                self.at += 1;
            }
            return Ok(code.and_then(char::from_u32).filter(|c| *c != '\0').unwrap_or('\u{fffd}'));
        }
        let c = self.peek().ok_or_else(|| self.expected("a character behind `\\`"))?;
        self.at += c.len_utf8();
        Ok(c)
    }

    fn string(&mut self) -> Result<Option<String>, SelectorError> {
        let Some(quote @ ('"' | '\'')) = self.peek() else { return Ok(None) };
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                None => return Err(self.expected(&format!("`{quote}` at the end of the text"))),
                Some('\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                Some(c) => {
                    self.at += c.len_utf8();
                    if c == quote {
                        return Ok(Some(text));
                    }
                    text.push(c);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, at) in [
            ("", 0),
            ("div >", 5),
            ("a[href", 6),
            ("a:hover", 1),
            ("a::size", 7),
            ("#1a", 1),
            ("a,,b", 2),
            ("li:nth-child(x)", 13),
            ("a[title='x]", 11),
            ("a)b", 1),
            ("p::text b", 8),
        ] {
            let fault = rule(text).unwrap_err();
            assert_eq!(fault.at, at, "{text}: {fault}");
        }
        let deep = format!("{}a{}", ":not(".repeat(20), ")".repeat(20));
        assert!(rule(&deep).unwrap_err().to_string().contains("nest at most"));
        let deep = format!("{}a{}", ":has(".repeat(20), ")".repeat(20));
        assert!(rule(&deep).unwrap_err().to_string().contains("nest at most"));
    }

    #[test]
    fn escapes_and_places_are_read() {
        assert_eq!(rule(r"#\31 a").unwrap(), rule("[id='1a']").unwrap());
        assert_eq!(rule(r".a\:b").unwrap(), rule("[class~='a:b']").unwrap());
        for (text, numbers) in [("2n+1", (2, 1)), ("odd", (2, 1)), (" -n + 3 ", (-1, 3)), ("4", (0, 4)), ("n", (1, 0))]
        {
            let mut cursor = CssCursor { text: &format!("({text})"), at: 0 };
            assert_eq!(cursor.step_and_first().unwrap(), numbers, "{text}");
        }
    }
}
