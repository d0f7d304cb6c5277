//! A group of findings with one cause, and how it grows finding by finding.

use std::collections::HashSet;

use groma_model::wording::{counted, grouped};
use groma_model::{Fp, Reason};

use super::cause::Cause;
use super::standing::{LinkPlace, Standings};
use crate::finding::{Finding, Kind};

/// Characters of a URL that are kept: no form links or shows longer ones whole.
const ADDRESS: usize = 8_192;
/// Characters of other texts.
const WORDS: usize = 600;

/// Findings of one kind with one cause.
#[derive(Clone, Debug)]
pub struct CauseGroup {
    pub kind: Kind,
    pub cause: Cause,
    pub size: GroupSize,
    /// Why the target is in its state, or the page in its own.
    pub reason: Option<Reason>,
    /// The first time any of them was seen so, in seconds since 1970, where there is a reason; else 0.
    pub since: i64,
    /// What else there is to know, where it is the same for all; with stars where it is nearly the same. Else empty.
    pub detail: String,
    /// What to do about it.
    pub next: &'static str,
    /// Where the links nearly always stand: most likely in a template.
    pub habit: Option<LinkPlace>,
    /// The first ones, with long texts cut.
    pub examples: Vec<Finding>,
}

/// How much there is in a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupSize {
    pub findings: u64,
    /// Those that are not in the baseline.
    pub new: u64,
    /// Pages they stand on.
    pub pages: u64,
    /// Links they speak of; as many as there are findings where they speak of none.
    pub links: u64,
    /// URLs they lead to, where these are not the cause: of a server that cannot be reached.
    pub targets: u64,
}

impl GroupSize {
    fn add(&mut self, other: &GroupSize) {
        self.findings += other.findings;
        self.new += other.new;
        self.pages += other.pages;
        self.links += other.links;
    }
}

impl CauseGroup {
    /// About how many bytes it takes.
    pub(super) fn weight(&self) -> usize {
        400 + self.cause.weight() + self.detail.len() + weight(&self.examples)
    }
}

impl CauseGroup {
    /// What it is about: the URL, the pattern of URLs or the words they have in common. Text of strangers.
    pub fn name(&self) -> &str {
        match &self.cause {
            Cause::Server(text) | Cause::Target(text) | Cause::Words(text) => text,
            Cause::Pages(family) => &family.pattern,
        }
    }

    /// What stands before or after the name, where it is not plain by itself.
    pub fn name_says(&self) -> &'static str {
        match &self.cause {
            Cause::Server(_) => "server",
            Cause::Target(_) if !self.kind.is_of_link() => "same as",
            Cause::Pages(family) if family.elsewhere => "elsewhere",
            _ => "",
        }
    }

    /// Whether the name is a URL that can be visited.
    pub fn is_named_by_url(&self) -> bool {
        match &self.cause {
            Cause::Target(_) => true,
            Cause::Pages(_) => self.size.findings == 1,
            Cause::Server(_) | Cause::Words(_) => false,
        }
    }

    /// Whether the name is words of a page, a title for example, and no URL.
    pub fn is_of_words(&self) -> bool {
        matches!(self.cause, Cause::Words(_))
    }

    /// How many of what: "3,804 pages".
    pub fn count(&self) -> String {
        counted(self.size.pages, "page", "pages")
    }

    /// How many links there are and where they stand, if that says more than the number of pages: "3 links in the navigation × 3,804
    /// pages", and what follows from that. `of_pages` is how many pages the site has. The text of the link is told apart.
    pub fn standing(&self, of_pages: u64) -> Option<String> {
        let size = self.size;
        if !self.kind.is_of_link() {
            return None;
        }
        let place = self.habit.as_ref().map(LinkPlace::says).filter(|place| !place.is_empty());
        let place = place.map_or_else(String::new, |place| format!(" {place}"));
        let targets =
            if size.targets > 1 { format!(" to {} URLs there", grouped(size.targets)) } else { String::new() };
        let each = size.links / size.pages.max(1);
        let alike = size.pages > 1 && each * size.pages == size.links;
        let mut says = if alike && (each > 1 || self.habit.is_some()) {
            format!(
                "{}{place}{targets} \u{d7} {}",
                counted(each, "link", "links"),
                counted(size.pages, "page", "pages")
            )
        } else if size.links > size.pages || size.targets > 1 || !place.is_empty() {
            let pages = counted(size.pages, "page", "pages");
            format!("{}{place}{targets} on {pages}", counted(size.links, "link", "links"))
        } else {
            return None;
        };
        if self.habit.is_some() {
            says.push_str(if size.pages * 2 > of_pages {
                ": it is in the template of the site"
            } else {
                ": most likely a template"
            });
        }
        Some(says)
    }
}

/// A group while findings come.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    pub(super) size: GroupSize,
    last_page: u64,
    targets: HashSet<u64>,
    reason: Option<Reason>,
    since: i64,
    detail: String,
    details_vary: bool,
    next: &'static str,
    standings: Standings,
    pub(super) examples: Vec<Finding>,
}

impl Growing {
    /// A group with nothing in it yet, for findings like this one.
    pub(super) fn new(first: &Finding) -> Growing {
        Growing {
            size: GroupSize::default(),
            last_page: 0,
            targets: HashSet::new(),
            reason: first.reason,
            since: 0,
            detail: start(without_count(first), WORDS).to_owned(),
            details_vary: false,
            next: first.next,
            standings: Standings::default(),
            examples: Vec::new(),
        }
    }

    /// Takes in a finding, and keeps it if it is one of the first so many.
    pub(super) fn take(&mut self, finding: &Finding, examples: usize, by_server: bool) {
        let page = short_hash(&finding.from);
        self.size.findings += 1;
        self.size.new += u64::from(finding.new);
        self.size.pages += u64::from(self.last_page != page);
        self.size.links += finding.links;
        self.last_page = page;
        if by_server {
            self.targets.insert(short_hash(finding.to.as_deref().unwrap_or_default()));
        }
        if finding.since > 0 && (self.since == 0 || finding.since < self.since) {
            self.since = finding.since;
        }
        self.details_vary |= start(without_count(finding), WORDS) != self.detail;
        if finding.kind.is_of_link() {
            self.standings.take(finding);
        }
        if self.examples.len() < examples {
            self.examples.push(Finding {
                from: start(&finding.from, ADDRESS).to_owned(),
                to: finding.to.as_deref().map(|to| start(to, ADDRESS).to_owned()),
                anchor: start(&finding.anchor, WORDS).to_owned(),
                detail: start(&finding.detail, WORDS).to_owned(),
                ..*finding
            });
        }
    }

    /// Counts so many that were not looked at more closely.
    pub(super) fn take_unseen(&mut self, findings: u64) {
        let many = GroupSize { findings, new: findings, pages: findings, links: findings, targets: 0 };
        self.size.add(&many);
    }

    /// Takes in another group of pages.
    pub(super) fn join(&mut self, other: Growing, examples: usize) {
        self.size.add(&other.size);
        if other.since > 0 && (self.since == 0 || other.since < self.since) {
            self.since = other.since;
        }
        self.details_vary |= other.details_vary || self.detail != other.detail;
        let room = examples.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.into_iter().take(room));
    }

    /// About how many bytes it takes.
    pub(super) fn weight(&self) -> usize {
        600 + self.detail.len() + weight(&self.examples)
    }

    /// The group as it is told.
    pub(super) fn finish(self, kind: Kind, cause: Cause) -> CauseGroup {
        let size = GroupSize { targets: self.targets.len() as u64, ..self.size };
        let same = cause.sameness().filter(|same| same.chars().any(char::is_alphabetic)).unwrap_or_default();
        let detail = if self.details_vary { same.to_owned() } else { self.detail };
        CauseGroup {
            kind,
            cause,
            size,
            reason: self.reason,
            // Since when a page is as it is says nothing about a fault that was there before it was looked for.
            since: if self.reason.is_some() { self.since } else { 0 },
            detail,
            next: self.next,
            habit: self.standings.habit(size.findings),
            examples: self.examples,
        }
    }
}

fn weight(findings: &[Finding]) -> usize {
    let to = |finding: &Finding| finding.to.as_ref().map_or(0, String::len);
    findings.iter().map(|it| 250 + it.from.len() + to(it) + it.anchor.len() + it.detail.len()).sum()
}

/// The detail without the number of links, which differs from page to page and is counted by itself.
fn without_count(finding: &Finding) -> &str {
    let detail = finding.detail.as_str();
    if finding.links < 2 {
        return detail;
    }
    let rest = detail.strip_suffix(" links").map(|rest| rest.trim_end_matches(|c: char| c.is_ascii_digit()));
    rest.map_or(detail, |rest| rest.trim_end_matches([' ', ';']))
}

/// The first characters of a text.
fn start(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(at, _)| &text[..at])
}

/// Enough of a fingerprint to tell texts apart in a table: two of a million are taken for one another once in 36 million surveys.
pub(super) fn short_hash(text: &str) -> u64 {
    Fp::hash_bytes(text.as_bytes()).0 as u64
}
