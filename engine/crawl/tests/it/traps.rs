//! Traps are contained: the crawl ends by itself, says what it suspects, and has every real page.

use groma_model::Reason;
use groma_store::Snapshot;
use groma_testweb::sites::{Babble, Calendar, EndlessPath, Facets};
use groma_testweb::{Answer, Ask, Server, Web};

use crate::surveying::Survey;

fn contained(site: impl Web, real: Vec<String>, most: u64, finding: bool, limits: &[(&str, u64)]) -> Survey {
    let server = Server::start(site);
    let mut survey = Survey::for_site(&server.base());
    for (key, value) in limits {
        assert!(survey.limits.set(key, *value));
    }
    survey.crawl();
    assert!(server.total() <= most, "{} requests", server.total());
    let all = survey.addresses();
    for path in real {
        assert_eq!(all[&path].reason, Reason::Fetched, "{path}");
    }
    let traps: Vec<_> = survey.read().findings().unwrap().into_iter().filter(|f| f.kind == "trap").collect();
    assert_eq!(!traps.is_empty(), finding);
    // The count that was seen is named, and no more pages were asked for than that and the limit let through.
    for trap in &traps {
        let number = |part: &str| part.split_once(" page")?.0.replace(',', "").parse::<u64>().ok();
        let pages = trap.detail.split(": ").find_map(number).unwrap_or_else(|| panic!("{}", trap.detail));
        assert!(pages > 0 && pages <= server.total(), "{} of {}", trap.detail, server.total());
    }
    survey
}

#[test]
fn a_calendar_without_end() {
    for in_query in [false, true] {
        let site = Calendar { in_query, ..Calendar::default() };
        contained(site, site.real_paths(), 6_000, true, &[]);
    }
}

#[test]
fn facets_in_every_combination() {
    let site = Facets::default();
    contained(site, site.real_paths(), 2_500, true, &[]);
}

#[test]
fn a_path_that_repeats_itself() {
    let site = EndlessPath::default();
    let survey = contained(site, site.real_paths(), 100, false, &[]);
    assert!(survey.balance().tally[&Reason::EndlessPath] > 0);
}

#[test]
fn relative_links_that_go_wrong_in_several_ways() {
    let site = |ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::status(404),
        "/contact" => Answer::html("how to reach us"),
        _ => Answer::html(
            "Welcome to our shop <a href='shop/'>s</a> <a href='about/'>a</a> <a href=b/>b</a> <a href=/contact>c</a>",
        ),
    };
    contained(site, vec!["/".into(), "/shop/".into(), "/contact".into()], 500, true, &[]);
}

#[test]
fn a_dull_list_is_no_trap() {
    let site = |ask: &Ask| match ask.path.strip_prefix("/user/").and_then(|n| n.parse::<u32>().ok()) {
        Some(n) if n % 100 == 50 => Answer::html(format!("a real user <a href=/works/{n}>works</a>")),
        Some(_) => Answer::html("this user has written nothing yet <a href=/>home</a>"),
        None if ask.path == "/" => {
            Answer::html((0..700).map(|n| format!("<a href=/user/{n}>{n}</a> ")).collect::<String>())
        }
        None if ask.path.starts_with("/works/") => Answer::html(format!("works at {}", ask.path)),
        None => Answer::status(404),
    };
    let server = Server::start(site);
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.indexed().len(), 1 + 700 + 7);
}

#[test]
fn an_archive_of_figures_is_no_trap() {
    let server = Server::start(|ask: &Ask| match ask.path.strip_prefix("/day/").and_then(|n| n.parse::<u32>().ok()) {
        Some(n) if n < 300 => {
            Answer::html(format!("temperature {} rain {} <a href=/day/{}>next</a>", n % 30, n * 7 % 13, n + 1))
        }
        Some(_) => Answer::html("the end"),
        None if ask.path == "/" => Answer::html("<a href=/day/1>begin</a>"),
        None => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.indexed().len(), 301);
}

#[test]
fn babble_is_stopped_by_number() {
    let site = Babble::default();
    contained(site, site.real_paths(), 3_000, true, &[("pattern_fetches", 2_000)]);
}
