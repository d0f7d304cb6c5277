//! A site as beginnings of URLs: in, undecided, out; the largest first, and not more than can be read.

use std::collections::BTreeSet;
use std::ops::Bound;

use groma_model::wording::grouped;
use groma_tasks::bounds::Prefix;

use super::naming::{ADDRESS, percent};
use crate::pages::layout::short;
use crate::pages::shown::{about, counted};

/// Rows of a verdict shown at first, and at most.
const FIRST: usize = 40;
const MOST: usize = 1_000;

/// All lines of one verdict.
pub(super) struct PlaceGroup {
    pub(super) head: &'static str,
    pub(super) class: &'static str,
    /// How many lines, and of how many pages.
    pub(super) says: String,
    pub(super) rows: Vec<PlaceRow>,
    /// Lines that are not shown.
    pub(super) more: usize,
    pub(super) can_accept: bool,
    pub(super) can_reject: bool,
}

/// A row of the list of pages and prefixes.
pub(super) struct PlaceRow {
    /// A place beside the site that holds parts of it: all of it is more than what is shown here.
    pub(super) around: bool,
    /// What is decided about, as the desk takes it.
    pub(super) subject: String,
    pub(super) single: bool,
    pub(super) address: String,
    /// Where all about a single page is told.
    pub(super) href: Option<String>,
    pub(super) inside: String,
    pub(super) pages: String,
    /// In per cent.
    pub(super) sure: u32,
    pub(super) reason: String,
}

/// The lines by their verdicts, and whether some are left out.
pub(super) fn place_groups(site: &str, lines: &[Prefix], all: bool) -> (Vec<PlaceGroup>, bool) {
    let most = if all { MOST } else { FIRST };
    let starts: BTreeSet<&str> = lines.iter().map(|line| line.prefix.as_str()).collect();
    let kinds = [("in", "In", "good"), ("undecided", "Undecided", "warn"), ("out", "Out", "")];
    let group = |(verdict, head, class): (&'static str, &'static str, &'static str)| {
        let mut mine: Vec<&Prefix> = lines.iter().filter(|line| line.verdict == verdict).collect();
        mine.sort_by(|a, b| b.decides.cmp(&a.decides).then_with(|| a.prefix.cmp(&b.prefix)));
        let pages: u64 = mine.iter().map(|line| u64::from(line.decides)).sum();
        let more = mine.len().saturating_sub(most);
        let says =
            format!("{} with {}", counted(mine.len() as u64, "place", "places"), counted(pages, "page", "pages"));
        mine.truncate(most);
        PlaceGroup {
            head,
            class,
            says,
            rows: mine.into_iter().map(|line| row(site, line, &starts)).collect(),
            more,
            can_accept: verdict != "in",
            can_reject: verdict != "out",
        }
    };
    let groups: Vec<PlaceGroup> = kinds.into_iter().map(group).filter(|group| !group.rows.is_empty()).collect();
    let cut = groups.iter().any(|group| group.more > 0);
    (groups, cut)
}

fn row(site: &str, line: &Prefix, starts: &BTreeSet<&str>) -> PlaceRow {
    let next = starts.range::<str, _>((Bound::Excluded(line.prefix.as_str()), Bound::Unbounded)).next();
    PlaceRow {
        around: line.beside && next.is_some_and(|next| next.starts_with(&line.prefix)),
        subject: if line.single { line.prefix.clone() } else { format!("{}*", line.prefix) },
        single: line.single,
        address: short(&line.prefix, ADDRESS),
        href: line.single.then(|| about(site, &line.prefix)),
        inside: grouped(line.inside.into()),
        pages: grouped(line.pages.into()),
        sure: percent(line.confidence),
        reason: short(&line.reason, ADDRESS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(prefix: &str, verdict: &str, single: bool, decides: u32) -> Prefix {
        Prefix {
            prefix: prefix.into(),
            single,
            verdict: verdict.into(),
            pages: decides + 1,
            inside: decides,
            undecided: 0,
            decides,
            confidence: 0.876,
            reason: "start page".into(),
            beside: false,
        }
    }

    #[test]
    fn the_largest_come_first_and_a_long_list_is_cut() {
        let mut lines: Vec<Prefix> =
            (0..50).map(|n| line(&format!("https://a.example/{n}/"), "in", false, n)).collect();
        lines.push(line("https://b.example/x", "out", true, 1));
        let (groups, cut) = place_groups("s", &lines, false);
        assert_eq!((groups.len(), groups[0].rows.len(), groups[0].more, cut), (2, FIRST, 50 - FIRST, true));
        assert_eq!(groups[0].rows[0].subject, "https://a.example/49/*");
        assert_eq!(groups[0].says, "50 places with 1,225 pages");
        assert_eq!((groups[1].rows[0].subject.as_str(), groups[1].rows[0].sure), ("https://b.example/x", 88));
        assert!(groups[0].can_reject && !groups[0].can_accept && groups[1].can_accept && !groups[1].can_reject);
        let (groups, cut) = place_groups("s", &lines, true);
        assert_eq!((groups[0].rows.len(), cut), (50, false));
        let host = Prefix { beside: true, ..line("https://a.example/", "out", false, 3) };
        let (groups, _) = place_groups("s", &[host, line("https://a.example/b/", "in", false, 9)], false);
        assert!(groups[1].rows[0].around && !groups[0].rows[0].around, "the host holds the site");
        assert!(place_groups("s", &[line("x", "<b>", true, 1)], true).0.is_empty());
    }
}
