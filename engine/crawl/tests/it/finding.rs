//! Pages, states, depths, limits, sitemaps.

use groma_crawl::End;
use groma_model::state::Fault;
use groma_model::url::ScopeKind;
use groma_model::{Depth, Reason, State};
use groma_store::Snapshot;
use groma_testweb::sites::{Lattice, Sitemaps, Statuses};
use groma_testweb::{Answer, Ask, Server};

use crate::surveying::Survey;

#[test]
fn every_page_is_found_once_at_its_shortest_distance() {
    let mut site = Lattice::new(600, 3);
    site.dead_every = 7;
    let server = Server::start(site);
    let survey = Survey::for_site(&server.base());
    let summary = survey.crawl();
    assert_eq!(summary.end, End::Finished);
    assert_eq!(survey.count(State::Fetched), 600);
    assert_eq!(survey.count(State::Broken) as usize, site.dead_links());
    assert_eq!(survey.count(State::Queued), 0);
    let all = survey.addresses();
    for page in 0..600 {
        assert_eq!(all[&site.path(page)].depth, Depth(site.depth(page)), "page {page}");
        assert_eq!(server.count(&site.path(page)), 1, "page {page}");
    }
}

#[test]
fn beyond_the_depth_limit_pages_are_registered_and_a_deeper_crawl_goes_on_from_there() {
    let site = Lattice::new(400, 3);
    let server = Server::start(site);
    let mut survey = Survey::for_site(&server.base());
    survey.depth = Some(2);
    survey.crawl();
    let near = (0..400).filter(|p| site.depth(*p) <= 2).count();
    assert_eq!(survey.count(State::Fetched) as usize, near);
    let at_three = (0..400).filter(|p| site.depth(*p) == 3).count() as u64;
    assert_eq!(survey.balance().tally[&Reason::DepthLimit], at_three);
    assert_eq!(survey.balance().finished_layer, Some(2));
    survey.depth = None;
    survey.crawl();
    assert_eq!(survey.count(State::Fetched), 400);
    assert!(server.asked().iter().filter(|(path, _)| path.starts_with("/p/")).all(|(_, n)| *n == 1));
}

#[test]
fn the_page_limit_is_exact_and_can_be_raised() {
    let server = Server::start(Lattice::new(300, 4));
    let mut survey = Survey::for_site(&server.base());
    survey.pages = Some(50);
    assert_eq!(survey.crawl().end, End::PageLimit);
    assert_eq!(survey.count(State::Fetched), 50);
    assert_eq!(survey.count(State::Queued), 0);
    assert!(survey.balance().tally[&Reason::PageLimit] > 0);
    let asked = server.total();
    assert_eq!(survey.crawl().end, End::PageLimit, "the same command again has nothing to do");
    assert_eq!(server.total(), asked);
    survey.pages = Some(120);
    assert_eq!(survey.crawl().end, End::PageLimit);
    assert_eq!(survey.count(State::Fetched), 120);
    survey.pages = None;
    assert_eq!(survey.crawl().end, End::Finished);
    assert_eq!(survey.count(State::Fetched), 300);
}

#[test]
fn each_status_has_its_state() {
    let server = Server::start(Statuses::default());
    let mut survey = Survey::for_site(&server.base());
    survey.limits.retries = 1;
    survey.crawl();
    let reason = |code: u16| survey.reason(&format!("/status/{code}"));
    for code in [200, 203, 206] {
        assert_eq!(reason(code), Reason::Fetched, "{code}");
    }
    for code in [401, 402, 403, 429, 451, 999] {
        assert_eq!(reason(code).fault(), Some(Fault::Unknown), "{code}");
    }
    for code in [404, 410] {
        assert_eq!(reason(code).fault(), Some(Fault::Gone), "{code}");
    }
    for code in [408, 500, 501, 502, 503, 504] {
        assert_eq!(reason(code).fault(), Some(Fault::Unreachable), "{code}");
    }
    assert_eq!(server.count("/status/503"), 2, "once more, and no oftener");
    assert_eq!(server.count("/status/404"), 1);
}

#[test]
fn robots_and_sitemaps_are_read_and_loose_pages_come_last() {
    let site = Sitemaps { linked: 8, loose: 12 };
    let server = Server::start(site);
    let mut survey = Survey::for_site(&server.base());
    survey.sitemaps = true;
    survey.crawl();
    let mut expected = site.allowed_paths();
    expected.sort();
    assert_eq!(survey.indexed(), expected);
    assert_eq!(survey.reason("/secret/1.html"), Reason::Robots);
    assert_eq!(server.count("/secret/1.html"), 0);
    assert_eq!(survey.addresses()["/loose/3.html"].depth, Depth::LOOSE);
    let asked = server.total();
    survey.crawl();
    assert_eq!(server.total(), asked, "neither robots.txt nor sitemaps are asked for again");
}

fn robots(status: u16) -> Survey {
    let server = Box::leak(Box::new(Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::status(status),
        _ => Answer::html("<p>hello"),
    })));
    let mut survey = Survey::for_site(&server.base());
    survey.limits.retries = 0;
    survey.limits.retry_after_s = 0;
    survey.crawl();
    survey
}

#[test]
fn a_host_without_robots_is_open_and_one_that_fails_to_tell_is_closed() {
    assert_eq!(robots(404).reason("/"), Reason::Fetched);
    assert_eq!(robots(403).reason("/"), Reason::Fetched);
    assert_eq!(robots(500).reason("/"), Reason::RobotsUnreachable);
    assert_eq!(robots(429).reason("/"), Reason::RobotsUnreachable);
}

#[test]
fn a_dead_host_is_unreachable_not_closed() {
    let server = Server::start(|_: &Ask| Answer::status(404));
    let base = server.base();
    drop(server);
    let mut survey = Survey::for_site(&base);
    survey.limits.retries = 1;
    survey.crawl();
    assert_eq!(survey.reason("/"), Reason::Refused);
}

#[test]
fn wishes_of_authors_are_respected() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(
            "<title>home</title><a href=/a rel=nofollow>a</a><a href=/b>b</a><a href=/c>c</a><img src=/i.png>
             <form action=/find><input name=q></form><a href='http://['>bad</a><a href=mailto:x@y>m</a>",
        ),
        "/b" => Answer::html("<meta name=robots content='noindex,nofollow'><a href=/behind-b>x</a>"),
        "/c" => Answer::html("<a href=/behind-c>x</a>").with_header("X-Robots-Tag", "nofollow"),
        _ => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.indexed(), ["/", "/b", "/c"]);
    for path in ["/a", "/behind-b", "/behind-c"] {
        assert_eq!(survey.reason(path), Reason::NoFollow, "{path}");
    }
    assert_eq!(survey.reason("/i.png"), Reason::Asset);
    assert_eq!(survey.reason("/find"), Reason::NotWanted);
    assert_eq!(survey.balance().tally[&Reason::Malformed], 1);
    let mut store = survey.read();
    let b = survey.addresses()["/b"].id;
    let facts = store.page(b).unwrap().unwrap().facts;
    assert!(facts.noindex && facts.nofollow);
}

#[test]
fn a_link_without_nofollow_overcomes_one_with_it() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<a href=/x rel=nofollow>x</a><a href=/y>y</a>"),
        "/y" => Answer::html("<a href=/x>x</a>"),
        "/x" => Answer::html("found"),
        _ => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.indexed(), ["/", "/x", "/y"]);
    assert_eq!(survey.addresses()["/x"].depth, Depth(2));
}

#[test]
fn what_is_not_named_may_not_be_private() {
    let other = Server::start(|_: &Ask| Answer::html("private"));
    let place = other.base().replace("127.0.0.1", "127.0.0.2");
    let server = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(format!("<a href='{place}/'>x</a> <a href='/go'>y</a>")),
        "/go" => Answer::redirect(302, &format!("{place}/secret")),
        _ => Answer::status(404),
    });
    let mut survey = Survey::for_site(&server.base());
    survey.scope = ScopeKind::Any;
    survey.crawl();
    let refused = survey.addresses().into_values().filter(|row| row.reason == Reason::PrivateAddress).count();
    assert_eq!(refused, 2);
}
