//! A notice as plain text: the letter, and what feed readers show.
//!
//! URLs, titles and texts of links come from strangers: each is one line without control characters, and not too long.

use groma_model::wording::plain;
use groma_store::jobs::NoticeRow;

use super::{Body, Told, words};

/// Findings of one kind that a letter names; the others are counted.
const LISTED: usize = 25;
/// Characters of a URL or a text that are shown.
const SHOWN: usize = 500;

/// The letter about a notice. `link` leads to all findings.
pub fn letter(row: &NoticeRow, body: &Body, link: Option<&str>) -> String {
    let mut text = format!("{}\n{}\n", plain(&row.title), words::found_by(body.run, &body.at));
    let mut rest = body.findings.as_slice();
    while let Some(first) = rest.first() {
        let end = rest.iter().position(|finding| finding.kind != first.kind).unwrap_or(rest.len());
        let (group, others) = rest.split_at(end);
        rest = others;
        let count = body.counts.get(&first.kind).copied().unwrap_or(group.len() as u64);
        text.push_str(&format!("\n{}\n", words::heading(&first.kind, count)));
        group.iter().take(LISTED).for_each(|finding| text.push_str(&entry(finding)));
        let more = count - group.len().min(LISTED) as u64;
        if more > 0 {
            text.push_str(&format!("- {}\n", words::and_more(more)));
        }
        text.push_str(&format!("{}\n", words::next_step(&shown(&first.next))));
    }
    // Kinds of which not even the first one was named.
    for (kind, count) in &body.counts {
        if !body.findings.iter().any(|finding| finding.kind == *kind) {
            text.push_str(&format!("\n{}\n", words::heading(kind, *count)));
        }
    }
    let changes: Vec<(String, u64)> = body.changes.iter().map(|(name, count)| (name.clone(), *count)).collect();
    if let Some(line) = words::changes(&changes, body.fixed) {
        text.push_str(&format!("\n{line}\n"));
    }
    if let Some(link) = link {
        text.push_str(&format!("\n{}\n", words::read_more(link)));
    }
    text.push_str(&format!("\n-- \n{}\n", words::WHY_YOU));
    text
}

fn entry(finding: &Told) -> String {
    let mut lines = format!("- {}\n", shown(&finding.from));
    if let Some(to) = &finding.to {
        let anchor = finding.anchor.as_deref().map(|anchor| format!(" \"{}\"", shown(anchor))).unwrap_or_default();
        let reason = finding.reason.as_deref().map(|reason| format!(" ({})", shown(reason))).unwrap_or_default();
        lines.push_str(&format!("  ->{anchor} {}{reason}\n", shown(to)));
    }
    if let Some(detail) = &finding.detail {
        lines.push_str(&format!("  {}\n", shown(detail)));
    }
    lines
}

fn shown(text: &str) -> String {
    let line = plain(text);
    match line.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", &line[..cut]),
        None => line,
    }
}
