//! A1: which links are broken: lead to pages that are gone or unreachable?
//!
//! ```text
//! A1 = { <p, q> : p indexed, q invalid }
//! ```
//!
//! q is the URL as it is linked, followed through aliases to its end, and the end is invalid: gone, unreachable or malformed.
//! A page that asked us to wait, to log in or to keep out (401, 403, 429, robots.txt) is registered, not invalid, and never here;
//! nor is what was ignored or not yet fetched. Several links from p to q are one finding.
//!
//! Of URLs outside the survey it is known only if they were asked whether they are there. Those that are not there are *broken*; those
//! that time out, fail or cannot be reached are *unreachable*: they may be back tomorrow; those that turn us away are *blocked*:
//! visitors may well see them. Not seen: URLs that were not asked, which are counted ([`Unasked`](crate::Unasked)), and links that scripts make.

use groma_model::state::Fault;
use groma_model::{PageId, Reason, State};

use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// Why the end of a link is broken, if it is.
pub(crate) fn broken(facts: &Facts, target: PageId) -> Option<Reason> {
    let reason = facts.reason(facts.end(target)?)?;
    (reason.state() == State::Broken).then_some(reason)
}

/// What is wrong with the end of a link, if anything is.
pub(crate) fn judge(facts: &Facts, target: PageId) -> Option<Kind> {
    let end = facts.end(target)?;
    let reason = facts.reason(end)?;
    if !facts.has(end, Mark::Asked) || facts.has(end, Mark::InScope) {
        return (reason.state() == State::Broken).then_some(Kind::InvalidLink);
    }
    match reason {
        reason if reason.state() == State::Broken => {
            Some(if is_gone(reason) { Kind::OutsideBroken } else { Kind::OutsideUnreachable })
        }
        reason if reason.fault() == Some(Fault::Unknown) => Some(Kind::OutsideBlocked),
        _ if facts.has(end, Mark::Moved) => Some(Kind::OutsideMoved),
        _ => None,
    }
}

/// Is it certain that visitors find nothing there? A server that fails, or is silent, may be back tomorrow; one that redirects in a circle
/// may wait for a cookie.
fn is_gone(reason: Reason) -> bool {
    use Reason::*;
    matches!(reason, NotFound | Gone | Malformed | DnsFailure | ClientError | BadRedirect)
}

/// What to do about it.
pub(crate) fn next_step(reason: Reason) -> &'static str {
    match reason.fault() {
        Some(Fault::Malformed) => "write the URL correctly, or remove the link",
        Some(Fault::Unreachable) => "try the URL again later (`groma update`); if it stays away, remove the link",
        _ => Kind::InvalidLink.next_step(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    #[test]
    fn a_link_to_a_missing_page_says_where_it_stands_and_since_when() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let gone = survey.add("https://a.org/gone", Reason::NotFound);
        survey.link(home, gone, "our shop");
        survey.link(home, gone, "again");
        survey.page(gone).since = 86_400;
        let [finding] = found(&mut survey, Kind::InvalidLink).try_into().unwrap();
        assert_eq!((finding.from.as_str(), finding.to.as_deref()), ("https://a.org/", Some("https://a.org/gone")));
        assert_eq!(
            (finding.anchor.as_str(), finding.reason, finding.since),
            ("our shop", Some(Reason::NotFound), 86_400)
        );
        assert_eq!(finding.detail, "2 links");
    }

    #[test]
    fn who_asked_for_patience_or_was_not_asked_is_never_broken() {
        for &reason in Reason::ALL.iter().filter(|reason| !matches!(reason.state(), State::Broken | State::Alias)) {
            let mut survey = Survey::default();
            let home = survey.indexed("https://a.org/");
            let other = survey.add("https://a.org/x", reason);
            survey.link(home, other, "x");
            assert_eq!(found(&mut survey, Kind::InvalidLink), [], "{reason}");
        }
    }

    /// A page with a link to a URL outside, which was asked with this result.
    fn outside(answer: Reason, moved_to: &'static str) -> Survey {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let other = survey.add("https://b.org/x", Reason::OutOfScope);
        survey.page(other).in_scope = false;
        survey.asked.insert(other, (answer, moved_to));
        survey.link(home, other, "elsewhere");
        survey
    }

    #[test]
    fn a_link_outside_is_what_its_url_answered() {
        for (answer, kind) in [
            (Reason::NotFound, Kind::OutsideBroken),
            (Reason::Gone, Kind::OutsideBroken),
            (Reason::DnsFailure, Kind::OutsideBroken),
            (Reason::RedirectLoop, Kind::OutsideUnreachable),
            (Reason::TimeOut, Kind::OutsideUnreachable),
            (Reason::ServerError, Kind::OutsideUnreachable),
            (Reason::Tls, Kind::OutsideUnreachable),
            (Reason::Forbidden, Kind::OutsideBlocked),
            (Reason::AskedToWait, Kind::OutsideBlocked),
            (Reason::Robots, Kind::OutsideBlocked),
        ] {
            let [finding] = found(&mut outside(answer, ""), kind).try_into().unwrap();
            assert_eq!((finding.reason, finding.since), (Some(answer), 86_400), "{answer}");
            assert_eq!((finding.to.as_deref(), finding.anchor.as_str()), (Some("https://b.org/x"), "elsewhere"));
            assert!(found(&mut outside(answer, ""), Kind::InvalidLink).is_empty());
        }
        let mut there = outside(Reason::Fetched, "");
        assert!(crate::testing::all(&mut there).iter().all(|finding| !finding.kind.is_of_link()));
    }

    #[test]
    fn what_has_moved_for_good_is_named() {
        let [finding] = found(&mut outside(Reason::Fetched, "https://c.org/y"), Kind::OutsideMoved).try_into().unwrap();
        assert_eq!((finding.detail.as_str(), finding.reason), ("moved to https://c.org/y", None));
        // What is not there where it has moved to is broken.
        assert_eq!(found(&mut outside(Reason::NotFound, "https://c.org/y"), Kind::OutsideBroken).len(), 1);
    }

    #[test]
    fn an_image_of_the_site_that_is_not_there_is_a_broken_link() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let image = survey.add("https://a.org/x.png", Reason::Asset);
        survey.asked.insert(image, (Reason::NotFound, ""));
        survey.link(home, image, "").kind = groma_model::LinkKind::Image;
        assert_eq!(found(&mut survey, Kind::InvalidLink).len(), 1);
    }

    #[test]
    fn a_redirect_to_a_missing_page_is_broken_and_tells_its_hops() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let (old, older) = (
            survey.add("https://a.org/old", Reason::Redirected),
            survey.add("https://a.org/older", Reason::Redirected),
        );
        let gone = survey.add("https://a.org/gone", Reason::Gone);
        (survey.page(older).alias_of, survey.page(older).status) = (Some(old), 301);
        (survey.page(old).alias_of, survey.page(old).status) = (Some(gone), 302);
        survey.link(home, older, "x");
        let [finding] = found(&mut survey, Kind::InvalidLink).try_into().unwrap();
        assert_eq!((finding.to.as_deref(), finding.reason), (Some("https://a.org/older"), Some(Reason::Gone)));
        assert_eq!(finding.detail, "301 to https://a.org/old, 302 to https://a.org/gone");
        assert_eq!(found(&mut survey, Kind::RedirectChain), [], "one link, one finding");
    }

    proptest! {
        /// By the definition, on surveys of any shape.
        #[test]
        fn the_findings_are_the_set_of_the_definition(
            reasons in proptest::collection::vec(proptest::sample::select(Reason::ALL), 1..12),
            links in proptest::collection::vec((0usize..12, 0usize..12), 0..40),
            aliases in proptest::collection::vec(0usize..12, 12),
        ) {
            let mut survey = Survey::default();
            for (n, reason) in reasons.iter().enumerate() {
                survey.add(&format!("https://a.org/{n}"), *reason);
            }
            let count = reasons.len();
            // Aliases lead to lower numbers, hence in no circle; that of number 0 leads nowhere.
            for n in (1..count).filter(|n| reasons[*n].state() == State::Alias) {
                survey.pages[n].alias_of = Some(PageId((aliases[n] % n) as u32));
            }
            let mut expected = BTreeSet::new();
            for (from, to) in links.into_iter().filter(|(from, to)| *from < count && *to < count) {
                survey.link(PageId(from as u32), PageId(to as u32), "x");
                let mut end = to;
                while reasons[end].state() == State::Alias && end > 0 {
                    end = aliases[end] % end;
                }
                if reasons[from].state() == State::Fetched && reasons[end].state() == State::Broken {
                    expected.insert((from, to));
                }
            }
            let number = |url: &str| url.rsplit('/').next().unwrap().parse::<usize>().unwrap();
            let findings = found(&mut survey, Kind::InvalidLink);
            let pairs: Vec<_> = findings.iter().map(|f| (number(&f.from), number(f.to.as_ref().unwrap()))).collect();
            prop_assert_eq!(pairs, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
