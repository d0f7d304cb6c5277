//! Which links are answered with a redirect, and which with several in a row?
//!
//! A link whose target redirects is a `redirect`; one that passes two or more redirects before it comes to its end is a
//! `redirect-chain` instead. The hops are told with their status: 301 and 308 are for good, so the link should be changed; 302,
//! 303 and 307 are for the time being and may be meant. URLs that we folded ourselves are no redirects.
//! Where the end is invalid the link is an A1 and not here; redirects in a circle are invalid by themselves.
//! Not seen: redirects that scripts or `meta refresh` make, and those behind URLs that were not asked for.

use std::io;

use groma_model::PageId;

use crate::facts::Facts;
use crate::finding::Kind;

/// Hops that are told one by one.
const TOLD: usize = 20;

/// Which kind of finding a link to this URL is, if its end is not invalid.
pub(crate) fn judge(facts: &Facts, target: PageId) -> Option<Kind> {
    match facts.redirects(target).len() {
        0 => None,
        1 => Some(Kind::Redirect),
        _ => Some(Kind::RedirectChain),
    }
}

/// The hops from a URL, in words: `301 to https://a.org/b, 302 to https://a.org/c`. Empty if it does not redirect.
pub(crate) fn hops(
    facts: &Facts,
    target: PageId,
    url: &mut dyn FnMut(PageId) -> io::Result<String>,
) -> io::Result<String> {
    let hops = facts.redirects(target);
    let mut told = Vec::new();
    for hop in hops.iter().take(TOLD) {
        let Some(next) = facts.next_hop(*hop) else { break };
        let status = match facts.status(*hop) {
            0 => "redirected".to_owned(),
            status => status.to_string(),
        };
        told.push(format!("{status} to {}", url(next)?));
    }
    if hops.len() > TOLD {
        told.push(format!("and {} more", hops.len() - TOLD));
    }
    Ok(told.join(", "))
}

/// What to do about a link to this URL.
pub(crate) fn next_step(facts: &Facts, target: PageId, kind: Kind) -> &'static str {
    let passing = |hop: &PageId| matches!(facts.status(*hop), 302 | 303 | 307);
    if kind == Kind::Redirect && facts.redirects(target).iter().any(passing) {
        "leave it if the redirect is meant to be for the time being; otherwise link to the URL it leads to"
    } else {
        kind.next_step()
    }
}

#[cfg(test)]
mod tests {
    use groma_model::Reason;

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    /// A page that links to the first of so many redirects in a row, with these statuses.
    fn chain(statuses: &[u16]) -> Survey {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let end = survey.indexed("https://a.org/end");
        let mut next = end;
        for (n, status) in statuses.iter().enumerate().rev() {
            let hop = survey.add(&format!("https://a.org/{n}"), Reason::Redirected);
            (survey.page(hop).alias_of, survey.page(hop).status) = (Some(next), *status);
            next = hop;
        }
        survey.link(home, next, "go");
        survey
    }

    #[test]
    fn one_redirect_is_a_redirect_and_two_are_a_chain() {
        assert_eq!(found(&mut chain(&[]), Kind::Redirect), []);
        let [one] = found(&mut chain(&[301]), Kind::Redirect).try_into().unwrap();
        assert_eq!((one.detail.as_str(), one.next), ("301 to https://a.org/end", Kind::Redirect.next_step()));
        let mut two = chain(&[301, 302]);
        assert_eq!(found(&mut two, Kind::Redirect), []);
        let [two] = found(&mut two, Kind::RedirectChain).try_into().unwrap();
        assert_eq!(two.detail, "301 to https://a.org/1, 302 to https://a.org/end");
        assert_eq!(two.to.as_deref(), Some("https://a.org/0"));
    }

    #[test]
    fn a_passing_redirect_may_be_meant() {
        let [one] = found(&mut chain(&[302]), Kind::Redirect).try_into().unwrap();
        assert!(one.next.starts_with("leave it if"), "{}", one.next);
    }

    #[test]
    fn long_chains_are_told_in_part() {
        let [long] = found(&mut chain(&[301; 30]), Kind::RedirectChain).try_into().unwrap();
        assert!(long.detail.ends_with("301 to https://a.org/20, and 10 more"), "{}", long.detail);
    }

    #[test]
    fn our_own_folding_is_no_redirect() {
        let mut survey = chain(&[301]);
        let variant = survey.add("https://a.org/?v=1", Reason::Folded);
        survey.page(variant).alias_of = Some(PageId(1));
        survey.pages[0].links.clear();
        survey.link(PageId(0), variant, "x");
        assert_eq!(found(&mut survey, Kind::Redirect), []);
    }
}
