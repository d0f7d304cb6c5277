//! Start pages: which of those that somebody named are broken?
//!
//! Rule: a URL of depth 0 (named as a start page, in a list of URLs, or what such a one redirects to) that is gone, unreachable or
//! malformed. Nobody links to it, so no other check would tell.
//! Cost: a look at every alias and broken URL.

use groma_model::State;

use crate::draft::Draft;
use crate::facts::{Facts, Mark};
use crate::finding::Kind;

/// Finds them.
pub(crate) fn find(facts: &Facts, drafts: &mut Vec<Draft>) {
    let broken = |id| facts.reason(id).is_some_and(|reason| reason.state() == State::Broken);
    let starts = facts.without_page().filter(|id| facts.has(*id, Mark::Start) && broken(*id));
    drafts.extend(starts.map(|id| Draft::of_page(Kind::StartBroken, id)));
}

#[cfg(test)]
mod tests {
    use groma_model::{Depth, Reason};

    use super::*;
    use crate::memory::Survey;
    use crate::testing::found;

    #[test]
    fn a_listed_url_that_is_gone_is_an_error_though_nobody_links_to_it() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        let (gone, inner) =
            (survey.add("https://a.org/x", Reason::NotFound), survey.add("https://a.org/y", Reason::Gone));
        let moved = survey.add("https://a.org/z", Reason::Redirected);
        for start in [home, gone, moved] {
            survey.page(start).depth = Depth(0);
        }
        survey.page(moved).alias_of = Some(inner);
        survey.page(gone).since = 86_400;
        let [finding] = found(&mut survey, Kind::StartBroken).try_into().unwrap();
        assert_eq!((finding.from.as_str(), finding.to.as_deref()), ("https://a.org/x", None));
        assert_eq!((finding.reason, finding.since), (Some(Reason::NotFound), 86_400));
    }

    #[test]
    fn who_asks_for_a_login_is_not_broken() {
        let mut survey = Survey::default();
        let start = survey.add("https://a.org/", Reason::Unauthorized);
        survey.page(start).depth = Depth(0);
        assert_eq!(found(&mut survey, Kind::StartBroken), []);
    }
}
