//! Orphans: which pages does no page link to?
//!
//! An indexed page of the survey is an `orphan` if no other indexed page has an anchor, frame or refresh that leads to it, or
//! shows it as an image, style or script (through aliases as well): it is known from a sitemap or an earlier crawl only. It is
//! `navigation-only` if all such links stand in navigation. Left out are start pages, soft 404s, and pages that name another
//! one as their canonical form.
//!
//! **Whether the list is conclusive** is told with it ([`Standing`]): it is not if a page that was not read might hold the link.
//! Not seen: links that scripts make, and links from other sites.

use groma_model::{BlockKind, LinkKind, PageId, Reason, State};
use serde::Serialize;

use super::duplicates::names_another;
use crate::draft::Draft;
use crate::evidence::Completeness;
use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// Whether the list of orphans can be relied upon.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Pages that are told as orphans may be linked from pages that were not read, for these reasons. None: all of them are orphans.
    pub doubts: Vec<String>,
    /// There may be orphans that are not told, for these reasons. What nobody names cannot be found at all.
    pub gaps: Vec<String>,
}

impl Standing {
    /// Every page that is told is an orphan.
    pub fn is_conclusive(&self) -> bool {
        self.doubts.is_empty()
    }

    /// The statement, in one sentence or two.
    pub fn says(&self) -> String {
        let mut text = if self.is_conclusive() {
            "Every page listed as an orphan is one: all pages of the survey were read.".to_owned()
        } else {
            format!("The list of orphans is not conclusive: {}.", self.doubts.join("; "))
        };
        if !self.gaps.is_empty() {
            text.push_str(&format!(" There may be more: {}.", self.gaps.join("; ")));
        }
        text
    }
}

/// Takes note of a link from a page to what it leads to in the end.
pub(crate) fn take(facts: &mut Facts, from: PageId, end: PageId, link: LinkKind, block: BlockKind) {
    let part = matches!(link, LinkKind::Image | LinkKind::Style | LinkKind::Script);
    if from == end || !(part || matches!(link, LinkKind::Anchor | LinkKind::Frame | LinkKind::Refresh)) {
        return;
    }
    facts.mark(end, Mark::Linked);
    // A part of a page (fetched with its assets) is where it belongs.
    if part || block != BlockKind::Navigation {
        facts.mark(end, Mark::LinkedInText);
    }
}

pub(crate) fn find(facts: &Facts, drafts: &mut Vec<Draft>) {
    for page in &facts.pages {
        let id = page.id();
        let left_out = !facts.has(id, Mark::InScope)
            || facts.has(id, Mark::Start)
            || facts.has(id, Mark::Soft)
            || names_another(facts, page);
        if left_out || facts.has(id, Mark::LinkedInText) {
            continue;
        }
        let kind = if facts.has(id, Mark::Linked) { Kind::NavigationOnly } else { Kind::Orphan };
        drafts.push(Draft::of_page(kind, id));
    }
}

/// Whether the list is conclusive.
pub(crate) fn standing(facts: &Facts, completeness: &Completeness) -> Standing {
    let mut standing = Standing::default();
    let mut doubt = |text: String| standing.doubts.push(text);
    let pages = |count: u64| if count == 1 { "1 page".to_owned() } else { format!("{count} pages") };
    let count = |which: fn(Reason) -> bool| facts.count(Mark::InScope, which);
    let waiting = count(|reason| reason.state() == State::Queued);
    if waiting > 0 || !completeness.finished {
        doubt(format!("the crawl has not come to its end ({} waiting)", pages(waiting)));
    }
    let limited = count(|reason| {
        use Reason::*;
        matches!(reason, DepthLimit | PageLimit | NotWanted | Loose | NoFollow | Trap)
    });
    if limited > 0 {
        doubt(format!("{} known, but not read because of limits", pages(limited)));
    }
    let closed = count(|reason| reason.fault() == Some(groma_model::state::Fault::Unknown));
    if closed > 0 {
        doubt(format!("{} could not be read (robots.txt, log-in, or asked to wait)", pages(closed)));
    }
    let away = count(|reason| reason.fault() == Some(groma_model::state::Fault::Unreachable));
    if away > 0 {
        doubt(format!("{} could not be reached", pages(away)));
    }
    let cut = facts.pages.iter().filter(|page| facts.has(page.id(), Mark::Incomplete)).count();
    if cut > 0 {
        doubt(format!("{} not read to the end", pages(cut as u64)));
    }
    if !completeness.limits.is_empty() {
        doubt(format!("limits were met ({})", completeness.limits.join(", ")));
    }
    if !completeness.sitemap_read {
        standing.gaps.push("no sitemap was read, so only pages known from earlier crawls can be orphans".to_owned());
    }
    standing
}

#[cfg(test)]
mod tests {
    use groma_model::Depth;

    use super::*;
    use crate::memory::Survey;
    use crate::testing::{found, summary};

    fn site() -> (Survey, PageId, PageId) {
        let mut survey = Survey::default();
        let (home, page) = (survey.indexed("https://a.org/"), survey.indexed("https://a.org/x"));
        survey.page(home).depth = Depth(0);
        survey.completeness = Completeness { finished: true, limits: Vec::new(), sitemap_read: true };
        (survey, home, page)
    }

    #[test]
    fn what_nobody_links_to_is_an_orphan_and_the_start_page_is_not() {
        let (mut survey, home, page) = site();
        survey.page(page).from_sitemap = true;
        let [orphan] = found(&mut survey, Kind::Orphan).try_into().unwrap();
        assert_eq!((orphan.from.as_str(), orphan.detail.as_str()), ("https://a.org/x", "named by a sitemap"));
        survey.link(page, page, "self");
        survey.link(home, page, "canonical").kind = LinkKind::Canonical;
        assert_eq!(found(&mut survey, Kind::Orphan).len(), 1, "neither its own links nor canonical ones count");
        survey.link(home, page, "menu").block = BlockKind::Navigation;
        assert_eq!(found(&mut survey, Kind::Orphan), []);
        assert_eq!(found(&mut survey, Kind::NavigationOnly).len(), 1);
        survey.link(home, page, "in the text");
        assert_eq!(found(&mut survey, Kind::NavigationOnly), []);
    }

    #[test]
    fn a_part_of_a_page_is_no_orphan() {
        let (mut survey, home, image) = site();
        let shown = survey.link(home, image, "a picture");
        (shown.kind, shown.block) = (LinkKind::Image, BlockKind::Navigation);
        assert_eq!(found(&mut survey, Kind::Orphan), []);
        assert_eq!(found(&mut survey, Kind::NavigationOnly), []);
    }

    #[test]
    fn a_link_to_an_alias_is_a_link_to_the_page() {
        let (mut survey, home, page) = site();
        let alias = survey.add("https://a.org/old", Reason::Redirected);
        survey.page(alias).alias_of = Some(page);
        survey.link(home, alias, "x");
        assert_eq!(found(&mut survey, Kind::Orphan), []);
    }

    #[test]
    fn the_list_is_conclusive_only_if_everything_was_read() {
        let (mut survey, ..) = site();
        let standing = summary(&mut survey).orphans;
        assert!(standing.is_conclusive() && standing.gaps.is_empty(), "{standing:?}");
        assert_eq!(standing.says(), "Every page listed as an orphan is one: all pages of the survey were read.");
        let open = Standing { gaps: vec!["x".into(), "y".into()], ..Standing::default() };
        assert!(
            open.says().ends_with("all pages of the survey were read. There may be more: x; y."),
            "{}",
            open.says()
        );
        for reason in [Reason::DepthLimit, Reason::Robots, Reason::Waiting, Reason::TimeOut] {
            let (mut survey, ..) = site();
            let other = survey.add("https://a.org/y", reason);
            assert!(!summary(&mut survey).orphans.is_conclusive(), "{reason}");
            survey.page(other).in_scope = false;
            assert!(summary(&mut survey).orphans.is_conclusive(), "{reason} elsewhere");
        }
        survey.completeness = Completeness { finished: false, limits: vec!["html_links".into()], sitemap_read: false };
        let standing = summary(&mut survey).orphans;
        assert_eq!((standing.doubts.len(), standing.gaps.len()), (2, 1));
        assert!(standing.says().starts_with("The list of orphans is not conclusive: the crawl has not come"));
    }
}
