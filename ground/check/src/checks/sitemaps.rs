//! Sitemaps: which URLs do they name that are gone or unreachable?
//!
//! Rule: a URL of the survey that a sitemap names, and that is in the end (through aliases) invalid: gone, unreachable or
//! malformed. Left out is what a page links to, itself or its end: that link is an A1 already. As there, who asked us to wait, to log
//! in or to keep out is not invalid, nor is what was ignored or not yet fetched.
//! A URL of the survey that a sitemap names and that redirects to a page is `sitemap-redirect`; one that robots.txt keeps us from
//! `sitemap-blocked`; one whose page names another as its canonical form `sitemap-canonicalized`.
//! Cost: a look at every URL. Not seen: which of several sitemaps names it, URLs that a sitemap names out of the survey's scope, and
//! that a sitemap names what was found by a link before the sitemap was read.

use groma_model::{PageId, Reason};

use super::duplicates::names_another;
use super::invalid;
use crate::draft::Draft;
use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// Finds them. The links have been read.
pub(crate) fn find(facts: &Facts, drafts: &mut Vec<Draft>) {
    for id in facts.without_page() {
        if !is_named(facts, id) {
            continue;
        }
        if invalid::broken(facts, id).is_none() {
            if facts.reason(id) == Some(Reason::Redirected) && facts.end(id).is_some() {
                drafts.push(Draft::of_page(Kind::SitemapRedirect, id));
            }
            continue;
        }
        let end = facts.end(id).unwrap_or(id);
        if !facts.has(id, Mark::Linked) && !facts.has(end, Mark::Linked) {
            drafts.push(Draft::of_page(Kind::SitemapInvalid, id));
        }
    }
    facts.each(|id, reason| {
        if reason == Reason::Robots && is_named(facts, id) {
            drafts.push(Draft::of_page(Kind::SitemapBlocked, id));
        }
    });
    let elsewhere = facts.pages.iter().filter(|page| is_named(facts, page.id()) && names_another(facts, page));
    drafts
        .extend(elsewhere.map(|page| Draft::of_double(Kind::SitemapCanonicalized, page.id(), PageId(page.canonical))));
}

/// Does a sitemap name this URL of the survey?
fn is_named(facts: &Facts, id: PageId) -> bool {
    facts.has(id, Mark::InScope) && facts.has(id, Mark::FromSitemap)
}

#[cfg(test)]
mod tests {
    use groma_model::{LinkKind, PageId, Reason, State};

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    /// A start page, and a URL for this reason that a sitemap names.
    fn site(reason: Reason) -> (Survey, PageId, PageId) {
        let mut survey = Survey::default();
        let (home, named) = (survey.indexed("https://a.org/"), survey.add("https://a.org/x", reason));
        survey.page(named).from_sitemap = true;
        (survey, home, named)
    }

    #[test]
    fn what_only_a_sitemap_names_and_cannot_be_had_is_told_with_reason_and_date() {
        let (mut survey, _, named) = site(Reason::Gone);
        survey.page(named).since = 86_400;
        let [finding] = found(&mut survey, Kind::SitemapInvalid).try_into().unwrap();
        assert_eq!((finding.from.as_str(), finding.to.as_deref()), ("https://a.org/x", None));
        assert_eq!((finding.reason, finding.since), (Some(Reason::Gone), 86_400));
        assert_eq!(finding.next, "take it out of the sitemap, or bring the page back");
    }

    #[test]
    fn all_that_is_invalid_counts_and_nothing_else() {
        for &reason in Reason::ALL {
            let (mut survey, ..) = site(reason);
            let expected = usize::from(reason.state() == State::Broken);
            assert_eq!(found(&mut survey, Kind::SitemapInvalid).len(), expected, "{reason}");
        }
    }

    #[test]
    fn what_no_sitemap_names_or_is_not_of_the_survey_is_passed_by() {
        let (mut survey, _, named) = site(Reason::NotFound);
        survey.page(named).in_scope = false;
        assert_eq!(found(&mut survey, Kind::SitemapInvalid), []);
        (survey.page(named).in_scope, survey.page(named).from_sitemap) = (true, false);
        assert_eq!(found(&mut survey, Kind::SitemapInvalid), []);
    }

    #[test]
    fn a_broken_link_is_not_told_twice_whatever_kind_of_link_it_is() {
        for kind in [LinkKind::Anchor, LinkKind::Canonical, LinkKind::Image] {
            let (mut survey, home, named) = site(Reason::NotFound);
            survey.link(home, named, "x").kind = kind;
            assert_eq!(found(&mut survey, Kind::SitemapInvalid), [], "{}", kind.name());
            assert_eq!(found(&mut survey, Kind::InvalidLink).len(), 1, "{}", kind.name());
        }
    }

    #[test]
    fn a_redirect_to_a_missing_page_tells_its_hops() {
        let (mut survey, home, old) = site(Reason::Redirected);
        let gone = survey.add("https://a.org/gone", Reason::NotFound);
        (survey.page(old).alias_of, survey.page(old).status) = (Some(gone), 301);
        let [finding] = found(&mut survey, Kind::SitemapInvalid).try_into().unwrap();
        assert_eq!((finding.from.as_str(), finding.reason), ("https://a.org/x", Some(Reason::NotFound)));
        assert_eq!(finding.detail, "301 to https://a.org/gone");
        survey.link(home, gone, "x");
        assert_eq!(found(&mut survey, Kind::SitemapInvalid), []);
    }
}
