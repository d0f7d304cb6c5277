//! Findings that name something they lead to, or the same words: one group for each.
//!
//! Every group is counted; words and examples are held for the largest 20,000 of a kind. When there are more, the smaller half is let
//! go, and comes back when it has outgrown what was let go. Cost: a look into a table a finding. Memory: 24 bytes a group,
//! and 24 MiB for those that are held, or so. Not guaranteed: of a group that was let go and came back, the number of its links, pages
//! and known findings (it is told as if each finding so far were new and had a page and a link of its own); beyond 450,000 groups of a
//! kind, findings of further ones are counted together.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::cause::{Cause, CauseClue};
use super::group::{CauseGroup, Growing, short_hash};
use crate::finding::{Finding, Kind};

/// Groups that are held with their words.
const HELD: usize = 20_000;
/// Bytes of them, about.
const BYTES: usize = 24 << 20;
/// Groups that are counted one by one.
const TOLD_APART: usize = 450_000;

/// The groups of one kind.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkGroups {
    counts: HashMap<u64, Counted>,
    held: Vec<Held>,
    bytes: usize,
    /// No group that was let go has more findings than this.
    floor: u64,
    /// Findings of groups that are not told apart.
    pub(super) beyond: u64,
}

#[derive(Clone, Copy, Debug)]
struct Counted {
    findings: u64,
    held: Option<u32>,
}

#[derive(Clone, Debug)]
struct Held {
    key: u64,
    cause: Cause,
    group: Growing,
}

impl LinkGroups {
    pub(super) fn take(&mut self, finding: &Finding, clue: CauseClue<'_>, examples: usize) {
        let (mark, text, by_server) = match clue {
            CauseClue::Server(text) => ('s', text, true),
            CauseClue::Words(text) => ('w', text, false),
            CauseClue::Target(text) => ('t', text, false),
            CauseClue::Page => return,
        };
        let key = short_hash(text) ^ mark as u64;
        if !self.counts.contains_key(&key) && self.counts.len() >= TOLD_APART {
            self.beyond += 1;
            return;
        }
        let counted = self.counts.entry(key).or_insert(Counted { findings: 0, held: None });
        counted.findings += 1;
        let findings = counted.findings;
        match counted.held.and_then(|at| self.held.get_mut(at as usize)) {
            Some(held) => held.group.take(finding, examples, by_server),
            None if findings > self.floor => {
                let cause = match clue {
                    CauseClue::Server(_) => Cause::Server(text.to_owned()),
                    CauseClue::Words(_) => Cause::Words(text.to_owned()),
                    _ => Cause::Target(text.to_owned()),
                };
                let mut group = Growing::new(finding);
                group.take_unseen(findings - 1);
                group.take(finding, examples, by_server);
                self.hold(Held { key, cause, group });
            }
            None => {}
        }
    }

    fn hold(&mut self, held: Held) {
        self.bytes += held.group.weight() + held.cause.weight();
        if let Some(counted) = self.counts.get_mut(&held.key) {
            counted.held = u32::try_from(self.held.len()).ok();
        }
        self.held.push(held);
        if self.held.len() > HELD || (self.bytes > BYTES && self.held.len() > 1) {
            self.let_go();
        }
    }

    /// Lets the smaller half go.
    fn let_go(&mut self) {
        self.held.sort_by_key(|held| Reverse(held.group.size.findings));
        let gone = self.held.split_off(self.held.len() / 2);
        self.floor = self.floor.max(gone.first().map_or(0, |held| held.group.size.findings));
        for held in gone {
            if let Some(counted) = self.counts.get_mut(&held.key) {
                counted.held = None;
            }
        }
        self.bytes = 0;
        for (at, held) in self.held.iter().enumerate() {
            self.bytes += held.group.weight() + held.cause.weight();
            if let Some(counted) = self.counts.get_mut(&held.key) {
                counted.held = u32::try_from(at).ok();
            }
        }
    }

    /// How many groups there are, as far as they were told apart.
    pub(super) fn count(&self) -> u64 {
        self.counts.len() as u64 + u64::from(self.beyond > 0)
    }

    pub(super) fn finish(self, kind: Kind) -> Vec<CauseGroup> {
        self.held.into_iter().map(|held| held.group.finish(kind, held.cause)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(groups: &mut LinkGroups, from: usize, to: &str) {
        let page = Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}"));
        let finding = Finding { to: Some(to.to_owned()), ..page };
        groups.take(&finding, CauseClue::read(&finding), 1);
    }

    #[test]
    fn a_late_and_large_group_is_told_however_many_came_before() {
        let mut groups = LinkGroups::default();
        for n in 0..3 * HELD {
            take(&mut groups, n, &n.to_string());
        }
        for n in 0..500 {
            take(&mut groups, n, "late");
            take(&mut groups, n, "5");
        }
        assert!(groups.held.len() <= HELD);
        assert_eq!(groups.count(), 3 * HELD as u64 + 1);
        let told = groups.finish(Kind::InvalidLink);
        let size = |to: &str| told.iter().find(|group| group.cause == Cause::Target(to.into())).map(|group| group.size);
        assert_eq!(size("late").map(|size| (size.findings, size.pages)), Some((500, 500)));
        assert_eq!(size("5").map(|size| size.findings), Some(501));
    }

    #[test]
    fn memory_is_bounded_whatever_is_linked() {
        let mut groups = LinkGroups::default();
        for n in 0..10_000 {
            take(&mut groups, n, &format!("{n}{}", "\u{e9}".repeat(20_000)));
        }
        let bytes: usize = groups.held.iter().map(|held| held.group.weight() + held.cause.weight()).sum();
        assert!(bytes <= BYTES && groups.count() == 10_000, "{bytes}");
    }
}
