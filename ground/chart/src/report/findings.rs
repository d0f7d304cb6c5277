//! Findings on their way into the report: put into groups by cause, of which the largest of each kind are kept; and how they are written.
//!
//! What belongs together is the rule of [`groma_check::causes`], the same as in the other forms for people. Memory is
//! bounded as it is there, not by the survey.

use std::fmt::Write as _;
use std::io;

use groma_check::causes::{CauseGroup, Causes, KindCauses};
use groma_check::tell::Teller;
use groma_check::{Closing, Finding, Kind, Severity, Summary};
use groma_model::wording::grouped;

use super::head::day;
use super::pen::{address, end_table, heading, more, number, own, table, text};
use super::phrases::Phrases;
use super::{ReportPage, file};

/// Findings of a group that are shown.
const EXAMPLES: usize = 3;
/// With more kinds than this only errors are unfolded.
const UNFOLDED: usize = 12;

/// Takes the findings of a check, kind after kind, and keeps some groups of each.
#[derive(Clone, Debug)]
pub struct Findings {
    coming: Causes,
    /// The worst first; complete when the check has ended.
    pub kinds: Vec<KindCauses>,
    /// All of them, counted; complete when the check has ended.
    pub summary: Summary,
}

impl Findings {
    /// Keeps so many groups of each kind; `usize::MAX` keeps all that there is room for.
    pub fn keeping(most: usize) -> Findings {
        Findings { coming: Causes::new(most, EXAMPLES), kinds: Vec::new(), summary: Summary::default() }
    }
}

impl Default for Findings {
    fn default() -> Findings {
        Findings::keeping(50)
    }
}

impl Teller for Findings {
    fn tell(&mut self, finding: &Finding) -> io::Result<()> {
        self.coming.take(finding);
        Ok(())
    }

    fn close(&mut self, closing: &Closing<'_>) -> io::Result<()> {
        self.kinds = std::mem::replace(&mut self.coming, Causes::new(0, 1)).finish();
        self.summary = closing.summary.clone();
        Ok(())
    }
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
        for causes in &page.findings.kinds {
            let kind = causes.kind;
            to.push_str("<tr><td class=s>");
            tag(to, kind.severity(), phrases);
            let _ = write!(to, "</td><td><a href=\"#{kind}\">");
            own(to, &phrases.kind(kind));
            to.push_str("</a></td>");
            number(to, &grouped(causes.findings));
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
pub(crate) fn of_kind(to: &mut String, causes: &KindCauses, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let kind = causes.kind;
    let open = match kind.severity() {
        Severity::Error => true,
        Severity::Warning => page.findings.kinds.len() <= UNFOLDED,
        Severity::Note => false,
    };
    let _ = write!(to, "<details id={kind}{}>\n<summary>", if open { " open" } else { "" });
    tag(to, kind.severity(), phrases);
    to.push_str(" <b>");
    own(to, &phrases.kind(kind));
    to.push_str("</b> <span class=count>");
    own(to, &grouped(causes.findings));
    to.push_str("</span> <small>");
    own(to, &causes.extent());
    to.push_str("</small></summary>\n");
    if causes.groups.iter().any(|group| group.next == kind.next_step()) {
        to.push_str("<p class=next>");
        own(to, &phrases.say("next").replace("{next}", phrases.next(kind)));
        to.push_str("</p>\n");
    }
    to.push_str("<ul class=found>\n");
    for group in &causes.groups {
        to.push_str("<li>");
        group_of_kind(to, group, page.findings.summary.pages, phrases);
        to.push_str("</li>\n");
    }
    to.push_str("</ul>\n");
    let hidden = usize::try_from(causes.rest().1).unwrap_or(usize::MAX);
    match file(page, "findings.csv") {
        Some(name) => more(to, phrases, "more.findings", hidden, Some(name)),
        None => more(to, phrases, "more.check", hidden, None),
    }
    to.push_str("</details>\n");
}

/// What a group is about, how much there is, why, and where for example.
fn group_of_kind(to: &mut String, group: &CauseGroup, of_pages: u64, phrases: &Phrases<'_>) {
    match group.name_says() {
        "elsewhere" => own(to, phrases.say("elsewhere")),
        "server" => own(to, phrases.say("server")),
        "same as" => own(to, phrases.say("same")),
        _ => {}
    }
    to.push(' ');
    if group.is_named_by_url() {
        address(to, group.name());
    } else {
        to.push_str("<b>");
        text(to, group.name());
        to.push_str("</b>");
    }
    to.push_str(" <span class=count>");
    own(to, &phrases.count("pages", group.size.pages));
    to.push_str("</span>");
    why(to, group, of_pages, phrases);
    examples(to, group, phrases);
}

/// Where it stands, why, since when, what else, and what to do if it is not what the others ask for.
fn why(to: &mut String, group: &CauseGroup, of_pages: u64, phrases: &Phrases<'_>) {
    let standing = group.standing(of_pages);
    let words = group.habit.as_ref().map(|place| place.text.trim()).filter(|words| !words.is_empty());
    let words = words.map(|words| format!("\u{201c}{words}\u{201d}"));
    let reason = group.reason.map(|reason| phrases.reason(reason).to_owned());
    let since = day(group.since).map(|day| phrases.say("since").replace("{date}", &day));
    let detail = Some(group.detail.clone()).filter(|detail| !detail.trim().is_empty() && !group.is_of_words());
    let own_next = group.next != group.kind.next_step();
    let next = own_next.then(|| phrases.say("next").replace("{next}", group.next));
    let parts: Vec<String> = [standing, words, reason, since, detail, next].into_iter().flatten().collect();
    if !parts.is_empty() {
        to.push_str("<div class=why>");
        for (at, part) in parts.iter().enumerate() {
            to.push_str(if at > 0 { " \u{b7} " } else { "" });
            text(to, part);
        }
        to.push_str("</div>");
    }
}

/// Where some of them are, unless the group is called by it.
fn examples(to: &mut String, group: &CauseGroup, phrases: &Phrases<'_>) {
    if group.size.pages == 1 && group.examples.first().is_none_or(|example| example.from == group.name()) {
        return;
    }
    to.push_str("<ul>\n");
    for (at, example) in group.examples.iter().enumerate() {
        to.push_str("<li><span class=arrow>");
        let (first, one) = (at == 0, group.size.pages == 1);
        own(to, if one { phrases.say("on") } else { phrases.say(if first { "example" } else { "and" }) });
        to.push_str("</span> ");
        address(to, &example.from);
        if group.habit.is_none() && !example.anchor.trim().is_empty() {
            to.push_str(" <q>");
            text(to, &example.anchor);
            to.push_str("</q>");
        }
        if let (None, Some(link), Some(block)) = (&group.habit, example.link, example.block) {
            to.push_str(" <small>");
            own(to, &phrases.say("place").replace("{link}", link.name()).replace("{block}", block.name()));
            to.push_str("</small>");
        }
        if !group.kind.is_of_link() && !group.is_of_words() && group.detail != example.detail {
            to.push_str(" <small>");
            text(to, &example.detail);
            to.push_str("</small>");
        }
        to.push_str("</li>\n");
    }
    to.push_str("</ul>");
}

fn tag(to: &mut String, severity: Severity, phrases: &Phrases<'_>) {
    let _ = write!(to, "<span class=\"tag {severity}\">");
    own(to, phrases.severity(severity));
    to.push_str("</span>");
}
