//! Findings on their way into the report: some of each kind are kept, all are counted; and how they are written.
//!
//! Which are kept is the rule of [`Listing`], the same as in the other forms for people. A finding comes with texts of any
//! length, so what is kept of each is cut: memory is bounded by kinds × list and the few megabytes a [`Listing`] takes at
//! most, not by the survey.

use std::fmt::Write as _;
use std::io;

use groma_check::tell::Teller;
use groma_check::tell::listing::Listing;
use groma_check::{Closing, Finding, Kind, Severity, Summary};
use groma_model::wording::grouped;

use super::head::day;
use super::pen::{address, end_table, heading, more, number, own, table, text};
use super::phrases::Phrases;
use super::{ReportPage, file};

/// Characters kept of a text that is not a URL.
const KEPT: usize = 600;
/// Bytes of the longest URL that is kept whole; of longer ones the beginning is shown.
const ADDRESS: usize = 8_192;

/// Takes the findings of a check, and keeps some of each kind.
#[derive(Clone, Debug)]
pub struct Findings {
    /// What is kept of each kind, and what decides it; in the order of [`Kind::ALL`].
    kept: Vec<(Vec<Finding>, Listing)>,
    /// All of them, counted; complete when the check has ended.
    pub summary: Summary,
}

impl Findings {
    /// Keeps so many of each kind, of links to one target no more than a [`Listing`] takes; `usize::MAX` keeps all.
    pub fn keeping(most: usize) -> Findings {
        Findings { kept: vec![(Vec::new(), Listing::new(most)); Kind::ALL.len()], summary: Summary::default() }
    }

    /// The findings of a kind that were kept.
    pub fn kept(&self, kind: Kind) -> &[Finding] {
        &self.kept[kind as usize].0
    }

    /// The targets behind most of what was not kept of a kind, and on how many pages they are linked.
    fn frequent(&self, kind: Kind) -> Vec<(&str, u64)> {
        self.kept[kind as usize].1.frequent()
    }
}

impl Default for Findings {
    fn default() -> Findings {
        Findings::keeping(50)
    }
}

impl Teller for Findings {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        let (kept, listing) = &mut self.kept[finding.kind as usize];
        if listing.takes(finding) {
            let (anchor, detail) = (start(&finding.anchor, KEPT), start(&finding.detail, KEPT));
            let (from, to) = (start(&finding.from, ADDRESS), finding.to.as_ref().map(|to| start(to, ADDRESS)));
            kept.push(Finding { from, to, anchor, detail, ..finding.clone() });
        }
        Ok(())
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.summary = closing.summary.clone();
        Ok(())
    }
}

/// The first characters of a text.
fn start(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// The kinds that were found: an overview.
pub(crate) fn overview(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let summary = &page.findings.summary;
    heading(to, phrases, "findings");
    to.push_str("<p>");
    match summary.total() {
        0 => own(to, &phrases.count("findings.none", summary.pages)),
        all => own(to, &phrases.count("findings.some", all)),
    }
    to.push_str("</p>\n");
    if summary.total() > 0 {
        table(to, phrases, "", &["severity", "kind", "#count"]);
        for (kind, count) in summary.found() {
            to.push_str("<tr><td class=s>");
            tag(to, kind.severity(), phrases);
            let _ = write!(to, "</td><td><a href=\"#{kind}\">");
            own(to, &phrases.kind(kind));
            to.push_str("</a></td>");
            number(to, &grouped(count.all));
            to.push_str("</tr>\n");
        }
        end_table(to);
    }
    if let Some(unasked) = summary.unasked.says() {
        to.push_str("<p>");
        text(to, &unasked);
        to.push_str("</p>\n");
    }
    if summary.checked.has(Kind::Orphan) {
        to.push_str("<h3>");
        own(to, phrases.say("orphans"));
        to.push_str("</h3>\n<p>");
        text(to, &summary.orphans.says());
        to.push_str("</p>\n");
    }
}

/// The findings of a kind.
pub(crate) fn of_kind(to: &mut String, kind: Kind, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let (kept, all) = (page.findings.kept(kind), page.findings.summary.for_kind(kind).all);
    if all == 0 {
        return;
    }
    let open = if kind.severity() == Severity::Note { "" } else { " open" };
    let _ = write!(to, "<details id={kind}{open}>\n<summary>");
    tag(to, kind.severity(), phrases);
    to.push_str(" <b>");
    own(to, &phrases.kind(kind));
    to.push_str("</b> <span class=count>");
    own(to, &grouped(all));
    to.push_str("</span></summary>\n<p class=next>");
    own(to, &phrases.say("next").replace("{next}", phrases.next(kind)));
    to.push_str("</p>\n<ul class=found>\n");
    for group in kept.chunk_by(|a, b| a.from == b.from) {
        to.push_str("<li>");
        address(to, &group[0].from);
        if kind.is_of_link() {
            to.push_str("<ul>\n");
            for finding in group {
                to.push_str("<li>");
                link(to, finding, phrases);
                why(to, finding, phrases);
                to.push_str("</li>\n");
            }
            to.push_str("</ul>");
        } else {
            group.iter().for_each(|finding| of_page(to, finding, phrases));
        }
        to.push_str("</li>\n");
    }
    to.push_str("</ul>\n");
    let hidden = usize::try_from(all).unwrap_or(usize::MAX).saturating_sub(kept.len());
    match file(page, "findings.csv") {
        Some(name) => more(to, phrases, "more.findings", hidden, Some(name)),
        None => more(to, phrases, "more.check", hidden, None),
    }
    frequent(to, &page.findings.frequent(kind), phrases);
    to.push_str("</details>\n");
}

/// Targets that many pages link to, most of which are not listed.
fn frequent(to: &mut String, targets: &[(&str, u64)], phrases: &Phrases<'_>) {
    if targets.is_empty() {
        return;
    }
    to.push_str("<ul class=more>\n");
    for (target, pages) in targets {
        to.push_str("<li>");
        own(to, &phrases.count("more.pages", *pages));
        to.push(' ');
        address(to, target);
        to.push_str("</li>\n");
    }
    to.push_str("</ul>\n");
}

/// A finding about a page, and the other page it is about.
fn of_page(to: &mut String, finding: &Finding, phrases: &Phrases<'_>) {
    if let Some(other) = &finding.to {
        to.push_str(" <span class=arrow>→</span> ");
        address(to, other);
    }
    why(to, finding, phrases);
}

/// Where a link leads, its text, and where it stands.
fn link(to: &mut String, finding: &Finding, phrases: &Phrases<'_>) {
    to.push_str("<span class=arrow>→</span> ");
    address(to, finding.to.as_deref().unwrap_or_default());
    if !finding.anchor.trim().is_empty() {
        to.push_str(" <q>");
        text(to, &finding.anchor);
        to.push_str("</q>");
    }
    if let (Some(link), Some(block)) = (finding.link, finding.block) {
        to.push_str(" <small>");
        own(to, &phrases.say("place").replace("{link}", link.name()).replace("{block}", block.name()));
        to.push_str("</small>");
    }
}

/// Why, since when, what else, and what to do if it is not what the others ask for.
fn why(to: &mut String, finding: &Finding, phrases: &Phrases<'_>) {
    let reason = finding.reason.map(|reason| phrases.reason(reason).to_owned());
    let since = day(finding.since).map(|day| phrases.say("since").replace("{date}", &day));
    let detail = Some(finding.detail.clone()).filter(|detail| !detail.trim().is_empty());
    let own_next = finding.next != finding.kind.next_step();
    let next = own_next.then(|| phrases.say("next").replace("{next}", finding.next));
    let parts: Vec<String> = [reason, since, detail, next].into_iter().flatten().collect();
    if !parts.is_empty() {
        to.push_str("<div class=why>");
        for (at, part) in parts.iter().enumerate() {
            to.push_str(if at > 0 { " · " } else { "" });
            text(to, part);
        }
        to.push_str("</div>");
    }
}

fn tag(to: &mut String, severity: Severity, phrases: &Phrases<'_>) {
    let _ = write!(to, "<span class=\"tag {severity}\">");
    own(to, phrases.severity(severity));
    to.push_str("</span>");
}
