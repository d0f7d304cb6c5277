//! What was not looked at: of which linked URLs does nobody know whether they are there?
//!
//! A URL that something on a page leads to in the end, and that was neither fetched nor asked, or kept itself to itself. Without such
//! URLs, nothing found means that nothing is wrong; with them it does not. What the user excluded is not counted: it was not wanted.
//! Cost: a pass over the columns.

use groma_model::state::Fault;
use groma_model::{Reason, State};

use crate::facts::{Facts, Mark};
use crate::summary::Unasked;

/// Counts them.
pub(crate) fn count(facts: &Facts) -> Unasked {
    let mut unasked = Unasked::default();
    facts.each(|id, reason| {
        if !facts.has(id, Mark::Target) {
            return;
        }
        match reason {
            Reason::OutOfScope => unasked.outside += u64::from(!facts.has(id, Mark::Asked)),
            Reason::PrivateAddress => unasked.outside += 1,
            Reason::Asset => unasked.assets += u64::from(!facts.has(id, Mark::Asked)),
            reason if reason.fault() == Some(Fault::Unknown) => unasked.closed += 1,
            reason if matches!(reason.state(), State::Skipped | State::Queued) => unasked.unread += 1,
            _ => {}
        }
    });
    unasked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Survey;
    use crate::testing::{all, summary};

    #[test]
    fn what_was_not_asked_is_counted_by_why() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        for (n, reason) in [
            Reason::OutOfScope,
            Reason::OutOfScope,
            Reason::Asset,
            Reason::PageLimit,
            Reason::NoFollow,
            Reason::Waiting,
            Reason::Robots,
            Reason::Forbidden,
            Reason::Excluded,
        ]
        .into_iter()
        .enumerate()
        {
            let other = survey.add(&format!("https://b.org/{n}"), reason);
            survey.link(home, other, "x");
        }
        // Nothing leads there.
        survey.add("https://b.org/", Reason::OutOfScope);
        assert!(all(&mut survey).iter().all(|finding| !finding.kind.is_of_link()));
        let unasked = summary(&mut survey).unasked;
        assert_eq!(unasked, Unasked { outside: 2, assets: 1, unread: 3, closed: 2, markup: 0 });
        let says = unasked.says().unwrap();
        assert!(says.starts_with("8 linked URLs were not looked at: 2 outside the survey, 1 image, style"), "{says}");
        assert_eq!(Unasked::default().says(), None);
    }

    #[test]
    fn what_was_asked_counts_no_more() {
        let mut survey = Survey::default();
        let home = survey.indexed("https://a.org/");
        for (n, answer) in [Reason::Fetched, Reason::NotFound, Reason::Forbidden].into_iter().enumerate() {
            let outside = survey.add(&format!("https://b.org/{n}"), Reason::OutOfScope);
            survey.page(outside).in_scope = false;
            survey.asked.insert(outside, (answer, ""));
            survey.link(home, outside, "x");
        }
        // Who turned us away has told nothing.
        assert_eq!(summary(&mut survey).unasked, Unasked { closed: 1, ..Unasked::default() });
    }
}
