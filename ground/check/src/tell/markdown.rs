//! Markdown, for comments on changes: a summary as a table, then kind by kind a list of causes.
//!
//! Safe by form, not by escaping: the table holds words of our own only; a URL of the web that has none but harmless characters
//! is written `<https://...>`; every other text of a stranger stands in a code span with a fence longer than any in it, where
//! neither markup, HTML, mentions nor links mean anything. Control characters become spaces, so a text never ends its line.
//! Where lists are limited, the whole stays below the 65,536 characters that hosts of code take as a comment: kinds for which there is
//! no room are in the table only.

use std::io::{self, Write};

use groma_model::wording::{counted, grouped};

use super::telling::{Teller, day, short};
use super::text::{known, more, worst_first};
use crate::causes::{CauseGroup, Causes, KindCauses};
use crate::closing::Closing;
use crate::finding::{Finding, Kind};
use crate::summary::Summary;

/// Characters of a URL that are shown.
const ADDRESS: usize = 500;
/// Characters of other texts.
const WORDS: usize = 200;
/// Bytes that lists may take in a comment; the table takes less than the rest.
const COMMENT: usize = 40_000;

/// Tells findings as Markdown.
pub struct Markdown<'w> {
    to: &'w mut dyn Write,
    causes: Causes,
    /// Bytes that are left for lists.
    room: usize,
}

impl<'w> Markdown<'w> {
    /// To this, with so many groups of a kind.
    pub fn new(to: &'w mut dyn Write, most: usize) -> Markdown<'w> {
        let room = if most == usize::MAX { usize::MAX } else { COMMENT };
        Markdown { to, causes: Causes::new(most, 1), room }
    }

    fn summary(&mut self, summary: &Summary) -> io::Result<()> {
        writeln!(self.to, "### Summary\n")?;
        if summary.total() == 0 {
            writeln!(self.to, "Nothing found in {}.", counted(summary.pages, "page", "pages"))?;
        } else {
            writeln!(self.to, "| finding | severity | all | new | what |\n|---|---|---:|---:|---|")?;
            for (kind, count) in worst_first(summary) {
                let (all, new) = (grouped(count.all), grouped(count.new));
                writeln!(self.to, "| {kind} | {} | {all} | {new} | {} |", kind.severity(), kind.says())?;
            }
        }
        if let Some(unasked) = summary.unasked.says_with_hint() {
            writeln!(self.to, "\n{unasked}")?;
        }
        Ok(())
    }

    /// Writes a kind, as far as there is room.
    fn section(&mut self, causes: &KindCauses, of_pages: u64, compared: bool) -> io::Result<bool> {
        let kind = causes.kind;
        let mut text = format!("\n### {kind} ({})\n\n{}: {}.", kind.severity(), capital(kind.says()), causes.extent());
        if causes.groups.iter().any(|group| group.next == kind.next_step()) {
            text.push_str(&format!(" Next: {}.", kind.next_step()));
        }
        text.push_str("\n\n");
        let lines: Vec<String> = causes.groups.iter().map(|group| group_line(group, of_pages, compared)).collect();
        let whole: usize = text.len() + lines.iter().map(String::len).sum::<usize>();
        if whole > self.room {
            return Ok(false);
        }
        self.room -= whole;
        self.to.write_all(text.as_bytes())?;
        lines.iter().try_for_each(|line| self.to.write_all(line.as_bytes()))?;
        let (groups, findings) = causes.rest();
        if findings > 0 {
            let findings = counted(findings, "finding", "findings");
            writeln!(self.to, "- and {} with {findings}", more(kind, groups))?;
        }
        Ok(true)
    }
}

impl Teller for Markdown<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.causes.take(finding);
        Ok(())
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        let summary = closing.summary;
        self.summary(summary)?;
        let kinds = std::mem::replace(&mut self.causes, Causes::new(0, 1)).finish();
        let mut left_out = Vec::new();
        for causes in &kinds {
            if !self.section(causes, summary.pages, summary.fixed.is_some())? {
                left_out.push(causes.kind.name());
            }
        }
        if !left_out.is_empty() {
            let names = left_out.join(", ");
            writeln!(self.to, "\nNot listed, to keep this short enough for a comment: {names}. `--most 0` lists all.")?;
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

/// A group as an item of a list, with the end of its line.
fn group_line(group: &CauseGroup, of_pages: u64, compared: bool) -> String {
    let name = if group.is_of_words() { code(group.name(), WORDS) } else { address(group.name()) };
    let says = match group.name_says() {
        "elsewhere" => "elsewhere in ",
        "server" => "server ",
        "same as" => "same as ",
        _ => "",
    };
    let mut facts = Vec::new();
    facts.extend(group.standing(of_pages));
    let words = group.habit.as_ref().map(|place| place.text.trim()).filter(|text| !text.is_empty());
    facts.extend(words.map(|words| code(words, WORDS)));
    facts.extend(group.reason.map(|reason| reason.says().to_owned()));
    facts.extend((!group.is_of_words() && !group.detail.is_empty()).then(|| code(&group.detail, ADDRESS)));
    facts.extend(day(group.since).map(|day| format!("since {day}")));
    facts.extend(known(group, compared));
    let example = group.examples.first().filter(|example| group.size.pages > 1 || example.from != group.name());
    facts.extend(example.map(|example| {
        let anchor = example.anchor.trim();
        let anchor = if anchor.is_empty() || group.habit.is_some() {
            String::new()
        } else {
            format!(" {}", code(anchor, WORDS))
        };
        format!("{} {}{anchor}", if group.size.pages > 1 { "for example" } else { "on" }, address(&example.from))
    }));
    if group.next != group.kind.next_step() {
        facts.push(format!("next: {}", group.next));
    }
    let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join("; ")) };
    format!("- {}, {says}{name}{facts}\n", group.count())
}

/// A URL, as a link where it is harmless.
fn address(url: &str) -> String {
    let harmless = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()+,;=%".contains(c);
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
    use crate::gate::Verdict;

    fn told(findings: &[Finding], most: usize) -> String {
        let mut out = Vec::new();
        let mut summary = Summary { pages: 2_000, ..Summary::default() };
        let mut markdown = Markdown::new(&mut out, most);
        for finding in findings {
            markdown.tell(finding).unwrap();
            summary.count(finding);
        }
        markdown.close(&Closing { summary: &summary, verdict: &Verdict::default() }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn one_target_is_one_item() {
        let page = |from: u32, to: &str| Finding {
            to: Some(format!("https://a.org/{to}")),
            ..Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}"))
        };
        let mut findings: Vec<Finding> = (0..1_234).map(|from| page(from, "footer")).collect();
        findings.push(page(1_234, "other"));
        let text = told(&findings, 20);
        let list: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        let expected = [
            "- 1,234 pages, <https://a.org/footer>: 1 link \u{d7} 1,234 pages: it is in the template of the site; for example \
             <https://a.org/0>",
            "- 1 page, <https://a.org/other>: on <https://a.org/1234>",
        ];
        assert_eq!(list, expected);
        assert!(text.starts_with("### Summary\n\n| finding | severity |"), "{text}");
    }

    #[test]
    fn a_comment_stays_short_and_says_what_it_leaves_out() {
        let mut findings = Vec::new();
        for kind in [Kind::InvalidLink, Kind::RedirectChain] {
            let long = |n: u32| Finding {
                to: Some(format!("https://a.org/{n}{}", "x".repeat(480))),
                ..Finding::of_page(kind, format!("https://a.org/{}", "y".repeat(480)))
            };
            findings.extend((0..30).map(long));
        }
        let text = told(&findings, 30);
        assert!(
            text.len() < 65_536 && text.contains("comment: redirect-chain. `--most 0` lists all.\n"),
            "{}",
            text.len()
        );
        let all = told(&findings, usize::MAX);
        assert!(all.len() > 60_000 && !all.contains("Not listed"), "{}", all.len());
    }

    #[test]
    fn harmless_addresses_are_links_and_the_rest_is_code() {
        assert_eq!(address("https://a.org/x?y=1#z"), "<https://a.org/x?y=1#z>");
        assert_eq!(address("https://a.org/x/*.html"), "` https://a.org/x/*.html `");
        assert_eq!(address("javascript:alert(1)"), "` javascript:alert(1) `");
        assert_eq!(address("https://a.org/<b>|"), "` https://a.org/<b>| `");
        assert_eq!(code("a``b`c", 9), "``` a``b`c ```");
        assert_eq!(code("@all\n# x", 9), "` @all # x `");
        assert_eq!(code(" \n", 9), "(empty)");
    }
}
