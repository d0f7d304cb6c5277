//! What a check is: its name, how bad it is, what it is about, an example that has the fault and one that has not.

use crate::finding::Severity;

/// What a check is about: the chapters of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    Links,
    Titles,
    Indexing,
    Language,
    Content,
    Images,
    Structured,
    Speed,
    Security,
    Accessibility,
    Structure,
}

impl Family {
    /// All of them, in the order of the catalogue.
    pub const ALL: [Family; 11] = [
        Family::Links,
        Family::Titles,
        Family::Indexing,
        Family::Language,
        Family::Content,
        Family::Images,
        Family::Structured,
        Family::Speed,
        Family::Security,
        Family::Accessibility,
        Family::Structure,
    ];

    /// As a heading.
    pub fn headline(self) -> &'static str {
        match self {
            Family::Links => "Links",
            Family::Titles => "Titles, descriptions, headings",
            Family::Indexing => "Indexing",
            Family::Language => "Languages",
            Family::Content => "Content",
            Family::Images => "Images",
            Family::Structured => "Structured data",
            Family::Speed => "Speed",
            Family::Security => "Security",
            Family::Accessibility => "Accessibility",
            Family::Structure => "Structure",
        }
    }
}

/// A page or two, as text: what the catalogue shows, and what the tests read.
///
/// A line `@ URL` begins a page (without one it is `https://a.example/`); `@ URL 301 TARGET`, `@ URL 404` and `@ URL sitemap` say how it
/// answers and that a sitemap names it. Lines `> Name: value` are its header, the rest is its body.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Has the fault.
    pub fault: &'static str,
    /// Has not.
    pub fine: &'static str,
}

/// A check.
pub struct Definition {
    /// The word scripts and baselines use: never rename one.
    pub name: &'static str,
    pub severity: Severity,
    pub family: Family,
    /// What such findings are, as a heading.
    pub headline: &'static str,
    /// What to do about them.
    pub next_step: &'static str,
    /// What counts, why it matters, and what is not seen.
    pub help: &'static str,
    pub example: Example,
}
