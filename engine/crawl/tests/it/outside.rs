//! Links that lead out: manners, redirects, HEAD that lies, going on, asking again.

use std::collections::BTreeMap;

use groma_crawl::End;
use groma_model::{Method, Reason};

use crate::mock::{Survey, answer, html, links, status, text};

/// What each URL answered, by the URL.
fn told(survey: &Survey) -> BTreeMap<String, (Reason, u16)> {
    survey.outside().into_iter().map(|answer| (answer.url, (answer.reason, answer.status))).collect()
}

/// A site that links to these, each on a host of its own.
fn site(answers: impl Fn(&str, &Method) -> groma_model::Outcome + Send + Sync + 'static, targets: &[&str]) -> Survey {
    let home = html(&links(targets));
    Survey::for_web(move |ask| match ask.path {
        "/" => home.clone(),
        path if path.ends_with("/robots.txt") && !path.starts_with("http://robots.") => status(404),
        path => answers(path, &ask.request.method),
    })
}

#[test]
fn each_link_is_asked_once_and_only_get_says_that_something_is_not_there() {
    let targets =
        ["http://b.test/ok", "http://b.test/gone", "http://c.test/lies", "http://d.test/away", "http://b.test/ok"];
    let answers = |path: &str, method: &Method| match (path, method) {
        ("http://c.test/lies", Method::Head) => status(405),
        ("http://b.test/ok" | "http://c.test/lies" | "http://e.test/", _) => html(""),
        ("http://d.test/away", _) => answer(301, &[("location", "http://e.test/#x")], ""),
        _ => status(404),
    };
    let survey = site(answers, &targets);
    assert_eq!(survey.crawl(), End::Finished);
    let before = survey.web.asked().len();
    assert_eq!(survey.ask_outside(None), End::Finished);
    let expected = [
        ("http://b.test/gone", (Reason::NotFound, 404)),
        ("http://b.test/ok", (Reason::Fetched, 200)),
        ("http://c.test/lies", (Reason::Fetched, 200)),
        ("http://d.test/away", (Reason::Redirected, 301)),
        ("http://e.test/", (Reason::Fetched, 200)),
    ];
    assert_eq!(told(&survey), expected.map(|(url, told)| (url.to_owned(), told)).into());
    let asked = survey.web.asked()[before..].to_vec();
    let times = |url: &str| asked.iter().filter(|asked| *asked == url).count();
    assert_eq!(["http://b.test/ok", "http://e.test/", "http://d.test/away"].map(times), [1, 1, 1]);
    assert_eq!(["http://b.test/gone", "http://c.test/lies"].map(times), [2, 2], "HEAD, then GET");
    assert_eq!(["b", "c", "d", "e"].map(|host| times(&format!("http://{host}.test/robots.txt"))), [1; 4]);
    assert_eq!(survey.reason("http://b.test/gone"), Reason::OutOfScope, "it is no page of the survey");
}

#[test]
fn what_was_there_lately_is_not_asked_again_and_what_was_not_is() {
    let answers = |path: &str, _: &Method| if path.ends_with("/ok") { html("") } else { status(404) };
    let survey = site(answers, &["http://b.test/ok", "http://b.test/gone"]);
    survey.crawl();
    survey.ask_outside(None);
    let before = survey.web.asked().len();
    survey.ask_outside(None);
    let asked = survey.web.asked()[before..].to_vec();
    assert!(!asked.contains(&"http://b.test/ok".to_owned()), "{asked:?}");
    assert!(asked.contains(&"http://b.test/gone".to_owned()), "{asked:?}");
}

#[test]
fn robots_txt_is_obeyed_and_who_is_not_asked_is_not_broken() {
    let answers = |path: &str, _: &Method| match path {
        "http://robots.test/robots.txt" => text("User-agent: *\nDisallow: /private"),
        "http://robots.closed.test/robots.txt" => status(503),
        path if path.contains("/private") || path.contains("closed") => panic!("{path} is asked"),
        _ => html(""),
    };
    let survey =
        site(answers, &["http://robots.test/private/x", "http://robots.test/public", "http://robots.closed.test/x"]);
    survey.crawl();
    survey.ask_outside(None);
    let told = told(&survey);
    assert_eq!(told["http://robots.test/private/x"].0, Reason::Robots);
    assert_eq!(told["http://robots.test/public"].0, Reason::Fetched);
    assert_eq!(told["http://robots.closed.test/x"].0, Reason::RobotsUnreachable);
}

#[test]
fn a_sample_is_as_large_as_was_said_and_goes_on_with_others() {
    let targets: Vec<String> = (0..40).map(|n| format!("http://h{}.test/{n}", n % 7)).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let survey = site(|_, _| html(""), &targets);
    survey.crawl();
    survey.ask_outside(Some(10));
    assert_eq!(told(&survey).len(), 10);
    survey.ask_outside(Some(25));
    assert_eq!(told(&survey).len(), 35);
    survey.ask_outside(None);
    assert_eq!(told(&survey).len(), 40);
}

#[test]
fn whoever_interrupts_loses_nothing_and_the_rest_is_asked_later() {
    let targets: Vec<String> = (0..60).map(|n| format!("http://h{}.test/{n}", n % 5)).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let survey = site(|_, _| html(""), &targets);
    survey.crawl();
    assert_eq!(survey.ask_outside_interrupted_after(20), End::Interrupted);
    let first = told(&survey).len();
    assert!((20..60).contains(&first), "{first}");
    assert_eq!(survey.ask_outside(None), End::Finished);
    assert_eq!(told(&survey).len(), 60);
    let asked = survey.web.asked();
    let twice = targets.iter().filter(|url| asked.iter().filter(|asked| asked == url).count() > 1).count();
    assert!(twice <= 20, "{twice} of what was under way was asked again");
}

#[test]
fn a_server_is_given_its_pause() {
    let mut survey = site(|_, _| html(""), &["http://b.test/1", "http://b.test/2", "http://b.test/3"]);
    survey.crawl();
    survey.delay = std::time::Duration::from_millis(60);
    let before = survey.web.asked().len();
    survey.ask_outside(None);
    let asked = survey.web.asked_after()[before..].to_vec();
    let at: Vec<_> = asked.iter().filter(|(url, _)| url.contains("b.test")).map(|(_, at)| *at).collect();
    assert_eq!(at.len(), 4, "robots.txt, and each link once: {asked:?}");
    assert!(at.windows(2).all(|pair| pair[1] - pair[0] >= std::time::Duration::from_millis(55)), "{at:?}");
}

#[test]
fn names_that_nobody_could_look_up_are_not_broken() {
    let answers = |_: &str, _: &Method| groma_model::Outcome::Failed(groma_model::Failure::NoSuchHost);
    let survey = site(answers, &["http://b.test/", "http://c.test/", "http://never.invalid/"]);
    survey.crawl();
    survey.ask_outside(None);
    assert_eq!(told(&survey), [("http://never.invalid/".to_owned(), (Reason::DnsFailure, 0))].into());
}

#[test]
fn redirects_without_end_are_followed_no_further_than_the_limit() {
    let answers = |path: &str, _: &Method| {
        let number: u32 = path.rsplit('/').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        answer(301, &[("location", &format!("/{}", number + 1))], "")
    };
    let mut survey = site(answers, &["http://b.test/0"]);
    survey.limits.redirects = 5;
    survey.crawl();
    assert_eq!(survey.ask_outside(None), End::Finished);
    assert_eq!(told(&survey).len(), 6, "the link, and five redirects");
    survey.ask_outside(None);
    assert_eq!(told(&survey).len(), 6, "nor any further the next time");
}

#[test]
fn a_redirect_to_a_url_of_any_length_leads_nowhere() {
    let long = format!("/{}", "x".repeat(10_000));
    let survey = site(move |_, _| answer(302, &[("location", &long)], ""), &["http://b.test/0"]);
    survey.crawl();
    survey.ask_outside(None);
    assert_eq!(told(&survey), [("http://b.test/0".to_owned(), (Reason::BadRedirect, 302))].into());
}

#[test]
fn a_server_that_prefers_the_canonical_spelling_is_no_circle() {
    let answers = |path: &str, _: &Method| match path {
        "http://b.test/x?b=1&a=2&utm_source=mail" => answer(301, &[("location", "/x?a=2&b=1")], ""),
        "http://b.test/x?a=2&b=1" => html(""),
        _ => status(404),
    };
    let survey = site(answers, &["http://b.test/x?b=1&amp;a=2&amp;utm_source=mail"]);
    survey.crawl();
    survey.ask_outside(None);
    let told = told(&survey);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told.values().next(), Some(&(Reason::Fetched, 200)), "{told:?}");
}

#[test]
fn a_redirect_to_what_is_broken_is_asked_again() {
    let answers = |path: &str, _: &Method| match path {
        "http://b.test/old" => answer(301, &[("location", "/gone")], ""),
        _ => status(404),
    };
    let survey = site(answers, &["http://b.test/old"]);
    survey.crawl();
    survey.ask_outside(None);
    survey.ask_outside(None);
    assert_eq!(survey.count("http://b.test/old"), 2);
    assert_eq!(survey.count("http://b.test/gone"), 4, "HEAD and GET, both times");
}
