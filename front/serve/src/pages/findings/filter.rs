//! Which findings are meant? By kind, how bad they are, since when, words, branch of the map.

use std::collections::HashSet;

use groma_check::{Finding, Kind, Severity};
use groma_store::Snapshot;
use groma_tasks::check::kind_names;
use groma_tasks::lookup;
use serde::Deserialize;

use super::branches;
use crate::error::Problem;
use crate::pages::layout::{query, short};
use crate::sites::Drawn;

/// What was asked for.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    pub(super) kind: String,
    pub(super) severity: String,
    /// With anything in it: only what came with the last run.
    pub(super) new: String,
    /// Words to search for.
    pub(super) q: String,
    /// A page: only what stands in its branch of the map.
    #[serde(rename = "in")]
    pub(super) branch: String,
    pub(super) cause: String,
    /// With anything in it: one by one instead of by cause.
    pub(super) list: String,
    pub(super) page: String,
}

impl Asked {
    pub(super) fn is_list(&self) -> bool {
        !self.list.is_empty()
    }

    /// What was asked for, as a query, with some of it changed.
    pub(super) fn query(&self, changes: &[(&str, &str)]) -> String {
        let pairs = [
            ("kind", self.kind.as_str()),
            ("severity", &self.severity),
            ("new", &self.new),
            ("q", &self.q),
            ("in", &self.branch),
            ("cause", &self.cause),
            ("list", &self.list),
            ("page", &self.page),
        ];
        let changed =
            pairs.map(|(name, value)| (name, changes.iter().find(|(n, _)| *n == name).map_or(value, |(_, v)| v)));
        query(&changed)
    }

    /// The page with some of it changed.
    pub(super) fn href(&self, site: &str, changes: &[(&str, &str)]) -> String {
        format!("/sites/{site}/findings{}", self.query(changes))
    }

    /// Anything but how it is shown?
    pub(super) fn is_narrowed(&self) -> bool {
        [&self.kind, &self.severity, &self.new, &self.q, &self.branch, &self.cause]
            .iter()
            .any(|value| !value.is_empty())
    }
}

/// What was asked for, understood.
pub(super) struct Filter<'a> {
    kind: Option<Kind>,
    severity: Option<Severity>,
    since: Option<i64>,
    words: Vec<u8>,
    branch: Option<HashSet<&'a str>>,
    /// When the last run began, if there was one before it.
    pub(super) last_run: Option<i64>,
}

impl<'a> Filter<'a> {
    pub(super) fn read(
        asked: &Asked,
        store: &mut dyn Snapshot,
        drawn: Option<&'a Drawn>,
    ) -> Result<Filter<'a>, Problem> {
        let kind = named(&asked.kind, Kind::named, "kind of finding", kind_names)?;
        let by_name = |name: &str| Severity::ALL.into_iter().find(|severity| severity.name() == name);
        let severity = named(&asked.severity, by_name, "severity", || "one of: error, warning, note".to_owned())?;
        let runs = store.runs()?;
        let last_run = if runs.len() > 1 { runs.last().map(|run| run.started) } else { None };
        let branch = match (asked.branch.trim(), drawn) {
            ("", _) | (_, None) => None,
            (typed, Some(drawn)) => {
                let node = drawn.graph.standings.page_of(lookup::page(store, typed)?.0);
                let place = drawn.place(node).ok_or_else(|| {
                    Problem::bad(format!("{} is not on the map", short(typed, 120)), "choose a branch of the map")
                })?;
                Some(branches::addresses(drawn, place))
            }
        };
        let since = if asked.new.is_empty() { None } else { Some(last_run.unwrap_or(0)) };
        let words = asked.q.trim().as_bytes().to_ascii_lowercase();
        Ok(Filter { kind, severity, since, words, branch, last_run })
    }

    /// Whether the filter lets it pass. Of which cause it is can only be said when all are known.
    pub(super) fn takes(&self, finding: &Finding) -> bool {
        self.kind.is_none_or(|kind| finding.kind == kind)
            && self.severity.is_none_or(|severity| finding.kind.severity() == severity)
            && self.since.is_none_or(|since| finding.since >= since)
            && self.branch.as_ref().is_none_or(|branch| branch.contains(finding.from.as_str()))
            && self.has_words(finding)
    }

    fn has_words(&self, finding: &Finding) -> bool {
        let texts =
            [finding.from.as_str(), finding.to.as_deref().unwrap_or_default(), &finding.anchor, &finding.detail];
        let has =
            |text: &str| text.as_bytes().windows(self.words.len()).any(|part| part.eq_ignore_ascii_case(&self.words));
        self.words.is_empty() || texts.into_iter().any(has)
    }
}

/// Something by its name; nothing if none is given.
fn named<T>(
    name: &str,
    find: impl Fn(&str) -> Option<T>,
    what: &str,
    hint: impl Fn() -> String,
) -> Result<Option<T>, Problem> {
    if name.is_empty() {
        return Ok(None);
    }
    let unknown = || Problem::bad(format!("there is no {what} called {:?}", short(name, 40)), hint());
    find(name).map(Some).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(q: &str) -> Filter<'static> {
        Filter {
            kind: None,
            severity: None,
            since: None,
            words: q.as_bytes().to_ascii_lowercase(),
            branch: None,
            last_run: None,
        }
    }

    #[test]
    fn findings_are_filtered_by_everything_at_once() {
        let finding = Finding {
            to: Some("https://b.org/Gone".into()),
            anchor: "Über uns".into(),
            since: 50,
            ..Finding::of_page(Kind::InvalidLink, "https://a.org/x".into())
        };
        for (words, taken) in [("", true), ("gone", true), ("A.ORG", true), ("Über", true), ("c.org", false)] {
            assert_eq!(filter(words).takes(&finding), taken, "{words}");
        }
        assert!(!Filter { since: Some(51), ..filter("") }.takes(&finding));
        assert!(!Filter { kind: Some(Kind::Redirect), ..filter("") }.takes(&finding));
        assert!(!Filter { severity: Some(Severity::Note), ..filter("") }.takes(&finding));
        assert!(!Filter { branch: Some(HashSet::new()), ..filter("") }.takes(&finding));
    }

    #[test]
    fn queries_keep_what_is_not_changed() {
        let asked = Asked { kind: "orphan".into(), q: "a b".into(), page: "3".into(), ..Asked::default() };
        assert_eq!(asked.query(&[("page", ""), ("new", "1")]), "?kind=orphan&new=1&q=a+b");
        assert!(asked.is_narrowed() && !Asked { page: "2".into(), ..Asked::default() }.is_narrowed());
    }
}
