//! Markdown, for comments on changes: a summary as a table, then kind by kind a list.
//!
//! Safe by form, not by escaping: the table holds words of our own only; an address of the web that has none but harmless characters
//! is written `<https://...>`; every other text of a stranger stands in a code span with a fence longer than any in it, where
//! neither markup, HTML, mentions nor links mean anything. Control characters become spaces, so a text never ends its line.
//! The table comes last, since findings are told as they come.

use std::io::{self, Write};

use groma_model::wording::grouped;

use super::{Teller, short, why};
use crate::finding::{Finding, Kind};
use crate::report::Closing;

/// Characters of an address that are shown.
const ADDRESS: usize = 500;
/// Characters of other texts.
const WORDS: usize = 200;

/// Tells findings as Markdown.
pub struct Markdown<'w> {
    to: &'w mut dyn Write,
    most: usize,
    /// The kind that is being told, how many of it are, and how many are only counted.
    now: Option<(Kind, usize, u64)>,
}

impl<'w> Markdown<'w> {
    /// To this, with so many findings of a kind.
    pub fn new(to: &'w mut dyn Write, most: usize) -> Markdown<'w> {
        Markdown { to, most, now: None }
    }

    fn end_section(&mut self) -> io::Result<()> {
        match self.now.take() {
            Some((_, _, hidden)) if hidden > 0 => writeln!(self.to, "- and {} more\n", grouped(hidden)),
            Some(_) => writeln!(self.to),
            None => Ok(()),
        }
    }
}

impl Teller for Markdown<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        let kind = finding.kind;
        if self.now.is_none_or(|(now, ..)| now != kind) {
            self.end_section()?;
            writeln!(self.to, "### {} ({})\n", kind.name(), kind.severity())?;
            writeln!(self.to, "{}. Next: {}.\n", capital(kind.says()), kind.next_step())?;
            self.now = Some((kind, 0, 0));
        }
        if let Some((_, told, hidden)) = &mut self.now {
            if *told >= self.most {
                *hidden += 1;
                return Ok(());
            }
            *told += 1;
        }
        write!(self.to, "- {}", address(&finding.from))?;
        if let Some(to) = &finding.to {
            write!(self.to, " \u{2192} {}", address(to))?;
        }
        let words = finding.anchor.trim();
        if !words.is_empty() {
            write!(self.to, " {}", code(words, WORDS))?;
        }
        let mut parts = why(finding);
        parts.extend((!finding.detail.is_empty()).then(|| code(&finding.detail, ADDRESS)));
        parts.extend((!finding.new).then(|| "known".to_owned()));
        if !parts.is_empty() {
            write!(self.to, ": {}", parts.join(", "))?;
        }
        writeln!(self.to)
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.end_section()?;
        let summary = closing.summary;
        writeln!(self.to, "### Summary\n")?;
        if summary.total() == 0 {
            writeln!(self.to, "Nothing found in {} pages.", grouped(summary.pages))?;
        } else {
            writeln!(self.to, "| finding | severity | all | new |\n|---|---|---:|---:|")?;
            for (kind, count) in summary.found() {
                let (all, new) = (grouped(count.all), grouped(count.new));
                writeln!(self.to, "| {} | {} | {all} | {new} |", kind.name(), kind.severity())?;
            }
        }
        let fixed = summary.fixed.map(|fixed| format!(" {} fixed since the baseline.", grouped(fixed)));
        let verdict = code(&closing.verdict.to_string(), ADDRESS);
        writeln!(self.to, "\nThe check: {verdict}.{}", fixed.unwrap_or_default())?;
        if summary.checked.has(Kind::Orphan) {
            writeln!(self.to, "\n{}", code(&summary.orphans.says(), 1_000))?;
        }
        self.to.flush()
    }
}

/// An address, as a link where it is harmless.
fn address(url: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    let web = url.starts_with("https://") || url.starts_with("http://");
    if web && url.len() <= ADDRESS && url.chars().all(harmless) { format!("<{url}>") } else { code(url, ADDRESS) }
}

/// A text in a code span.
fn code(text: &str, characters: usize) -> String {
    let text = short(text, characters);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A space at either end is taken away again, but not if there is nothing but spaces: then nothing is left to say.
    if text.trim().is_empty() { "(empty)".to_owned() } else { format!("{fence} {text} {fence}") }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_addresses_are_links_and_the_rest_is_code() {
        assert_eq!(address("https://a.org/x?y=1#z"), "<https://a.org/x?y=1#z>");
        assert_eq!(address("javascript:alert(1)"), "` javascript:alert(1) `");
        assert_eq!(address("https://a.org/<b>|"), "` https://a.org/<b>| `");
        assert_eq!(code("a``b`c", 9), "``` a``b`c ```");
        assert_eq!(code("@all\n# x", 9), "` @all # x `");
        assert_eq!(code(" \n", 9), "(empty)");
    }
}
