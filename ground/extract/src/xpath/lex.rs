//! From the text of an expression to its words, by the rules of XPath 1.0, section 3.7: whether `*`, `and` or `div` is an operator
//! is decided by the word before.

use crate::error::SelectorError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// A sign: brackets, slashes, operators of signs.
    Sign(&'static str),
    /// `and`, `or`, `div`, `mod`, or `*` as an operator.
    Operator(&'static str),
    Name(String),
    Text(String),
    Number(f64),
}

/// Signs, the longer ones first.
const SIGNS: [&str; 21] =
    ["::", "//", "..", "!=", "<=", ">=", "(", ")", "[", "]", ".", "@", ",", "/", "|", "+", "-", "=", "<", ">", "*"];

const NAMED: [&str; 4] = ["and", "or", "div", "mod"];

/// All words, each with the byte where it begins.
pub(super) fn words(text: &str) -> Result<Vec<(usize, Word)>, SelectorError> {
    let mut words: Vec<(usize, Word)> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let is_operand_before = words.last().is_some_and(|(_, word)| match word {
            Word::Sign(sign) => matches!(*sign, ")" | "]" | "." | ".." | "*"),
            Word::Operator(_) => false,
            _ => true,
        });
        let number = c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()));
        let (word, length) = if matches!(c, '"' | '\'') {
            let length = rest[1..].find(c).ok_or_else(|| SelectorError::new(text, at, "this text does not end"))?;
            (Word::Text(rest[1..=length].to_owned()), length + 2)
        } else if number {
            let length = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let number = rest[..length].parse().map_err(|_| SelectorError::new(text, at, "expected a number"))?;
            (Word::Number(number), length)
        } else if is_name_start(c) {
            let length = name_length(rest);
            let name = &rest[..length];
            match NAMED.iter().find(|operator| is_operand_before && **operator == name) {
                Some(operator) => (Word::Operator(operator), length),
                None => (Word::Name(name.to_owned()), length),
            }
        } else if c == '*' && is_operand_before {
            (Word::Operator("*"), 1)
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign =
                sign.ok_or_else(|| SelectorError::new(text, at, "expected a step, a text, a number or an operator"))?;
            (Word::Sign(sign), sign.len())
        };
        words.push((at, word));
        at += length;
    }
    Ok(words)
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// How long the name is that a text begins with: one colon may stand in it, as in `og:title`, but not two.
fn name_length(text: &str) -> usize {
    let mut length = 0;
    for (at, c) in text.char_indices() {
        let part = is_name_start(c) || c.is_numeric() || matches!(c, '-' | '.');
        let colon = c == ':' && text[at + 1..].starts_with(is_name_start) && !text[..at].contains(':');
        if !part && !colon {
            break;
        }
        length = at + c.len_utf8();
    }
    length
}
