//! Which values can this field take? Lists of values, and regular expressions of finite languages.
//!
//! ```text
//! values = value { "," value }          a value may stand in quotes, with commas in it
//! field  = /expression/ | 'expression' | expression      the last two for text fields, if a class [..] stands in it
//! ```
//!
//! An expression is not matched but spelled out: `[A-Z]%` is `A%` to `Z%`; `%` is the target's wildcard and a letter to us.
//! Values and bytes are counted on the syntax tree before one is made:
//!
//! ```text
//! n(xy) = n(x) n(y)    n(x|y) = n(x) + n(y)    n(x{a,b}) = sum over k in a..b of n(x)^k    n([class]) = its letters
//! ```
//!
//! `x*`, `x+` and `x{2,}` are infinite unless x is empty, and refused; so is what is more than [`VALUES`] or [`BYTES`], and
//! look-around of any kind but `^` first and `$` last. n counts ways, so `(a|a)` counts twice and gives one value.
//! Cost: O(m log k) for m bytes that come out and k parts or repetitions: long values are put together from halves.

use std::collections::HashSet;
use std::fmt;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// Values of a field.
pub const VALUES: u64 = 10_000;

/// Bytes of all values of a field.
pub const BYTES: u64 = 1 << 20;

/// Bytes of a list or an expression.
pub const TEXT: usize = 256 << 10;

/// Why there are no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Something may be repeated without end.
    Infinite,
    /// There are more than are taken.
    TooMany,
    /// It cannot be spelled out: the reason.
    Unclear(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Infinite => {
                f.write_str("the expression has no end of values; give each repetition an upper bound")
            }
            Refusal::TooMany => write!(f, "there are more than {VALUES} values or {BYTES} bytes of them"),
            Refusal::Unclear(why) => write!(f, "the expression cannot be spelled out: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}

/// The values that a tag gives a field. `is_text` says that it is a text field, where an expression may stand without slashes.
pub fn domain(content: &str, is_text: bool) -> Result<Vec<String>, Refusal> {
    let content = content.trim();
    if content.len() > TEXT {
        return Err(Refusal::TooMany);
    }
    if let Some(expression) = content.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')) {
        return expand(expression);
    }
    if is_text {
        let bare = unquoted(content).unwrap_or(content);
        let has_class = bare.find('[').is_some_and(|at| bare[at..].contains(']'));
        // What is no expression after all is a value.
        if has_class {
            match expand(bare) {
                Err(Refusal::Unclear(_)) => {}
                spelled => return spelled,
            }
        }
    }
    let values = list(content);
    if values.len() as u64 > VALUES { Err(Refusal::TooMany) } else { Ok(values) }
}

fn unquoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .into_iter()
        .find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote))
        .filter(|inner| !inner.contains(['\'', '"']))
}

/// A list of values: distinct, in order, without blank ones.
pub fn list(content: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = content;
    loop {
        rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'));
        // A quote counts if it is closed and a comma or the end follows.
        let quoted = quote.and_then(|quote| {
            let end = rest[1..].find(quote)? + 1;
            let after = rest[end + 1..].trim_start();
            (after.is_empty() || after.starts_with(',')).then_some((&rest[1..end], after))
        });
        let (value, after) = match quoted {
            Some((value, after)) => (value, after.strip_prefix(',')),
            None => {
                rest.split_once(',').map_or((rest.trim_end(), None), |(value, after)| (value.trim_end(), Some(after)))
            }
        };
        if !value.trim().is_empty() {
            values.push(value.to_owned());
        }
        match after {
            Some(after) => rest = after,
            None => break,
        }
    }
    distinct(values)
}

fn distinct(values: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::with_capacity(values.len());
    values.into_iter().filter(|value| seen.insert(value.clone())).collect()
}

/// All strings of the language of an expression, distinct, in the order of its alternatives and classes.
pub fn expand(expression: &str) -> Result<Vec<String>, Refusal> {
    let parsed = ParserBuilder::new().nest_limit(64).build().parse(expression);
    let hir = parsed.map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim().to_owned();
        Refusal::Unclear(last.strip_prefix("error: ").unwrap_or(&last).to_owned())
    })?;
    let hir = without_anchors(&hir);
    let size = size(&hir)?;
    if size.values > VALUES || size.bytes > BYTES {
        return Err(Refusal::TooMany);
    }
    let spelled = spell(&hir)?.into_iter().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    Ok(distinct(spelled.collect()))
}

/// `^` at the beginning and `$` at the end say nothing here.
fn without_anchors(hir: &Hir) -> Hir {
    let start = |part: &Hir| matches!(part.kind(), HirKind::Look(Look::Start));
    let end = |part: &Hir| matches!(part.kind(), HirKind::Look(Look::End));
    match hir.kind() {
        HirKind::Concat(parts) => {
            let mut parts = parts.as_slice();
            while let [first, rest @ ..] = parts
                && start(first)
            {
                parts = rest;
            }
            while let [rest @ .., last] = parts
                && end(last)
            {
                parts = rest;
            }
            Hir::concat(parts.to_vec())
        }
        HirKind::Look(Look::Start | Look::End) => Hir::empty(),
        _ => hir.clone(),
    }
}

/// How much an expression spells out to, up to numbers that are too large anyway.
#[derive(Clone, Copy)]
struct Size {
    values: u64,
    bytes: u64,
}

/// Nothing but the empty string.
const EMPTY: Size = Size { values: 1, bytes: 0 };

impl Size {
    fn then(self, next: Size) -> Size {
        let bytes = self.bytes.saturating_mul(next.values).saturating_add(next.bytes.saturating_mul(self.values));
        Size { values: self.values.saturating_mul(next.values), bytes }
    }

    fn or(self, other: Size) -> Size {
        Size { values: self.values.saturating_add(other.values), bytes: self.bytes.saturating_add(other.bytes) }
    }
}

fn size(hir: &Hir) -> Result<Size, Refusal> {
    Ok(match hir.kind() {
        HirKind::Empty => EMPTY,
        HirKind::Literal(literal) => Size { values: 1, bytes: literal.0.len() as u64 },
        HirKind::Class(class) => {
            let values = match class {
                Class::Unicode(class) => {
                    class.ranges().iter().map(regex_syntax::hir::ClassUnicodeRange::len).sum::<usize>()
                }
                Class::Bytes(class) => class.ranges().iter().map(regex_syntax::hir::ClassBytesRange::len).sum(),
            } as u64;
            Size { values, bytes: values.saturating_mul(4) }
        }
        HirKind::Look(_) => return Err(Refusal::Unclear("`^`, `$` and `\\b` stand inside of it".into())),
        HirKind::Capture(capture) => size(&capture.sub)?,
        HirKind::Concat(parts) => parts.iter().try_fold(EMPTY, |sum, part| bounded(sum.then(size(part)?)))?,
        HirKind::Alternation(parts) => {
            parts.iter().try_fold(Size { values: 0, bytes: 0 }, |sum, part| bounded(sum.or(size(part)?)))?
        }
        HirKind::Repetition(repetition) => {
            let once = size(&repetition.sub)?;
            if once.bytes == 0 {
                // The empty string, however often; or, of an empty language, what none of it is.
                let none = once.values == 0 && repetition.min > 0;
                return Ok(Size { values: u64::from(!none), bytes: 0 });
            }
            let max = repetition.max.ok_or(Refusal::Infinite)?;
            if u64::from(max.saturating_sub(repetition.min)) > VALUES || u64::from(repetition.min) > BYTES {
                return Err(Refusal::TooMany);
            }
            let mut power = power_size(once, repetition.min)?;
            let mut sum = power;
            for _ in repetition.min..max {
                power = bounded(power.then(once))?;
                sum = sum.or(power);
            }
            sum
        }
    })
}

/// n(x{times}), by squaring.
fn power_size(once: Size, times: u32) -> Result<Size, Refusal> {
    if times == 0 {
        return Ok(EMPTY);
    }
    let half = power_size(once, times / 2)?;
    let even = bounded(half.then(half))?;
    if times.is_multiple_of(2) { Ok(even) } else { bounded(even.then(once)) }
}

/// Stops counting where it is too much already, so that counting is quick.
fn bounded(size: Size) -> Result<Size, Refusal> {
    if size.values > VALUES || size.bytes > BYTES { Err(Refusal::TooMany) } else { Ok(size) }
}

/// The strings themselves. What is made on the way is never more than what comes out: a part of nothing is not spelled.
fn spell(hir: &Hir) -> Result<Vec<Vec<u8>>, Refusal> {
    if size(hir)?.values == 0 {
        return Ok(Vec::new());
    }
    Ok(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => vec![Vec::new()],
        HirKind::Literal(literal) => vec![literal.0.to_vec()],
        HirKind::Class(Class::Unicode(class)) => {
            let letters = class.ranges().iter().flat_map(|range| range.start()..=range.end());
            letters.map(|letter| letter.to_string().into_bytes()).collect()
        }
        HirKind::Class(Class::Bytes(class)) => {
            class.ranges().iter().flat_map(|range| range.start()..=range.end()).map(|byte| vec![byte]).collect()
        }
        HirKind::Capture(capture) => spell(&capture.sub)?,
        HirKind::Concat(parts) => spell_concat(parts)?,
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.append(&mut spell(part)?);
            }
            all
        }
        HirKind::Repetition(repetition) => {
            let once = if size(&repetition.sub)?.bytes == 0 { vec![Vec::new()] } else { spell(&repetition.sub)? };
            if once.iter().all(Vec::is_empty) {
                return Ok(vec![Vec::new()]);
            }
            let mut power = power(&once, repetition.min);
            let mut all = power.clone();
            for _ in repetition.min..repetition.max.unwrap_or(repetition.min) {
                power = product(&power, &once);
                all.extend_from_slice(&power);
            }
            all
        }
    })
}

/// Halves, not one part after the other: that would copy the beginning of a long value once for every part.
fn spell_concat(parts: &[Hir]) -> Result<Vec<Vec<u8>>, Refusal> {
    match parts {
        [] => Ok(vec![Vec::new()]),
        [part] => spell(part),
        _ => {
            let (first, second) = parts.split_at(parts.len() / 2);
            Ok(product(&spell_concat(first)?, &spell_concat(second)?))
        }
    }
}

fn power(once: &[Vec<u8>], times: u32) -> Vec<Vec<u8>> {
    if times == 0 {
        return vec![Vec::new()];
    }
    let half = power(once, times / 2);
    let even = product(&half, &half);
    if times.is_multiple_of(2) { even } else { product(&even, once) }
}

fn product(first: &[Vec<u8>], second: &[Vec<u8>]) -> Vec<Vec<u8>> {
    first.iter().flat_map(|start| second.iter().map(move |end| [start.as_slice(), end].concat())).collect()
}

#[cfg(test)]
#[path = "finite_tests.rs"]
mod tests;
