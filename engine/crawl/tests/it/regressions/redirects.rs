//! Redirects that turn around, and chains that are too long.

use std::thread::sleep;
use std::time::Duration;

use groma_crawl::End;
use groma_model::Reason;
use groma_model::url::ScopeKind;
use groma_store::ChangeKind;

use crate::mock::{Ask, Survey, html, links, missing, redirect};

/// `/old` redirects to `/new`; later the other way round, where one of them answers late.
fn swapped(late: &'static str) -> Survey {
    let survey = Survey::for_web(move |ask| {
        if ask.epoch == 1 && ask.path == late {
            sleep(Duration::from_millis(50));
        }
        match (ask.path, ask.epoch) {
            ("/", _) => html(&links(["/old", "/new"])),
            ("/old", 0) => redirect("/new"),
            ("/new", 1) => redirect("/old"),
            ("/old" | "/new", _) => html("the page"),
            _ => missing(),
        }
    });
    survey.crawl();
    survey.next_epoch();
    survey.update();
    survey
}

#[test]
fn a_redirect_that_turned_around_is_no_circle() {
    for late in ["/old", "/new"] {
        let survey = swapped(late);
        assert_eq!(survey.reason("/old"), Reason::Fetched, "{late} is late");
        assert_eq!(survey.reason("/new"), Reason::Redirected, "{late} is late");
        assert_eq!(survey.address("/new").alias_of, Some(survey.address("/old").id), "{late} is late");
        assert!(survey.changes(2, ChangeKind::Moved).contains("/new"), "{late} is late");
    }
}

/// A chain one longer than allowed, with this end, beside a path of links that leads elsewhere.
fn chain(end: &'static str, link: &'static str) -> Survey {
    let mut survey = Survey::for_web(move |ask: &Ask<'_>| match ask.path {
        "/" => html(&links(["/c0", "/x1"])),
        "/c0" => redirect("/c1"),
        "/c1" => redirect("/c2"),
        "/c2" => redirect("/c3"),
        "/c3" => redirect(end),
        "/x1" => html(&links(["/x2"])),
        "/x2" => html(&links([link])),
        "/end" | "http://b.test/end" | "http://b.test/page" => html("a page"),
        _ => missing(),
    });
    survey.limits.redirects = 3;
    survey.scope = ScopeKind::Any;
    survey
}

#[test]
fn a_chain_that_is_too_long_and_ends_at_a_new_host_does_not_hide_that_host() {
    let survey = chain("http://b.test/end", "http://b.test/page");
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("/c3"), Reason::RedirectChain);
    assert_eq!(survey.reason("http://b.test/page"), Reason::Fetched);
}

#[test]
fn the_end_of_a_chain_that_is_too_long_is_fetched_when_a_link_leads_there() {
    let survey = chain("/end", "/end");
    survey.crawl();
    assert_eq!(survey.reason("/c3"), Reason::RedirectChain);
    assert_eq!(survey.reason("/end"), Reason::Fetched);
}
