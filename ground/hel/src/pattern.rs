//! Regular expressions of rules: those of the crate regex, which run in time linear in the text.
//!
//! What such expressions cannot say (look-around, references back) is an error that names it. An expression is compiled
//! once, when the rule is read, in the least of three sizes that holds it; its size is what a byte of text costs, for
//! in the worst case every byte is looked at by every state.

use std::fmt;

use regex::{Regex, RegexBuilder};

use crate::bounds::PATTERN_BYTES;

/// A regular expression, and how it was written.
#[derive(Clone, Debug)]
pub struct Pattern {
    source: String,
    flags: String,
    regex: Regex,
    cost: u64,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        (&self.source, &self.flags) == (&other.source, &other.flags)
    }
}

impl Eq for Pattern {}

impl Pattern {
    /// Compiles an expression. Flags: `i` for any case, `m` for `^` and `$` at lines, `s` for a dot that takes line ends, `x` for
    /// spaces that do not count, `g` for all matches. The error is a sentence.
    pub fn new(source: &str, flags: &str) -> Result<Pattern, String> {
        let mut kept = String::new();
        for flag in flags.chars() {
            if !"imsxg".contains(flag) {
                return Err(format!("there is no flag `{flag}`; there are i, m, s, x and g"));
            }
            if !kept.contains(flag) {
                kept.push(flag);
            }
        }
        let source = without_escaped_slashes(source);
        // Size and the price of a byte.
        let sizes = [(PATTERN_BYTES / 64, 1), (PATTERN_BYTES / 8, 4), (PATTERN_BYTES, 32)];
        let mut last = String::new();
        for (size, cost) in sizes {
            let built = RegexBuilder::new(&source)
                .case_insensitive(kept.contains('i'))
                .multi_line(kept.contains('m'))
                .dot_matches_new_line(kept.contains('s'))
                .ignore_whitespace(kept.contains('x'))
                .size_limit(size)
                .dfa_size_limit(PATTERN_BYTES)
                .nest_limit(64)
                .build();
            match built {
                Ok(regex) => return Ok(Pattern { source, flags: kept, regex, cost }),
                Err(regex::Error::CompiledTooBig(_)) => "the expression is too large".clone_into(&mut last),
                Err(error) => return Err(reason(&error)),
            }
        }
        Err(last)
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn regex(&self) -> &Regex {
        &self.regex
    }

    /// Are all matches asked for?
    pub(crate) fn is_global(&self) -> bool {
        self.flags.contains('g')
    }

    /// What running it over so many bytes costs.
    pub(crate) fn cost(&self, bytes: usize) -> u64 {
        (bytes as u64 + 1) * self.cost
    }
}

/// `\/` is the same as `/`, which can be written so only.
fn without_escaped_slashes(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('/') => out.push('/'),
            Some(next) => out.extend(['\\', next]),
            None => out.push('\\'),
        }
    }
    out
}

/// The last line of the crate's message, which says what is wrong; the others draw the place.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("/")?;
        let mut letters = self.source.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '/' => f.write_str("\\/")?,
                '\\' => {
                    f.write_str("\\")?;
                    letters.next().map_or(Ok(()), |next| write!(f, "{next}"))?;
                }
                _ => write!(f, "{letter}")?,
            }
        }
        write!(f, "/{}", self.flags)
    }
}
