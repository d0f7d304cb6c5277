//! The end of the report: limits that were met, what the crawl noticed, the files, how to read it all.

use std::fmt::Write as _;

use groma_model::wording::{grouped, size};

use super::ReportPage;
use super::pen::{end_table, heading, more, number, own, table, text};
use super::phrases::Phrases;

/// Things the crawl noticed that are listed.
const REMARKS: usize = 50;
/// How to read it, line by line.
const READING: [&str; 6] =
    ["reading.indexed", "reading.unknown", "reading.severity", "reading.since", "reading.scripts", "reading.moment"];

pub(crate) fn limits(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    heading(to, phrases, "limits");
    to.push_str("<p class=faint>");
    own(to, phrases.say("limits.says"));
    to.push_str("</p>\n");
    table(to, phrases, "", &["limit", "#times"]);
    for (key, times) in page.limits {
        to.push_str("<tr><td>");
        text(to, key);
        to.push_str("</td>");
        number(to, &grouped(*times));
        to.push_str("</tr>\n");
    }
    end_table(to);
    to.push_str("</section>\n");
}

pub(crate) fn remarks(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    heading(to, phrases, "remarks");
    to.push_str("<ul>\n");
    for remark in page.remarks.iter().take(REMARKS) {
        to.push_str("<li>");
        text(to, remark);
        to.push_str("</li>\n");
    }
    to.push_str("</ul>\n");
    more(to, phrases, "more.remarks", page.remarks.len().saturating_sub(REMARKS), None);
    to.push_str("</section>\n");
}

pub(crate) fn files(to: &mut String, page: &ReportPage<'_>, phrases: &Phrases<'_>) {
    heading(to, phrases, "files");
    table(to, phrases, "", &["file", "holds", "#size"]);
    for file in page.files {
        let _ = write!(to, "<tr><td><a href=\"{0}\">{0}</a></td><td>", file.name);
        own(to, phrases.file(&file.name));
        to.push_str("</td>");
        number(to, &size(file.bytes));
        to.push_str("</tr>\n");
    }
    end_table(to);
    to.push_str("</section>\n");
}

pub(crate) fn reading(to: &mut String, phrases: &Phrases<'_>) {
    heading(to, phrases, "reading");
    to.push_str("<ul>\n");
    for key in READING {
        to.push_str("<li>");
        own(to, phrases.say(key));
        to.push_str("</li>\n");
    }
    to.push_str("</ul>\n</section>\n");
}
