//! Which findings have one cause? A dead page that two hundred pages link to is one problem with two hundred places, and so is a
//! template that leaves the description out.
//!
//! ```text
//! links                        by where they lead; if a whole server cannot be reached, by the server
//! doubles                      by the page they are doubles of, or the title they have in common
//! everything else about a page by what the details say and the part of the site, joined until few are left
//! ```
//!
//! Everybody who shows findings to people groups them here: text, Markdown, the report, the web pages, the end of a crawl. Groups are
//! ordered by severity, then by size. Findings come in one by one, kind after kind; of a kind that is done the largest groups are
//! kept. Memory: bounded by the groups of a kind (`links`, `pages`) and 64 MiB, or so, of what is kept of all kinds.
//! Cost: linear.

mod cause;
mod group;
mod links;
mod pages;
mod pattern;
mod sameness;
mod standing;

use self::cause::CauseClue;
use self::links::LinkGroups;
use self::pages::PageGroups;
use crate::finding::{Finding, Kind};
use groma_model::wording::counted;

pub use self::cause::{Cause, PageFamily};
pub use self::group::{CauseGroup, GroupSize};
pub use self::standing::LinkPlace;

/// Bytes of groups that are kept of all kinds together, about.
const KEPT: usize = 64 << 20;

/// Puts findings into groups while they come.
#[derive(Clone, Debug)]
pub struct Causes {
    most: usize,
    examples: usize,
    now: Option<Open>,
    done: Vec<KindCauses>,
    kept: usize,
}

/// The groups of one kind.
#[derive(Clone, Debug)]
pub struct KindCauses {
    pub kind: Kind,
    pub findings: u64,
    /// Those that are not in the baseline.
    pub new: u64,
    /// Pages that have them.
    pub pages: u64,
    /// How many groups there are.
    pub causes: u64,
    /// The largest of them, the largest first.
    pub groups: Vec<CauseGroup>,
}

/// The kind that is coming in.
#[derive(Clone, Debug)]
struct Open {
    sum: KindCauses,
    last_page: String,
    links: LinkGroups,
    pages: PageGroups,
}

impl Causes {
    /// Keeps so many groups of each kind (`usize::MAX`: all that there is room for), each with so many examples, at least one.
    pub fn new(most: usize, examples: usize) -> Causes {
        Causes { most, examples: examples.max(1), now: None, done: Vec::new(), kept: 0 }
    }

    /// Takes in the next finding. Kinds come one after the other, and in each the findings of a page.
    pub fn take(&mut self, finding: &Finding) {
        if self.now.as_ref().is_none_or(|open| open.sum.kind != finding.kind) {
            self.settle();
        }
        let open = self.now.get_or_insert_with(|| Open {
            sum: KindCauses { kind: finding.kind, findings: 0, new: 0, pages: 0, causes: 0, groups: Vec::new() },
            last_page: String::new(),
            links: LinkGroups::default(),
            pages: PageGroups::default(),
        });
        open.sum.findings += 1;
        open.sum.new += u64::from(finding.new);
        if open.sum.pages == 0 || open.last_page != finding.from {
            open.sum.pages += 1;
            open.last_page.clone_from(&finding.from);
        }
        match CauseClue::read(finding) {
            CauseClue::Page => open.pages.take(finding, self.examples),
            clue => open.links.take(finding, clue, self.examples),
        }
    }

    /// The kind that was coming in is done.
    fn settle(&mut self) {
        let Some(Open { mut sum, links, pages, .. }) = self.now.take() else { return };
        let mut groups = pages.finish(sum.kind, self.examples);
        sum.causes = links.count() + groups.len() as u64;
        groups.extend(links.finish(sum.kind));
        groups.sort_by(|a, b| b.size.findings.cmp(&a.size.findings).then_with(|| a.cause.cmp(&b.cause)));
        groups.truncate(self.most);
        groups.retain(|group| {
            self.kept += group.weight();
            self.kept <= KEPT
        });
        groups.shrink_to_fit();
        sum.groups = groups;
        self.done.push(sum);
    }

    /// All kinds that were found: the worst first, then those with the most findings.
    pub fn finish(mut self) -> Vec<KindCauses> {
        self.settle();
        self.done.sort_by(|a, b| {
            let worst = a.kind.severity().cmp(&b.kind.severity());
            worst.then(b.findings.cmp(&a.findings)).then(a.kind.cmp(&b.kind))
        });
        self.done
    }
}

impl KindCauses {
    /// Groups that are not listed, and findings in them.
    pub fn rest(&self) -> (u64, u64) {
        let listed: u64 = self.groups.iter().map(|group| group.size.findings).sum();
        (self.causes.saturating_sub(self.groups.len() as u64), self.findings.saturating_sub(listed))
    }

    /// How much there is, in short: "1,197 targets on 3,804 pages".
    pub fn extent(&self) -> String {
        let pages = counted(self.pages, "page", "pages");
        if self.kind.is_of_link() {
            return format!("{} on {pages}", counted(self.causes, "target", "targets"));
        }
        pages
    }
}

#[cfg(test)]
mod tests {
    use groma_model::{BlockKind, Reason};
    use proptest::prelude::*;

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

    fn page(kind: Kind, url: &str, detail: &str) -> Finding {
        Finding { detail: detail.to_owned(), ..Finding::of_page(kind, url.to_owned()) }
    }

    fn grouped(findings: &[Finding]) -> Vec<KindCauses> {
        let mut causes = Causes::new(usize::MAX, 3);
        findings.iter().for_each(|finding| causes.take(finding));
        causes.finish()
    }

    fn told(kinds: &[KindCauses]) -> Vec<(&str, u64)> {
        kinds.iter().flat_map(|kind| &kind.groups).map(|group| (group.name(), group.size.findings)).collect()
    }

    #[test]
    fn one_dead_page_is_one_problem_with_many_places() {
        let mut all: Vec<Finding> = (0..200)
            .map(|n| Finding {
                links: 3,
                ..link(&format!("https://a.org/{n}"), "https://a.org/gone", Reason::NotFound)
            })
            .collect();
        all.push(link("https://a.org/1", "https://a.org/other", Reason::NotFound));
        all.push(page(Kind::MissingTitle, "https://a.org/x/1?y=/", ""));
        all.push(page(Kind::MissingTitle, "https://a.org/x/2", ""));
        let kinds = grouped(&all);
        let names = [("https://a.org/gone", 200), ("https://a.org/other", 1)];
        assert_eq!(told(&kinds)[..2], names);
        let group = &kinds[0].groups[0];
        assert_eq!((group.size.pages, group.size.links, group.examples.len()), (200, 600, 3));
        let says = "3 links in the navigation \u{d7} 200 pages";
        assert_eq!(group.standing(250), Some(format!("{says}: it is in the template of the site")));
        assert_eq!(group.standing(4_000), Some(format!("{says}: most likely a template")));
        assert_eq!(kinds[0].groups[1].standing(250), None);
    }

    #[test]
    fn a_server_that_does_not_answer_is_one_problem() {
        let to = |n: u32| format!("https://dead.example/{n}?x");
        let all: Vec<Finding> = (0..9).map(|n| link("https://a.org/", &to(n), Reason::DnsFailure)).collect();
        let kinds = grouped(&all);
        let group = &kinds[0].groups[0];
        assert_eq!((group.name(), group.size.targets, group.size.pages), ("https://dead.example", 9, 1));
        assert_eq!(group.cause.key(), "server https://dead.example");
        assert!(group.cause.is_behind(&link("x", "https://dead.example/new", Reason::TimeOut)));
        assert!(!group.cause.is_behind(&link("x", "https://dead.example/new", Reason::NotFound)));
    }

    #[test]
    fn a_fault_of_the_whole_site_is_one_family_and_a_large_part_of_it_another() {
        let mut all = Vec::new();
        for n in 0..1_000 {
            all.push(page(Kind::MissingTitle, &format!("https://a.org/blog/2024/{n}.html"), ""));
        }
        for n in 0..90 {
            all.push(page(Kind::MissingTitle, &format!("https://a.org/{}/{n}", n % 30), ""));
        }
        let kinds = grouped(&all);
        assert_eq!(told(&kinds), [("https://a.org/blog/2024/*.html", 1_000), ("https://a.org/*", 90)]);
        let (blog, rest) = (&kinds[0].groups[0], &kinds[0].groups[1]);
        assert_eq!([blog.name_says(), rest.name_says()], ["", "elsewhere"]);
        let late = page(Kind::MissingTitle, "https://a.org/31/5", "");
        assert!(rest.cause.is_behind(&late) && !blog.cause.is_behind(&late));
        assert!(!rest.cause.is_behind(&page(Kind::MissingTitle, "https://a.org/blog/2024/x.html", "")));
    }

    #[test]
    fn what_details_say_tells_families_apart_unless_they_say_everything() {
        let words = ["no offers", "no author", "no price"];
        let of = |n: usize| page(Kind::Cut, &format!("https://a.org/{n}"), words[n % 3]);
        let kinds = grouped(&(0..90).map(of).collect::<Vec<_>>());
        assert_eq!(
            kinds[0].groups.iter().map(|group| group.detail.as_str()).collect::<Vec<_>>(),
            ["no author", "no offers", "no price"]
        );
        let letters = |n: usize| char::from(b'a' + (n % 26) as u8).to_string();
        let of = |n: usize| page(Kind::Cut, &format!("https://a.org/{n}"), &letters(n));
        let kinds = grouped(&(0..260).map(of).collect::<Vec<_>>());
        assert_eq!(told(&kinds), [("https://a.org/*", 260)]);
    }

    #[test]
    fn doubled_titles_are_told_by_their_words_and_doubles_by_what_they_double() {
        let title = |n: u32, words: &str| page(Kind::DoubledTitle, &format!("https://a.org/{n}"), words);
        let double = Finding { to: Some("https://a.org/first".into()), ..page(Kind::Duplicate, "https://a.org/9", "") };
        let kinds = grouped(&[title(1, "A 1"), title(2, "A 1"), title(3, "B"), double]);
        assert_eq!(told(&kinds), [("A 1", 2), ("B", 1), ("https://a.org/first", 1)]);
    }

    #[test]
    fn the_worst_comes_first_and_the_rest_is_counted() {
        let mut all: Vec<Finding> = (0..30).map(|n| link("https://a.org/", &n.to_string(), Reason::NotFound)).collect();
        all.extend((0..5).map(|n| page(Kind::SitemapInvalid, &format!("https://a.org/{n}"), "")));
        all.extend((0..50).map(|n| page(Kind::MissingTitle, &format!("https://a.org/{n}"), "")));
        let mut causes = Causes::new(7, 1);
        all.iter().for_each(|finding| causes.take(finding));
        let kinds = causes.finish();
        let order: Vec<Kind> = kinds.iter().map(|kind| kind.kind).collect();
        assert_eq!(order, [Kind::InvalidLink, Kind::MissingTitle, Kind::SitemapInvalid]);
        assert_eq!((kinds[0].groups.len(), kinds[0].rest(), kinds[0].pages), (7, (23, 23), 1));
    }

    fn any_finding() -> impl Strategy<Value = Finding> {
        let url =
            proptest::sample::select(vec!["https://a.org/", "https://b.org/x/", "", "x", "https://a.org/?", "\u{fc}/"]);
        let detail = proptest::sample::select(vec!["", "a", "b 1", "b 2", "\u{201c}t\u{201d}", "c", "d", "e", "f"]);
        let kinds = [Kind::InvalidLink, Kind::DoubledTitle, Kind::Duplicate, Kind::MissingTitle, Kind::Cut];
        (proptest::sample::select(kinds.to_vec()), url, "[a-c/?]{0,4}", detail, any::<bool>(), any::<bool>()).prop_map(
            |(kind, url, rest, detail, linked, down)| Finding {
                to: (kind.is_of_link() || linked).then(|| format!("{url}{rest}")),
                reason: down.then_some(Reason::TimeOut),
                ..page(kind, &format!("{url}{rest}"), detail)
            },
        )
    }

    proptest! {
        /// Every finding is in one group and no other, and the group knows it again.
        #[test]
        fn every_finding_is_in_exactly_one_group(mut all in proptest::collection::vec(any_finding(), 0..80)) {
            all.sort_by(|a, b| (a.kind, &a.from).cmp(&(b.kind, &b.from)));
            let kinds = grouped(&all);
            let sum: u64 = kinds.iter().flat_map(|kind| &kind.groups).map(|group| group.size.findings).sum();
            prop_assert_eq!(sum, all.len() as u64);
            for kind in &kinds {
                prop_assert_eq!(kind.rest(), (0, 0));
                let mut keys: Vec<String> = kind.groups.iter().map(|group| group.cause.key()).collect();
                keys.sort_unstable();
                keys.dedup();
                prop_assert_eq!(keys.len(), kind.groups.len());
                for group in &kind.groups {
                    let own = all.iter().filter(|finding| finding.kind == kind.kind && group.cause.is_behind(finding));
                    prop_assert_eq!(own.count() as u64, group.size.findings, "{:?}", group);
                }
            }
        }
    }
}
