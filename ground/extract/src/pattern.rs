//! What does a regular expression find? In the source of a page, or within a value that another selector gave.
//!
//! What is found is the group `value` if there is one, else the first group that took part, else the whole match. The expression is that of the
//! crate regex (no look-around, no back-references), so a search is linear in the text whatever the expression; its compiled size is bounded by
//! [`PATTERN_BYTES`], and counted repetitions that blow up are errors.

use regex::{Captures, Regex, RegexBuilder};

use crate::error::SelectorError;
use crate::work::{OutOfWork, Work};

/// Bytes of a compiled expression, and of its table of states.
const PATTERN_BYTES: usize = 1 << 20;

/// A regular expression with what it gives.
#[derive(Clone, Debug)]
pub struct PatternRule {
    regex: Regex,
}

impl PartialEq for PatternRule {
    fn eq(&self, other: &PatternRule) -> bool {
        self.regex.as_str() == other.regex.as_str()
    }
}

impl PatternRule {
    /// Reads an expression as it was written.
    pub fn parse(text: &str) -> Result<PatternRule, SelectorError> {
        let built = RegexBuilder::new(text).size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES).build();
        let regex = built.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => {
                SelectorError::new(text, 0, "is too large once compiled; use smaller counts in {braces}".to_owned())
            }
            error => SelectorError::new(text, 0, last_line(&error.to_string())),
        })?;
        if regex.find("").is_some_and(|empty| empty.is_empty()) && regex.captures_len() == 1 {
            return Err(SelectorError::new(text, 0, "matches the empty text, and so everywhere".to_owned()));
        }
        Ok(PatternRule { regex })
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        self.regex.as_str()
    }

    /// What it finds in a text, in order.
    pub(crate) fn values(&self, text: &str, work: &mut Work) -> Result<Vec<String>, OutOfWork> {
        let mut values = Vec::new();
        for captures in self.regex.captures_iter(text) {
            work.add(1)?;
            if values.len() >= work.values() {
                work.note_values();
                break;
            }
            values.extend(taken(&captures).map(|value| work.cut_value(value.trim())));
        }
        Ok(values)
    }

    /// The first thing it finds in a text.
    pub(crate) fn first(&self, text: &str) -> Option<String> {
        self.regex.captures(text).and_then(|captures| taken(&captures).map(|value| value.trim().to_owned()))
    }
}

fn taken<'t>(captures: &Captures<'t>) -> Option<&'t str> {
    let named = captures.name("value");
    let group = || captures.iter().skip(1).flatten().next();
    named.or_else(group).or_else(|| captures.get(0)).map(|found| found.as_str())
}

/// The crate shows the expression over several lines; what is wrong stands in the last.
fn last_line(error: &str) -> String {
    let line = error.lines().last().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
