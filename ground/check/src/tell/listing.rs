//! Which findings of a kind are listed where a list is limited, and what is said about the rest?
//!
//! Rule: at most `most` findings are listed, and of links to one target no more than two, so that a link which a template puts
//! on every page does not hide all others. The rest is counted, and the targets behind most of it are named with the number of
//! their pages. Without a limit (`usize::MAX`) everything is listed and nothing is remembered.
//! Cost: a look into a table a finding. Memory: at most 10,000 targets of 4 MiB together, whatever the survey.
//! Not guaranteed: targets that come when the table is full are neither held to the rule nor named. What a template puts on every
//! page is there from the first page on.

use std::cmp::Reverse;
use std::collections::HashMap;

use groma_model::Fp;

use crate::finding::Finding;

/// Links to one target that are listed.
const ALIKE: u64 = 2;
/// Targets that are named where findings are left out.
const NAMED: usize = 5;
/// Targets that are remembered.
const TARGETS: usize = 10_000;
/// Bytes of them that are remembered, together.
const BYTES: usize = 4 << 20;
/// Characters of a target that are kept. No form links or shows longer URLs whole.
const KEPT: usize = 8_192;

/// Decides finding by finding what is listed of one kind.
#[derive(Clone, Debug)]
pub struct Listing {
    most: usize,
    listed: usize,
    hidden: u64,
    targets: HashMap<Fp, Target>,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Target {
    address: String,
    /// Findings, each of another page.
    pages: u64,
    listed: u64,
}

impl Listing {
    /// Lists so many findings; `usize::MAX` lists all.
    pub fn new(most: usize) -> Listing {
        Listing { most, listed: 0, hidden: 0, targets: HashMap::new(), bytes: 0 }
    }

    /// Whether this finding is listed. If not, it is counted.
    pub fn takes(&mut self, finding: &Finding) -> bool {
        if self.most == usize::MAX {
            return true;
        }
        let room = self.listed < self.most;
        let target = finding.to.as_deref().filter(|_| finding.kind.is_of_link());
        let taken = match target.and_then(|to| self.target(to)) {
            Some(target) => {
                let taken = room && target.listed < ALIKE;
                target.pages += 1;
                target.listed += u64::from(taken);
                taken
            }
            None => room,
        };
        self.listed += usize::from(taken);
        self.hidden += u64::from(!taken);
        taken
    }

    /// What is remembered of a target; nothing if there is no room for it.
    fn target(&mut self, to: &str) -> Option<&mut Target> {
        let key = Fp::hash_bytes(to.as_bytes());
        if !self.targets.contains_key(&key) {
            if self.targets.len() >= TARGETS || self.bytes >= BYTES {
                return None;
            }
            let address: String = to.chars().take(KEPT).collect();
            self.bytes += address.len();
            self.targets.insert(key, Target { address, pages: 0, listed: 0 });
        }
        self.targets.get_mut(&key)
    }

    /// How many findings were not listed.
    pub fn hidden(&self) -> u64 {
        self.hidden
    }

    /// The targets on most pages, of those that were not listed every time, with the number of their pages: the most first, five at
    /// most. They are texts of strangers, and very long ones are cut.
    pub fn frequent(&self) -> Vec<(&str, u64)> {
        let mut targets: Vec<(&str, u64)> = self
            .targets
            .values()
            .filter(|target| target.pages > 1 && target.pages > target.listed)
            .map(|target| (target.address.as_str(), target.pages))
            .collect();
        targets.sort_unstable_by_key(|(address, pages)| (Reverse(*pages), *address));
        targets.truncate(NAMED);
        targets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::finding::Kind;

    fn link(from: usize, to: &str) -> Finding {
        Finding { to: Some(to.to_owned()), ..Finding::of_page(Kind::InvalidLink, format!("https://a.org/{from}")) }
    }

    #[test]
    fn the_links_of_a_footer_do_not_hide_the_others() {
        let mut listing = Listing::new(20);
        let mut listed = Vec::new();
        for page in 0..3_804 {
            let own = format!("own-{page}");
            let footer = ["one", "two", "three"].map(str::to_owned);
            // Every hundredth page has a broken link of its own.
            for to in footer.into_iter().chain((page % 100 == 0).then_some(own)) {
                if listing.takes(&link(page, &to)) {
                    listed.push(to);
                }
            }
        }
        assert_eq!(listed.len(), 20);
        assert_eq!(listed.iter().filter(|to| to.starts_with("own-")).count(), 14, "{listed:?}");
        assert_eq!(listing.hidden(), 3 * 3_804 + 39 - 20);
        assert_eq!(listing.frequent(), [("one", 3_804), ("three", 3_804), ("two", 3_804)]);
    }

    #[test]
    fn without_a_limit_everything_is_listed() {
        let mut listing = Listing::new(usize::MAX);
        assert!((0..100).all(|page| listing.takes(&link(page, "x"))));
        assert_eq!((listing.hidden(), listing.frequent()), (0, Vec::new()));
    }

    #[test]
    fn only_links_are_told_apart_by_where_they_lead() {
        let mut listing = Listing::new(5);
        let double = |page| Finding { kind: Kind::Duplicate, ..link(page, "first") };
        assert_eq!((0..9).filter(|page| listing.takes(&double(*page))).count(), 5);
        assert_eq!((listing.hidden(), listing.frequent()), (4, Vec::new()));
    }

    #[test]
    fn five_targets_are_named_and_none_that_is_listed_whole() {
        let mut listing = Listing::new(100);
        for to in 0..9 {
            let taken = (0..to).filter(|page| listing.takes(&link(*page, &format!("to-{to}")))).count();
            assert_eq!(taken, to.min(2));
        }
        assert_eq!(listing.frequent(), [("to-8", 8), ("to-7", 7), ("to-6", 6), ("to-5", 5), ("to-4", 4)]);
        let mut listing = Listing::new(100);
        assert!((0..2).all(|page| listing.takes(&link(page, "x"))));
        assert_eq!(listing.frequent(), []);
    }

    #[test]
    fn memory_is_bounded_whatever_is_linked() {
        let mut listing = Listing::new(1);
        assert_eq!((0..TARGETS + 50).filter(|n| listing.takes(&link(*n, &n.to_string()))).count(), 1);
        assert_eq!(listing.targets.len(), TARGETS);
        let mut listing = Listing::new(1);
        for n in 0..1_000 {
            listing.takes(&link(n, &format!("{n}{}", "\u{e9}".repeat(50_000))));
        }
        let kept: usize = listing.targets.values().map(|target| target.address.len()).sum();
        assert!(kept < BYTES + 4 * KEPT, "{kept}");
        assert_eq!(listing.hidden(), 999);
    }

    proptest! {
        #[test]
        fn every_finding_is_listed_or_counted(targets in proptest::collection::vec("[a-d]", 0..60), most in 0usize..30) {
            let mut listing = Listing::new(most);
            let taken: Vec<&String> =
                targets.iter().enumerate().filter(|(n, to)| listing.takes(&link(*n, to))).map(|(_, to)| to).collect();
            prop_assert_eq!(taken.len() as u64 + listing.hidden(), targets.len() as u64);
            prop_assert!(taken.len() <= most);
            prop_assert!(targets.iter().all(|to| taken.iter().filter(|other| **other == to).count() <= 2));
        }
    }
}
