//! Markdown, for comments on changes: a summary as a table, then kind by kind a list.
//!
//! Safe by form, not by escaping: the table holds words of our own only; a URL of the web that has none but harmless characters
//! is written `<https://...>`; every other text of a stranger stands in a code span with a fence longer than any in it, where
//! neither markup, HTML, mentions nor links mean anything. Control characters become spaces, so a text never ends its line.
//! The table comes last, since findings are told as they come.

use std::io::{self, Write};

use groma_model::wording::grouped;

use super::listing::Listing;
use super::{Teller, short, why};
use crate::finding::{Finding, Kind};
use crate::report::Closing;

/// Characters of a URL that are shown.
const ADDRESS: usize = 500;
/// Characters of other texts.
const WORDS: usize = 200;

/// Tells findings as Markdown.
pub struct Markdown<'w> {
    to: &'w mut dyn Write,
    most: usize,
    /// The kind that is being told, and what of it is listed.
    now: Option<(Kind, Listing)>,
}

impl<'w> Markdown<'w> {
    /// To this, with so many findings of a kind.
    pub fn new(to: &'w mut dyn Write, most: usize) -> Markdown<'w> {
        Markdown { to, most, now: None }
    }

    fn end_section(&mut self) -> io::Result<()> {
        let Some((_, listing)) = self.now.take() else { return Ok(()) };
        if listing.hidden() > 0 {
            writeln!(self.to, "- and {} more", grouped(listing.hidden()))?;
        }
        for (target, pages) in listing.frequent() {
            writeln!(self.to, "- on {} pages: {}", grouped(pages), address(target))?;
        }
        writeln!(self.to)
    }
}

impl Teller for Markdown<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        let kind = finding.kind;
        if self.now.as_ref().is_none_or(|(now, _)| *now != kind) {
            self.end_section()?;
            writeln!(self.to, "### {} ({})\n", kind.name(), kind.severity())?;
            writeln!(self.to, "{}. Next: {}.\n", capital(kind.says()), kind.next_step())?;
            self.now = Some((kind, Listing::new(self.most)));
        }
        if self.now.as_mut().is_some_and(|(_, listing)| !listing.takes(finding)) {
            return Ok(());
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
        if let Some(unasked) = summary.unasked.says_with_hint() {
            writeln!(self.to, "\n{unasked}")?;
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

/// A URL, as a link where it is harmless.
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
    fn one_target_does_not_fill_the_list() {
        let mut out = Vec::new();
        let mut markdown = Markdown::new(&mut out, 20);
        for (from, to) in (0..1_234).map(|n| (n, "footer")).chain([(1_234, "other")]) {
            let to = Some(format!("https://a.org/{to}"));
            let page = Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}"));
            markdown.tell(&Finding { to, ..page }).unwrap();
        }
        markdown.end_section().unwrap();
        let text = String::from_utf8(out).unwrap();
        let list: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        let expected = [
            "- <https://a.org/0> \u{2192} <https://a.org/footer>",
            "- <https://a.org/1> \u{2192} <https://a.org/footer>",
            "- <https://a.org/1234> \u{2192} <https://a.org/other>",
            "- and 1,232 more",
            "- on 1,234 pages: <https://a.org/footer>",
        ];
        assert_eq!(list, expected);
        assert!(text.ends_with("footer>\n\n"), "a list ends with an empty line");
    }

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
