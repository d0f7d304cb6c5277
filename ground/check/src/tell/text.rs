//! For people at a terminal: kind by kind, what to do once for each, long lists cut with their rest counted, the sum at the end.
//!
//! Texts of strangers lose their control characters and marks of direction, and are cut where they are too long to be read.

use std::io::{self, Write};

use groma_model::wording::grouped;

use super::listing::Listing;
use super::{Teller, short, why};
use crate::finding::{Finding, Kind, Severity};
use crate::report::Closing;

/// Characters of a URL that are shown.
const ADDRESS: usize = 300;
/// Characters of other texts.
const WORDS: usize = 120;

/// Tells findings to people.
pub struct Text<'w> {
    to: &'w mut dyn Write,
    most: usize,
    now: Option<Section>,
}

/// The kind that is being told.
struct Section {
    kind: Kind,
    listing: Listing,
    /// The page that was named last.
    page: String,
}

impl<'w> Text<'w> {
    /// To this, with so many findings of a kind.
    pub fn new(to: &'w mut dyn Write, most: usize) -> Text<'w> {
        Text { to, most, now: None }
    }

    fn end_section(&mut self) -> io::Result<()> {
        let Some(section) = self.now.take() else { return Ok(()) };
        if section.listing.hidden() > 0 {
            writeln!(self.to, "  and {} more", grouped(section.listing.hidden()))?;
        }
        for (target, pages) in section.listing.frequent() {
            writeln!(self.to, "  on {} pages: {}", grouped(pages), short(target, ADDRESS))?;
        }
        writeln!(self.to, "  Next: {}.\n", section.kind.next_step())
    }

    fn write(&mut self, finding: &Finding, same_page: bool) -> io::Result<()> {
        let known = if finding.new { "" } else { " (known)" };
        let mut parts = why(finding);
        if !finding.detail.is_empty() {
            parts.push(short(&finding.detail, ADDRESS));
        }
        let Some(to) = &finding.to else {
            let tail = if parts.is_empty() { String::new() } else { format!("  {}", parts.join(", ")) };
            return writeln!(self.to, "  {}{tail}{known}", short(&finding.from, ADDRESS));
        };
        if !same_page {
            writeln!(self.to, "  {}", short(&finding.from, ADDRESS))?;
        }
        let words = short(finding.anchor.trim(), WORDS);
        let mut place = if words.is_empty() { String::new() } else { format!("  \u{201c}{words}\u{201d}") };
        if let (Some(link), Some(block)) = (finding.link, finding.block) {
            place.push_str(&format!("  ({} in {})", link.name(), block.name()));
        }
        writeln!(self.to, "    -> {}{place}{known}", short(to, ADDRESS))?;
        if !parts.is_empty() {
            writeln!(self.to, "       {}", parts.join(", "))?;
        }
        Ok(())
    }
}

impl Teller for Text<'_> {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        let kind = finding.kind;
        if self.now.as_ref().is_none_or(|section| section.kind != kind) {
            self.end_section()?;
            writeln!(self.to, "{}: {} ({})", kind.severity(), kind.says(), kind.name())?;
            self.now = Some(Section { kind, listing: Listing::new(self.most), page: String::new() });
        }
        let Some(section) = &mut self.now else { return Ok(()) };
        if !section.listing.takes(finding) {
            return Ok(());
        }
        let same_page = section.page == finding.from;
        section.page.clone_from(&finding.from);
        self.write(finding, same_page)
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.end_section()?;
        let summary = closing.summary;
        let (pages, links) = (grouped(summary.pages), grouped(summary.links));
        if summary.total() == 0 {
            let as_far = if summary.unasked.total() > 0 { ", as far as they were looked at" } else { "" };
            writeln!(self.to, "Nothing found in {pages} pages with {links} links{as_far}.")?;
        } else {
            writeln!(self.to, "Found in {pages} pages with {links} links:")?;
        }
        for (kind, count) in summary.found() {
            let new = if summary.fixed.is_some() { format!("  {} new", grouped(count.new)) } else { String::new() };
            writeln!(self.to, "  {:>10}  {:<8} {}{new}", grouped(count.all), kind.severity().name(), kind.name())?;
        }
        if let Some(unasked) = summary.unasked.says_with_hint() {
            writeln!(self.to, "{unasked}")?;
        }
        if let Some(fixed) = summary.fixed {
            writeln!(self.to, "{} fixed since the baseline.", grouped(fixed))?;
        }
        if summary.checked.has(Kind::Orphan) {
            writeln!(self.to, "{}", short(&summary.orphans.says(), 1_000))?;
        }
        let errors = summary.of_severity(Severity::Error).all;
        if !closing.verdict.passed() {
            writeln!(self.to, "The check {}.", closing.verdict)?;
        } else if errors > 0 {
            writeln!(self.to, "The check passed all the same.")?;
        }
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use groma_model::{BlockKind, LinkKind, Reason};

    use super::*;
    use crate::gate::{Failed, Verdict};
    use crate::summary::Summary;

    fn told(findings: &[Finding], most: usize, verdict: &Verdict) -> String {
        let mut out = Vec::new();
        let mut summary = Summary { pages: 1_234, links: 5, ..Summary::default() };
        let mut text = Text::new(&mut out, most);
        for finding in findings {
            text.tell(finding).unwrap();
            summary.count(finding);
        }
        summary.fixed = Some(12);
        text.close(&Closing { summary: &summary, verdict }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn findings_are_grouped_cut_and_summed_up() {
        let link = |n: u32| Finding {
            to: Some("https://a.org/gone".into()),
            anchor: "our shop".into(),
            block: Some(BlockKind::Paragraph),
            link: Some(LinkKind::Anchor),
            reason: Some(Reason::NotFound),
            since: 86_400,
            ..Finding::of_page(Kind::InvalidLink, format!("https://a.org/{n}"))
        };
        let mut findings: Vec<Finding> = (0..5).map(link).collect();
        findings.push(Finding { new: false, ..Finding::of_page(Kind::MissingTitle, "https://a.org/9".into()) });
        let verdict = Verdict { failed: vec![Failed { term: "error".into(), count: 5, allowed: 0 }] };
        let expected = "\
error: broken links (invalid-link)
  https://a.org/0
    -> https://a.org/gone  \u{201c}our shop\u{201d}  (anchor in paragraph)
       the server says there is no such page (404), since 1970-01-02
  and 4 more
  on 5 pages: https://a.org/gone
  Next: remove the link, or point it at a URL that works.

warning: pages without a title (missing-title)
  https://a.org/9 (known)
  Next: give the page a title that says what it is about.

Found in 1,234 pages with 5 links:
           5  error    invalid-link  5 new
           1  warning  missing-title  0 new
12 fixed since the baseline.
Every page listed as an orphan is one: all pages of the survey were read.
The check failed on error: 5 errors (limit 0).
";
        assert_eq!(told(&findings, 1, &verdict), expected);
    }

    #[test]
    fn one_target_does_not_fill_the_list() {
        let link = |from: u32, to: &str| Finding {
            to: Some(format!("https://a.org/{to}")),
            ..Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}"))
        };
        let mut findings: Vec<Finding> = (0..1_234).map(|n| link(n, "footer")).collect();
        findings.push(link(1_234, "other"));
        let text = told(&findings, 20, &Verdict::default());
        assert_eq!(text.matches("    -> https://a.org/footer\n").count(), 2, "{text}");
        assert!(text.contains("  https://a.org/1234\n    -> https://a.org/other\n  and 1,232 more\n"), "{text}");
        assert!(text.contains("more\n  on 1,234 pages: https://a.org/footer\n  Next: "), "{text}");
        let all = told(&findings, usize::MAX, &Verdict::default());
        assert_eq!((all.matches("    -> ").count(), all.contains(" more\n")), (1_235, false));
    }

    #[test]
    fn nothing_found_where_not_all_was_looked_at_is_told_so() {
        let unasked = crate::Unasked { outside: 1_716, ..crate::Unasked::default() };
        let summary = Summary { pages: 9, links: 5, unasked, ..Summary::default() };
        let mut out = Vec::new();
        Text::new(&mut out, 9).close(&Closing { summary: &summary, verdict: &Verdict::default() }).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.starts_with(
                "Nothing found in 9 pages with 5 links, as far as they were looked at.\n1,716 linked URLs were not"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_clean_site_is_told_so() {
        assert!(told(&[], 5, &Verdict::default()).starts_with("Nothing found in 1,234 pages with 5 links."));
    }
}
