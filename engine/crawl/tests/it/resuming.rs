//! Going on after an interruption; faults on the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_crawl::{End, PageSeen, Watch};
use groma_model::{Reason, State};
use groma_testweb::sites::Lattice;
use groma_testweb::{Faults, Server};

use crate::surveying::Survey;

/// Interrupts after so many pages.
struct After(u32, Arc<AtomicBool>);

impl Watch for After {
    fn page(&mut self, _page: &PageSeen<'_>) {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn an_interrupted_crawl_goes_on_and_asks_nothing_twice() {
    let server = Server::start(Lattice::new(500, 3));
    let survey = Survey::for_site(&server.base());
    let mut times = 0;
    loop {
        survey.interrupt.store(false, Ordering::Relaxed);
        let summary = survey.crawl_watched(&mut After(60, Arc::clone(&survey.interrupt)));
        times += 1;
        if summary.end == End::Finished {
            break;
        }
        assert_eq!(summary.end, End::Interrupted);
        assert!(survey.count(State::Queued) > 0);
    }
    assert!(times > 4);
    assert_eq!(survey.count(State::Fetched), 500);
    assert!(server.asked().values().all(|n| *n == 1), "not even robots.txt is asked for again");
}

#[test]
fn resets_and_overload_lose_no_page() {
    let server = Server::start(Lattice::new(400, 4));
    server.set_faults(Faults { reset_percent: 5, unavailable_percent: 5, seed: 7, robots_too: false });
    let mut survey = Survey::for_site(&server.base());
    survey.limits.retries = 6;
    survey.crawl();
    assert_eq!(survey.count(State::Fetched), 400);
    assert_eq!(survey.count(State::Broken), 0);
}

#[test]
fn a_server_that_always_fails_is_given_up_as_unreachable() {
    let server = Server::start(Lattice::new(5, 4));
    server.set_faults(Faults { reset_percent: 100, unavailable_percent: 0, seed: 7, robots_too: false });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.reason("/"), Reason::Reset);
    // One more is the second try on a fresh connection, where a kept one was found broken.
    assert!((1 + survey.limits.retries..=2 + survey.limits.retries).contains(&server.count("/")));
}
