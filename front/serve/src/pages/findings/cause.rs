//! Which findings have one cause? A dead page that two hundred pages link to is one problem with two hundred places.
//!
//! Links are grouped by where they lead; if a whole server cannot be reached, by the server. Doubles are grouped by what they are
//! doubles of, pages that lack something by the folder they stand in: a folder is mostly one template. Cost: linear.

use std::collections::HashMap;

use groma_check::{Finding, Kind};
use groma_model::Reason;

/// Places from which a habit can be read.
const HABIT: usize = 4;

/// What findings have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Cause<'a> {
    /// A server that cannot be reached: scheme and host.
    Server(&'a str),
    /// The URL they lead to, or the page they are doubles of.
    Target(&'a str),
    /// The same words: a title.
    Words(&'a str),
    /// The folder they stand in.
    Folder(&'a str),
}

impl<'a> Cause<'a> {
    pub(super) fn behind(finding: &'a Finding) -> Cause<'a> {
        let to = finding.to.as_deref();
        match (finding.kind, to) {
            (Kind::DoubledTitle, _) => Cause::Words(&finding.detail),
            (kind, Some(to))
                if (kind == Kind::InvalidLink || kind.is_of_outside()) && finding.reason.is_some_and(is_of_server) =>
            {
                Cause::Server(server(to))
            }
            (kind, Some(to)) if kind.is_of_link() || matches!(kind, Kind::Duplicate | Kind::NearDuplicate) => {
                Cause::Target(to)
            }
            _ => Cause::Folder(folder(&finding.from)),
        }
    }

    /// As it stands in URLs of ours.
    pub(super) fn key(&self) -> String {
        match self {
            Cause::Server(text) => format!("server {text}"),
            Cause::Target(text) => format!("target {text}"),
            Cause::Words(text) => format!("words {text}"),
            Cause::Folder(text) => format!("folder {text}"),
        }
    }
}

/// Does it say something about the server rather than the page?
fn is_of_server(reason: Reason) -> bool {
    matches!(reason, Reason::DnsFailure | Reason::Refused | Reason::Tls | Reason::TimeOut | Reason::Reset)
}

/// Scheme and host of a URL.
fn server(address: &str) -> &str {
    let from = address.find("://").map_or(0, |at| at + 3);
    let end = address[from..].find(['/', '?', '#']).map_or(address.len(), |at| from + at);
    &address[..end]
}

/// A URL up to its last slash.
fn folder(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rfind('/').map_or(path, |at| &path[..=at])
}

/// Findings of one kind with one cause.
#[derive(Debug)]
pub(super) struct Group<'a> {
    pub(super) kind: Kind,
    pub(super) cause: Cause<'a>,
    /// In the order in which they are told.
    pub(super) places: Vec<&'a Finding>,
}

/// Groups findings: the worst kinds first, then those with the most places.
pub(super) fn group<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<Group<'a>> {
    let mut at: HashMap<(Kind, Cause<'a>), usize> = HashMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for finding in findings {
        let cause = Cause::behind(finding);
        let group = *at.entry((finding.kind, cause)).or_insert_with(|| {
            groups.push(Group { kind: finding.kind, cause, places: Vec::new() });
            groups.len() - 1
        });
        groups[group].places.push(finding);
    }
    groups.sort_by(|a, b| {
        let worst = a.kind.severity().cmp(&b.kind.severity());
        worst.then(b.places.len().cmp(&a.places.len())).then(a.kind.cmp(&b.kind)).then(a.cause.cmp(&b.cause))
    });
    groups
}

impl Group<'_> {
    /// The same link text in the same kind of block again and again: most likely one line of a template.
    pub(super) fn habit(&self) -> Option<&Finding> {
        if self.places.len() < HABIT || !self.kind.is_of_link() {
            return None;
        }
        let mut counts: HashMap<(&str, Option<u8>), (usize, &Finding)> = HashMap::new();
        for place in &self.places {
            let block = place.block.map(|block| block as u8);
            counts.entry((&place.anchor, block)).or_insert((0, place)).0 += 1;
        }
        let (count, first) = counts.into_values().max_by_key(|(count, _)| *count)?;
        (count * 10 >= self.places.len() * 8).then_some(first)
    }

    /// Different URLs they lead to, counted up to a bound.
    pub(super) fn targets(&self) -> usize {
        let mut all: Vec<&str> = self.places.iter().filter_map(|place| place.to.as_deref()).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// Since when, where that is known: the first of its places.
    pub(super) fn since(&self) -> i64 {
        self.places.iter().map(|place| place.since).filter(|since| *since > 0).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use groma_model::BlockKind;

    use super::*;

    fn link(from: &str, to: &str, reason: Reason) -> Finding {
        Finding {
            to: Some(to.to_owned()),
            reason: Some(reason),
            anchor: "About us".to_owned(),
            block: Some(BlockKind::Navigation),
            ..Finding::of_page(Kind::InvalidLink, from.to_owned())
        }
    }

    #[test]
    fn one_dead_page_is_one_problem_with_many_places() {
        let mut all: Vec<Finding> =
            (0..200).map(|n| link(&format!("https://a.org/{n}"), "https://a.org/gone", Reason::NotFound)).collect();
        all.push(link("https://a.org/1", "https://a.org/other", Reason::NotFound));
        all.push(Finding::of_page(Kind::MissingTitle, "https://a.org/x/1?y=/".to_owned()));
        all.push(Finding::of_page(Kind::MissingTitle, "https://a.org/x/2".to_owned()));
        let groups = group(all.iter());
        let told: Vec<(Kind, usize, Cause<'_>)> =
            groups.iter().map(|group| (group.kind, group.places.len(), group.cause)).collect();
        assert_eq!(
            told,
            [
                (Kind::InvalidLink, 200, Cause::Target("https://a.org/gone")),
                (Kind::InvalidLink, 1, Cause::Target("https://a.org/other")),
                (Kind::MissingTitle, 2, Cause::Folder("https://a.org/x/")),
            ]
        );
        assert_eq!(groups[0].habit().map(|first| first.anchor.as_str()), Some("About us"));
        assert!(groups[1].habit().is_none() && groups[2].habit().is_none());
    }

    #[test]
    fn a_server_that_does_not_answer_is_one_problem() {
        let all: Vec<Finding> = (0..9)
            .map(|n| link("https://a.org/", &format!("https://dead.example/{n}?x"), Reason::DnsFailure))
            .collect();
        let groups = group(all.iter());
        assert_eq!(groups.len(), 1);
        assert_eq!((groups[0].cause, groups[0].targets()), (Cause::Server("https://dead.example"), 9));
        assert_eq!(groups[0].cause.key(), "server https://dead.example");
    }

    #[test]
    fn odd_addresses_have_folders_and_servers_too() {
        assert_eq!([server("mailto:x"), server("https://h"), server("")], ["mailto:x", "https://h", ""]);
        assert_eq!([folder("x"), folder("https://h/"), folder("https://h/a#/b")], ["x", "https://h/", "https://h/"]);
    }
}
