//! How many findings of each kind there are, for a summary on one screen.

use groma_model::wording::{counted, grouped};
use serde::Serialize;
use serde::ser::SerializeMap;

use crate::checks::orphans::Standing;
use crate::finding::{Finding, Kind, Kinds, Severity};

/// Findings of one kind, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// New and known ones.
    pub all: u64,
    /// Those that are not in the baseline; all of them without one.
    pub new: u64,
}

/// What a check comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The kinds that were looked for.
    pub checked: Kinds,
    /// Indexed pages that were looked at.
    pub pages: u64,
    /// Links on these pages.
    pub links: u64,
    /// By kind, in the order of [`Kind::ALL`].
    pub(crate) counts: Vec<Count>,
    /// Findings of the baseline that are no more; nothing without a baseline.
    pub fixed: Option<u64>,
    /// Whether the list of orphans can be relied upon.
    pub orphans: Standing,
    /// What is linked and was not looked at.
    pub unasked: Unasked,
}

/// URLs that are linked, and of which nobody knows whether they are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unasked {
    /// Outside the survey, and not asked.
    pub outside: u64,
    /// Images, styles and scripts of the site that were not asked for.
    pub assets: u64,
    /// Known and not fetched: limits, rel=nofollow, traps, or still waiting.
    pub unread: u64,
    /// Closed to us: robots.txt, a login, a server that asked us to wait.
    pub closed: u64,
    /// Pages read by a version that did not keep what checks look at in their markup.
    pub markup: u64,
}

impl Unasked {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.outside + self.assets + self.unread + self.closed
    }

    /// The statement, in a sentence; nothing if everything was looked at.
    pub fn says(&self) -> Option<String> {
        let Unasked { outside, assets, unread, closed, markup } = *self;
        let parts = [
            (outside, "outside the survey"),
            (assets, if assets == 1 { "image, style or script" } else { "images, styles or scripts" }),
            (unread, "known but not fetched (limits, nofollow, or still waiting)"),
            (closed, "closed to programs (robots.txt, log-in, or asked to wait)"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{} {what}", grouped(*count)))
            .collect();
        let mut sentences = Vec::new();
        if !parts.is_empty() {
            let urls = counted(self.total(), "linked URL was", "linked URLs were");
            sentences.push(format!("{urls} not looked at: {}.", parts.join(", ")));
        }
        if markup > 0 {
            let pages = counted(markup, "page was", "pages were");
            sentences.push(format!(
                "The markup of {pages} not kept by the version that read them: `groma crawl --fresh` reads them again."
            ));
        }
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// Can some of them still be asked?
    pub fn can_be_asked(&self) -> bool {
        self.outside + self.assets > 0
    }

    /// The statement with what to type next, for a command line.
    pub fn says_with_hint(&self) -> Option<String> {
        let says = self.says()?;
        Some(if self.can_be_asked() {
            format!("{says} `groma check --outside yes` asks what lies outside.")
        } else {
            says
        })
    }
}

impl Default for Summary {
    fn default() -> Summary {
        let counts = vec![Count::default(); Kind::ALL.len()];
        Summary {
            checked: Kinds::ALL,
            pages: 0,
            links: 0,
            counts,
            fixed: None,
            orphans: Standing::default(),
            unasked: Unasked::default(),
        }
    }
}

impl Summary {
    /// Adds a finding to the counts of its kind.
    pub fn count(&mut self, finding: &Finding) {
        let count = &mut self.counts[finding.kind as usize];
        count.all += 1;
        count.new += u64::from(finding.new);
    }

    /// How many findings there are of a kind, and how many of them are new.
    pub fn for_kind(&self, kind: Kind) -> Count {
        self.counts[kind as usize]
    }

    /// Findings of a severity.
    pub fn of_severity(&self, severity: Severity) -> Count {
        let kinds = Kind::ALL.iter().filter(|kind| kind.severity() == severity);
        kinds.fold(Count::default(), |sum, kind| {
            let count = self.for_kind(*kind);
            Count { all: sum.all + count.all, new: sum.new + count.new }
        })
    }

    /// Findings of all kinds.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|count| count.all).sum()
    }

    /// All findings that are new.
    pub fn total_new(&self) -> u64 {
        self.counts.iter().map(|count| count.new).sum()
    }

    /// The kinds that were found, with their counts.
    pub fn found(&self) -> impl Iterator<Item = (Kind, Count)> {
        Kind::ALL.iter().map(|kind| (*kind, self.for_kind(*kind))).filter(|(_, count)| count.all > 0)
    }
}

impl Serialize for Summary {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        struct Kindly<'a>(&'a Summary);
        impl Serialize for Kindly<'_> {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_map(self.0.checked.iter().map(|kind| (kind.name(), self.0.for_kind(kind))))
            }
        }
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("pages", &self.pages)?;
        map.serialize_entry("links", &self.links)?;
        map.serialize_entry("findings", &Kindly(self))?;
        map.serialize_entry("fixed", &self.fixed)?;
        map.serialize_entry("orphans_conclusive", &self.orphans.is_conclusive())?;
        map.serialize_entry("not_looked_at", &self.unasked)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_counted_by_kind_and_severity() {
        let mut summary = Summary::default();
        for (kind, new) in [(Kind::InvalidLink, true), (Kind::InvalidLink, false), (Kind::Redirect, true)] {
            summary.count(&Finding { new, ..Finding::of_page(kind, "https://a.org/".into()) });
        }
        assert_eq!(summary.for_kind(Kind::InvalidLink), Count { all: 2, new: 1 });
        assert_eq!(summary.of_severity(Severity::Note), Count { all: 1, new: 1 });
        assert_eq!((summary.total(), summary.total_new(), summary.found().count()), (3, 2, 2));
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!(json["findings"]["invalid-link"]["new"], 1);
        assert_eq!(json["findings"]["orphan"]["all"], 0);
    }
}
