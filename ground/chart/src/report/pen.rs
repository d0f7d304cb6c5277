//! The small pieces of markup the report is made of: texts, addresses, bars, heads of tables.
//!
//! Whatever comes from a stranger passes through here: one line, at most 500 characters, escaped, and kept from turning
//! the direction of its neighbors. A URL becomes a link if it leads to the web and is not absurdly long.

use std::fmt::Write as _;

use super::phrases::Phrases;
use crate::html::escape::{is_web, push_address, push_text};
use crate::name;

/// The longest address that is linked, in bytes: no server takes longer ones, and a report must not grow with them.
const LONGEST_LINK: usize = 4_096;

/// Writes untrusted text: escaped, on one line, its direction isolated.
pub(crate) fn text(to: &mut String, words: &str) {
    to.push_str("<bdi>");
    push_text(to, &name::one_line(words));
    to.push_str("</bdi>");
}

/// Our own words; they are escaped all the same.
pub(crate) fn own(to: &mut String, words: &str) {
    push_text(to, &name::one_line(words));
}

/// A page: its name, which leads to its URL.
pub(crate) fn page(to: &mut String, address: &str, shown: &str) {
    let linked = is_web(address) && address.len() <= LONGEST_LINK;
    if linked {
        to.push_str("<a href=\"");
        push_address(to, address);
        to.push_str("\" rel=\"noopener noreferrer\">");
    }
    let start = to.len();
    text(to, shown);
    if to[start..].trim_start_matches("<bdi>").trim_end_matches("</bdi>").trim().is_empty() {
        // A link must be seen.
        to.truncate(start);
        to.push_str("<bdi>");
        push_address(to, &name::one_line(address));
        to.push_str("</bdi>");
    }
    if linked {
        to.push_str("</a>");
    }
}

/// A URL that leads to itself.
pub(crate) fn address(to: &mut String, address: &str) {
    page(to, address, address);
}

/// A bar: what share of its rail is filled. Anything that is no share counts as none.
pub(crate) fn bar(to: &mut String, share: f64, class: &str) {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    // What is there can be seen, however little it is.
    let wide = if share > 0.0 { (share * 100.0).max(0.8) } else { 0.0 };
    let _ = write!(
        to,
        "<svg class=bar viewBox=\"0 0 100 7\" preserveAspectRatio=none aria-hidden=true><rect class=rail width=100 \
         height=7 /><rect class={class} width={wide:.1} height=7 /></svg>"
    );
}

/// A share of a whole.
pub(crate) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Begins a section; its heading is what the contents list names.
pub(crate) fn heading(to: &mut String, phrases: &Phrases<'_>, key: &str) {
    let _ = write!(to, "<section id={key}>\n<h2>");
    own(to, phrases.say(key));
    to.push_str("</h2>\n");
}

/// Begins a table. A column whose key begins with `#` holds numbers, one with `|` a bar.
pub(crate) fn table(to: &mut String, phrases: &Phrases<'_>, caption: &str, columns: &[&str]) {
    to.push_str("<div class=wide tabindex=0>\n<table>\n");
    if !caption.is_empty() {
        to.push_str("<caption>");
        own(to, caption);
        to.push_str("</caption>\n");
    }
    to.push_str("<thead><tr>");
    for column in columns {
        let (class, key) = match column.split_at(1) {
            ("#", key) => (" class=n", key),
            ("|", key) => (" class=b", key),
            _ => ("", *column),
        };
        let _ = write!(to, "<th scope=col{class}>");
        own(to, phrases.say(&format!("column.{key}")));
        to.push_str("</th>");
    }
    to.push_str("</tr></thead>\n<tbody>\n");
}

pub(crate) fn end_table(to: &mut String) {
    to.push_str("</tbody>\n</table>\n</div>\n");
}

/// A cell with a number.
pub(crate) fn number(to: &mut String, shown: &str) {
    to.push_str("<td class=n>");
    own(to, shown);
    to.push_str("</td>");
}

/// A cell with a bar.
pub(crate) fn bar_cell(to: &mut String, share: f64, class: &str) {
    to.push_str("<td class=b>");
    bar(to, share, class);
    to.push_str("</td>");
}

/// A line that counts what is not listed, and says where it is: in a file of the report, or behind a command.
pub(crate) fn more(to: &mut String, phrases: &Phrases<'_>, key: &str, hidden: usize, file: Option<&str>) {
    if hidden == 0 {
        return;
    }
    to.push_str("<p class=more>");
    code(to, &phrases.count(key, hidden as u64));
    if let Some(file) = file {
        let _ = write!(to, " <a href=\"{file}\">{file}</a>");
    }
    to.push_str("</p>\n");
}

/// Our own words, in which a part between backticks is a command.
fn code(to: &mut String, words: &str) {
    for (at, part) in words.split('`').enumerate() {
        if at % 2 == 1 {
            to.push_str("<code>");
            own(to, part);
            to.push_str("</code>");
        } else {
            push_text(to, part);
        }
    }
}

/// `350 ms`, `1.2 s`.
pub(crate) fn time(milliseconds: u64) -> String {
    if milliseconds < 1_000 { format!("{milliseconds} ms") } else { format!("{:.1} s", milliseconds as f64 / 1_000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(write: impl FnOnce(&mut String)) -> String {
        let mut to = String::new();
        write(&mut to);
        to
    }

    #[test]
    fn only_the_web_is_linked_and_nothing_is_invisible() {
        assert_eq!(
            made(|to| page(to, "https://a.org/?a=1&b=\"", "</a><b>")),
            "<a href=\"https://a.org/?a=1&amp;b=&quot;\" rel=\"noopener noreferrer\"><bdi>&lt;/a&gt;&lt;b&gt;</bdi></a>"
        );
        assert_eq!(made(|to| page(to, "javascript:alert(1)", "x")), "<bdi>x</bdi>");
        assert!(made(|to| page(to, "https://a.org/x", "\u{202e}\n")).contains("<bdi>https://a.org/x</bdi>"));
        let long = format!("https://a.org/{}", "y".repeat(100_000));
        let shown = made(|to| address(to, &long));
        assert!(!shown.contains("href") && shown.len() < 600 && shown.contains('…'), "{}", shown.len());
    }

    #[test]
    fn bars_are_shares_whatever_the_number() {
        for (share, wide) in
            [(0.5, "50.0"), (0.000_1, "0.8"), (0.0, "0.0"), (7.0, "100.0"), (-1.0, "0.0"), (f64::NAN, "0.0")]
        {
            assert!(made(|to| bar(to, share, "x")).contains(&format!("class=x width={wide} ")), "{share}");
        }
        assert!((share(1, 4) - 0.25).abs() < 1e-9 && share(1, 0) == 0.0);
        assert_eq!([time(350), time(1_234)], ["350 ms", "1.2 s"]);
    }
}
