//! Canonical forms: where does `rel=canonical` of a page lead?
//!
//! Of a page of the survey that names a URL: one that redirects is `canonical-redirect`, one whose page is not to be listed
//! `canonical-noindex`, one whose page names a third `canonical-chain`; any other page than itself is `canonical-elsewhere`. What is broken is a
//! broken link already. Cost: a look at every page. Not seen: canonical forms outside of the survey.

use groma_model::{PageId, State};

use super::duplicates::names_another;
use crate::draft::Draft;
use crate::facts::{Facts, Mark, NONE, Page};
use crate::finding::Kind;

/// Finds them.
pub(crate) fn find(facts: &Facts, drafts: &mut Vec<Draft>) {
    let looked_at = |page: &&Page| {
        page.canonical != NONE && facts.has(page.id(), Mark::InScope) && facts.has(page.id(), Mark::Html)
    };
    for page in facts.pages.iter().filter(looked_at) {
        let named = PageId(page.canonical);
        let Some(end) = facts.end(named).filter(|end| facts.page(*end).is_some()) else { continue };
        if facts.reason(named).is_some_and(|reason| reason.state() == State::Alias)
            && !facts.redirects(named).is_empty()
        {
            drafts.push(Draft::of_double(Kind::CanonicalRedirect, page.id(), named));
        }
        if end == page.id() {
            continue;
        }
        drafts.push(Draft::of_double(Kind::CanonicalElsewhere, page.id(), end));
        if facts.has(end, Mark::NoIndex) {
            drafts.push(Draft::of_double(Kind::CanonicalNoindex, page.id(), end));
        }
        if facts.page(end).is_some_and(|other| names_another(facts, other)) {
            drafts.push(Draft::of_double(Kind::CanonicalChain, page.id(), end));
        }
    }
}
