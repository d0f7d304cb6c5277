//! The head of the report: what it is about, when and by what it was made, what to note, and the contents.

use std::fmt::Write as _;

use groma_check::Severity;
use groma_model::State;
use groma_model::wording::{grouped, size};

use super::ReportPage;
use super::pen::{address, heading, own, text};
use super::phrases::Phrases;
use crate::html::escape::push_text;
use crate::html::policy::policy;
use crate::{name, value};

/// Up to the body, with the style sheet.
pub(crate) fn document(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>, style: &str) {
    to.push_str("<!DOCTYPE html>\n<html lang=\"");
    push_text(to, phrases.language());
    to.push_str("\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"");
    push_text(to, &policy("", style));
    to.push_str("\">\n<meta name=\"referrer\" content=\"no-referrer\">\n");
    to.push_str("<meta name=\"viewport\" content=\"width=device-width\">\n");
    to.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"");
    push_text(to, &name::one_line(&page.map.heading.generator));
    to.push_str("\">\n<link rel=\"icon\" href=\"data:,\">\n<title>");
    push_text(to, &phrases.say("report").replace("{site}", &site(page)));
    to.push_str("</title>\n<style>");
    to.push_str(style);
    to.push_str("</style>\n</head>\n<body>\n");
}

/// What the report is about.
pub(crate) fn header(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    let heading = &page.map.heading;
    to.push_str("<header>\n<h1>");
    // The name of the site must not turn our own words around.
    let (before, after) = phrases.say("report").split_once("{site}").unwrap_or_default();
    push_text(to, before);
    text(to, &site(page));
    push_text(to, after);
    to.push_str("</h1>\n<p class=root>");
    address(to, &heading.root);
    to.push_str("</p>\n<p>");
    own(to, &phrases.say("surveyed").replace("{date}", &minute(heading.surveyed)));
    to.push_str(" · ");
    let written = phrases.say("written").replace("{date}", &minute(heading.drawn));
    own(to, &written.replace("{generator}", &heading.generator));
    to.push_str("</p>\n");
    let notes: Vec<&String> = heading.notes.iter().filter(|note| !name::one_line(note).is_empty()).collect();
    if !notes.is_empty() {
        to.push_str("<aside class=notes aria-label=\"");
        own(to, phrases.say("notes"));
        to.push_str("\">\n");
        for note in notes {
            to.push_str("<p>");
            text(to, note);
            to.push_str("</p>\n");
        }
        to.push_str("</aside>\n");
    }
    to.push_str("</header>\n");
}

pub(crate) fn contents(to: &mut String, sections: &[&str], phrases: &Phrases<'_>) {
    to.push_str("<nav aria-label=\"");
    own(to, phrases.say("contents"));
    to.push_str("\">\n<ul>\n");
    for section in sections {
        let _ = write!(to, "<li><a href=\"#{section}\">");
        own(to, phrases.say(section));
        to.push_str("</a></li>\n");
    }
    to.push_str("</ul>\n</nav>\n");
}

pub(crate) fn figures(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    heading(to, phrases, "figures");
    to.push_str("<ul class=figures>\n");
    let mut figure = |class: &str, shown: &str, says: &str| {
        let _ = write!(to, "<li{class}><b>");
        own(to, shown);
        to.push_str("</b> ");
        own(to, says);
        to.push_str("</li>\n");
    };
    let summary = &page.findings.summary;
    let read = page.state(State::Fetched);
    figure("", &grouped(read), &phrases.count("figure.pages", read));
    figure("", &grouped(summary.links), &phrases.count("figure.links", summary.links));
    let depth = u64::from(page.map.tree.layer_count().saturating_sub(1));
    figure("", &grouped(depth), &phrases.count("figure.depth", depth));
    figure("", &size(page.bytes), &phrases.count("figure.bytes", page.fetches));
    figure("", &grouped(page.sites.len() as u64), &phrases.count("figure.sites", page.sites.len() as u64));
    for severity in Severity::ALL {
        let all = summary.of_severity(severity).all;
        let class = match (severity, all) {
            (_, 0) => " class=well",
            (Severity::Error, _) => " class=error",
            (Severity::Warning, _) => " class=warning",
            (Severity::Note, _) => "",
        };
        figure(class, &grouped(all), &phrases.count(&format!("figure.{severity}"), all));
    }
    to.push_str("</ul>\n");
    to.push_str("</section>\n");
}

/// The name of the site.
fn site(page: &ReportPage<'_>) -> String {
    let site = name::one_line(&page.map.heading.site);
    if site.is_empty() { name::one_line(&page.map.heading.root) } else { site }
}

/// `2026-01-02 03:04 UTC`.
fn minute(seconds: i64) -> String {
    value::written(seconds).map(|moment| format!("{} UTC", moment[..16].replace('T', " "))).unwrap_or_default()
}

/// `2026-01-02`; nothing if it is not known.
pub(crate) fn day(seconds: i64) -> Option<String> {
    value::written(seconds).filter(|_| seconds > 0).map(|moment| moment[..10].to_owned())
}
