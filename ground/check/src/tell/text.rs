//! For people at a terminal: what was found in short, then kind by kind its causes, the worst first, and the verdict at the end.
//!
//! A cause is a target of links or a family of pages ([`causes`](crate::causes)) with how much there is, where it stands, and one
//! example. What is listed is limited; the rest is counted. Nothing is written before the check is done, since the summary comes first.
//! Texts of strangers lose their control characters and marks of direction, and are cut where they are too long to be read.

use std::io::{self, Write};

use groma_model::wording::{counted, grouped};

use super::telling::{Painter, Teller, Tone, day, short};
use crate::causes::{CauseGroup, Causes, KindCauses};
use crate::closing::Closing;
use crate::finding::{Finding, Kind, Severity};
use crate::summary::Summary;

/// Characters of a URL that are shown.
const ADDRESS: usize = 300;
/// Characters of other texts.
const WORDS: usize = 120;
/// Columns that lines of several pieces keep to.
const COLUMNS: usize = 96;
/// Columns in front of what a group is about.
const INDENT: usize = 15;

/// Tells findings to people.
pub struct Text<'w> {
    to: &'w mut dyn Write,
    causes: Causes,
    paint: Painter,
}

impl<'w> Text<'w> {
    /// To this, with so many groups of a kind.
    pub fn new(to: &'w mut dyn Write, most: usize, paint: Painter) -> Text<'w> {
        Text { to, causes: Causes::new(most, 1), paint }
    }

    fn summary(&mut self, summary: &Summary, kinds: &[KindCauses]) -> io::Result<()> {
        let found =
            format!("{} with {}", counted(summary.pages, "page", "pages"), counted(summary.links, "link", "links"));
        if summary.total() == 0 {
            let as_far = if summary.unasked.total() > 0 { ", as far as they were looked at" } else { "" };
            writeln!(self.to, "{}", (self.paint)(Tone::Heading, &format!("Nothing found in {found}{as_far}.")))?;
        } else {
            let head = format!("{} in {found}", severities(summary));
            writeln!(self.to, "{}\n", (self.paint)(Tone::Heading, &head))?;
        }
        let wide = summary.found().map(|(kind, _)| kind.name().len()).max().unwrap_or_default();
        for (kind, count) in worst_first(summary) {
            let new = if summary.fixed.is_some() { format!("  {:>7} new", grouped(count.new)) } else { String::new() };
            let says = kinds.iter().find(|causes| causes.kind == kind && kind.is_of_link());
            let says =
                says.map_or_else(|| kind.says().to_owned(), |causes| format!("{}: {}", kind.says(), causes.extent()));
            let severity = severity_painted(self.paint, kind.severity(), &format!("{:<8}", kind.severity().name()));
            let says = (self.paint)(Tone::Faint, &says);
            writeln!(self.to, "{:>9}{new}  {severity} {:wide$}  {says}", grouped(count.all), kind.name())?;
        }
        if let Some(unasked) = summary.unasked.says_with_hint() {
            writeln!(self.to, "{}{}", if summary.total() > 0 { "\n" } else { "" }, wrapped(&unasked))?;
        }
        Ok(())
    }

    fn section(&mut self, causes: &KindCauses, of_pages: u64, compared: bool) -> io::Result<()> {
        let kind = causes.kind;
        let severity = severity_painted(self.paint, kind.severity(), kind.severity().name());
        let head = (self.paint)(Tone::Heading, &format!("{} ({kind})", kind.says()));
        writeln!(self.to, "\n{severity}: {head}, {}", causes.extent())?;
        if causes.groups.iter().any(|group| group.next == kind.next_step()) {
            writeln!(self.to, "  Next: {}.", kind.next_step())?;
        }
        for group in &causes.groups {
            self.group(group, of_pages, compared)?;
        }
        let (groups, findings) = causes.rest();
        if findings > 0 {
            let more = format!("and {} with {}", more(kind, groups), counted(findings, "finding", "findings"));
            writeln!(self.to, "  {}", (self.paint)(Tone::Faint, &more))?;
        }
        Ok(())
    }

    fn group(&mut self, group: &CauseGroup, of_pages: u64, compared: bool) -> io::Result<()> {
        let name = short(group.name(), ADDRESS);
        let name = match group.name_says() {
            "elsewhere" => format!("elsewhere in {name}"),
            "" => name,
            says => format!("{says} {name}"),
        };
        let name = if group.is_of_words() { format!("\u{201c}{}\u{201d}", unquoted(&name)) } else { name };
        writeln!(self.to, "{:>13}  {}", group.count(), (self.paint)(Tone::Heading, &name))?;
        let mut facts = Vec::new();
        facts.extend(group.standing(of_pages));
        let words = group.habit.as_ref().map(|place| short(place.text.trim(), WORDS)).unwrap_or_default();
        facts.extend((!words.is_empty()).then(|| format!("\u{201c}{words}\u{201d}")));
        facts.extend(group.reason.map(|reason| reason.says().to_owned()));
        facts.extend((!group.is_of_words() && !group.detail.is_empty()).then(|| short(&group.detail, ADDRESS)));
        facts.extend(day(group.since).map(|day| format!("since {day}")));
        facts.extend(known(group, compared));
        facts.extend(example(group));
        if group.next != group.kind.next_step() {
            facts.push(format!("next: {}", group.next));
        }
        for line in packed(&facts, COLUMNS - INDENT) {
            writeln!(self.to, "{:INDENT$}{}", "", (self.paint)(Tone::Faint, &line))?;
        }
        Ok(())
    }

    fn end(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        let summary = closing.summary;
        if summary.total() > 0 {
            writeln!(self.to)?;
        }
        if let Some(fixed) = summary.fixed {
            writeln!(self.to, "{} fixed since the baseline.", grouped(fixed))?;
        }
        if summary.checked.has(Kind::Orphan) {
            writeln!(self.to, "{}", wrapped(&short(&summary.orphans.says(), 1_000)))?;
        }
        let errors = summary.of_severity(Severity::Error).all;
        if !closing.verdict.passed() {
            writeln!(self.to, "{}", (self.paint)(Tone::Bad, &format!("The check {}.", closing.verdict)))?;
        } else if errors > 0 {
            writeln!(self.to, "The check passed all the same.")?;
        }
        Ok(())
    }
}

impl Teller for Text<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.causes.take(finding);
        Ok(())
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        let kinds = std::mem::replace(&mut self.causes, Causes::new(0, 1)).finish();
        self.summary(closing.summary, &kinds)?;
        for causes in &kinds {
            self.section(causes, closing.summary.pages, closing.summary.fixed.is_some())?;
        }
        self.end(closing)?;
        self.to.flush()
    }
}

/// "5 errors, 1 warning, 2 notes"
fn severities(summary: &Summary) -> String {
    let counts = Severity::ALL.map(|severity| (severity.name(), summary.of_severity(severity).all));
    let found = counts.iter().filter(|(_, count)| *count > 0);
    let words: Vec<String> = found.map(|(name, count)| counted(*count, name, &format!("{name}s"))).collect();
    words.join(", ")
}

/// The kinds that were found, in the order in which they are told.
pub(super) fn worst_first(summary: &Summary) -> Vec<(Kind, crate::summary::Count)> {
    let mut found: Vec<_> = summary.found().collect();
    found.sort_by_key(|(kind, count)| (kind.severity(), std::cmp::Reverse(count.all)));
    found
}

fn severity_painted(paint: Painter, severity: Severity, text: &str) -> String {
    match severity {
        Severity::Error => paint(Tone::Bad, text),
        Severity::Warning => paint(Tone::Warning, text),
        Severity::Note => text.to_owned(),
    }
}

/// Groups that are not listed.
pub(super) fn more(kind: Kind, groups: u64) -> String {
    if kind.is_of_link() {
        counted(groups, "more target", "more targets")
    } else {
        counted(groups, "more group", "more groups")
    }
}

/// Which of them are new, where there is something to compare with.
pub(super) fn known(group: &CauseGroup, compared: bool) -> Option<String> {
    match group.size.new {
        _ if !compared => None,
        0 => Some("known".to_owned()),
        new if new < group.size.findings => Some(format!("{} new", grouped(new))),
        _ => Some("new".to_owned()),
    }
}

/// Where one of them is; nothing if the group is called by it.
fn example(group: &CauseGroup) -> Option<String> {
    let example = group.examples.first()?;
    if group.size.pages == 1 && example.from == group.name() {
        return None;
    }
    let page = short(&example.from, ADDRESS);
    let mut says = if group.size.pages == 1 { format!("on {page}") } else { format!("for example {page}") };
    if group.habit.is_none() && !example.anchor.trim().is_empty() {
        says.push_str(&format!(", \u{201c}{}\u{201d}", short(example.anchor.trim(), WORDS)));
    }
    if group.detail != example.detail && !group.kind.is_of_link() && !example.detail.is_empty() {
        says.push_str(&format!(" ({})", short(&example.detail, WORDS)));
    }
    Some(says)
}

/// A title without the quotation marks it came in.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('\u{201c}').and_then(|text| text.strip_suffix('\u{201d}')).unwrap_or(text)
}

/// A sentence on lines of the usual width; code between backticks is not torn apart.
fn wrapped(text: &str) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut in_code = false;
    for word in text.split(' ') {
        match pieces.last_mut().filter(|_| in_code) {
            Some(code) => *code = format!("{code} {word}"),
            None => pieces.push(word.to_owned()),
        }
        in_code ^= word.matches('`').count() % 2 == 1;
    }
    let mut lines = vec![pieces.first().cloned().unwrap_or_default()];
    for piece in pieces.iter().skip(1) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + piece.chars().count() <= COLUMNS => {
                line.push(' ');
                line.push_str(piece);
            }
            _ => lines.push(piece.clone()),
        }
    }
    lines.join("\n")
}

/// Pieces on as few lines as they need; a long one has a line of its own.
fn packed(pieces: &[String], columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + piece.chars().count() <= columns => {
                line.push_str(" \u{b7} ");
                line.push_str(piece);
            }
            _ => lines.push(piece.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use groma_model::{BlockKind, LinkKind, Reason};

    use super::*;
    use crate::gate::{Failed, Verdict};
    use crate::tell::unpainted;

    fn told(findings: &[Finding], most: usize, fixed: Option<u64>, verdict: &Verdict) -> String {
        let mut out = Vec::new();
        let mut summary = Summary { pages: 1_234, links: 5, fixed, ..Summary::default() };
        let mut text = Text::new(&mut out, most, unpainted);
        for finding in findings {
            text.tell(finding).unwrap();
            summary.count(finding);
        }
        text.close(&Closing { summary: &summary, verdict }).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn link(from: u32, to: &str) -> Finding {
        Finding {
            to: Some(format!("https://a.org/{to}")),
            anchor: "our shop".into(),
            block: Some(BlockKind::Navigation),
            link: Some(LinkKind::Anchor),
            reason: Some(Reason::NotFound),
            since: 86_400,
            links: 3,
            detail: "3 links".into(),
            ..Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}"))
        }
    }

    #[test]
    fn findings_are_told_by_cause_after_a_summary() {
        let mut findings: Vec<Finding> = (0..1_000).map(|n| link(n, "gone")).collect();
        findings.push(Finding { anchor: "me".into(), links: 1, detail: String::new(), ..link(5, "other") });
        findings.push(Finding { new: false, ..Finding::of_page(Kind::MissingTitle, "https://a.org/9".into()) });
        let verdict = Verdict { failed: vec![Failed { term: "error".into(), count: 5, allowed: 0 }] };
        let expected = "\
1,001 errors, 1 warning in 1,234 pages with 5 links

    1,001    1,001 new  error    invalid-link   broken links: 2 targets on 1,001 pages
        1        0 new  warning  missing-title  pages without a title

error: broken links (invalid-link), 2 targets on 1,001 pages
  Next: remove the link, or point it at a URL that works.
  1,000 pages  https://a.org/gone
               3 links in the navigation \u{d7} 1,000 pages: it is in the template of the site
               \u{201c}our shop\u{201d} \u{b7} the server says there is no such page (404) \u{b7} since 1970-01-02 \u{b7} new
               for example https://a.org/0
  and 1 more target with 1 finding

warning: pages without a title (missing-title), 1 page
  Next: give the page a title that says what it is about.
       1 page  https://a.org/9
               known

12 fixed since the baseline.
Every page listed as an orphan is one: all pages of the survey were read.
The check failed on error: 5 errors (limit 0).
";
        assert_eq!(told(&findings, 1, Some(12), &verdict), expected);
    }

    #[test]
    fn families_of_pages_have_a_pattern_and_an_example() {
        let page = |n: u32| Finding {
            detail: format!("title of {n} characters"),
            ..Finding::of_page(Kind::MissingTitle, format!("https://a.org/blog/{n}.html"))
        };
        let findings: Vec<Finding> = (70..90).map(page).collect();
        let text = told(&findings, 5, None, &Verdict::default());
        let expected = "\
     20 pages  https://a.org/blog/*.html
               title of * characters
               for example https://a.org/blog/70.html (title of 70 characters)
";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn nothing_found_where_not_all_was_looked_at_is_told_so() {
        let unasked = crate::Unasked { outside: 1_716, ..crate::Unasked::default() };
        let summary = Summary { pages: 9, links: 5, unasked, ..Summary::default() };
        let mut out = Vec::new();
        let closing = Closing { summary: &summary, verdict: &Verdict::default() };
        Text::new(&mut out, 9, unpainted).close(&closing).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert!(
            text.starts_with(
                "Nothing found in 9 pages with 5 links, as far as they were looked at.\n1,716 linked URLs were not"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_clean_site_is_told_so() {
        assert!(told(&[], 5, None, &Verdict::default()).starts_with("Nothing found in 1,234 pages with 5 links."));
    }

    #[test]
    fn short_pieces_share_a_line_and_colors_are_only_where_they_are_wanted() {
        let pieces = ["one", "two", "three three three"].map(str::to_owned);
        assert_eq!(packed(&pieces, 12), ["one \u{b7} two", "three three three"]);
        let mut out = Vec::new();
        let summary = Summary::default();
        let paint: Painter = |tone, text| format!("<{tone:?}>{text}</>");
        Text::new(&mut out, 9, paint).close(&Closing { summary: &summary, verdict: &Verdict::default() }).unwrap();
        assert!(String::from_utf8(out).unwrap().starts_with("<Heading>Nothing found"));
    }
}
