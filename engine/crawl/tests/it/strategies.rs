//! A strategy other than layers: what it wants is fetched, what it drops is not, and it can end the crawl.

use groma_crawl::End;
use groma_model::{PageId, Reason};
use groma_strategy::{Plan, Priority, Strategy, Visit};

use crate::mock::Survey;

/// Wants every second lead, drops the others, and has enough after so many visits.
struct Picky {
    enough: u32,
}

impl Strategy for Picky {
    fn name(&self) -> &'static str {
        "picky"
    }

    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan) {
        seeds.iter().for_each(|seed| plan.want(*seed, Priority { round: 0, rank: 0 }));
    }

    fn visit(&mut self, visit: &Visit<'_>, plan: &mut Plan) {
        for (at, lead) in visit.leads.iter().enumerate() {
            // The later ones first.
            let rank = u32::MAX - at as u32;
            if at % 2 == 0 {
                plan.want(lead.page, Priority { round: 1, rank })
            } else {
                plan.drop(lead.page, Reason::NotWanted)
            }
        }
        // Pages that were under way are still shown to it.
        self.enough = self.enough.saturating_sub(1);
        if self.enough == 0 {
            plan.stop();
        }
    }

    fn round(&mut self, _finished: u32, _plan: &mut Plan) {}
}

fn site() -> Survey {
    Survey::for_web(|ask| match ask.path {
        "/" => crate::mock::html(&(0..40).map(|n| format!("<a href=/{n}>{n}</a> ")).collect::<String>()),
        path => crate::mock::html(path),
    })
}

#[test]
fn what_is_wanted_is_fetched_and_what_is_dropped_is_not() {
    let survey = site();
    assert_eq!(survey.crawl_with(Picky { enough: 1000 }), End::Finished);
    assert_eq!(survey.reason("/0"), Reason::Fetched);
    assert_eq!(survey.reason("/1"), Reason::NotWanted);
    assert_eq!(survey.count("/1"), 0);
    assert_eq!(survey.reason("/38"), Reason::Fetched);
}

#[test]
fn a_strategy_can_end_the_crawl_and_the_rest_stays_queued() {
    let survey = site();
    assert_eq!(survey.crawl_with(Picky { enough: 3 }), End::Stopped);
    let waiting = (0..40).filter(|n| survey.reason(&format!("/{n}")) == Reason::Waiting).count();
    assert!(waiting > 0 && waiting < 19, "{waiting}");
}
