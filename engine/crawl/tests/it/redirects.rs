//! Redirects: chains are kept, loops are named, nothing is fetched twice.

use groma_model::{Depth, Reason};
use groma_testweb::sites::Redirects;
use groma_testweb::{Answer, Ask, Server};

use crate::surveying::Survey;

#[test]
fn chains_loops_and_oddities() {
    let server = Server::start(Redirects::default());
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    let all = survey.addresses();
    for length in [1, 2, 5, 20] {
        let start = &all[&format!("/chain/{length}/0")];
        assert_eq!(start.reason, Reason::Redirected, "{length}");
        let end = &all[&format!("/chain/{length}/{length}")];
        assert_eq!((end.reason, end.depth), (Reason::Fetched, Depth(1)), "{length}");
    }
    assert_eq!(all["/chain/21/20"].reason, Reason::RedirectChain);
    assert_eq!(all["/chain/21/0"].reason, Reason::Redirected);
    for code in [301, 302, 303, 307, 308] {
        assert_eq!(all[&format!("/landed/{code}")].reason, Reason::Fetched);
        assert_eq!(all[&format!("/code/{code}")].alias_of, Some(all[&format!("/landed/{code}")].id));
    }
    let in_circle = [all["/loop/a"].reason, all["/loop/b"].reason];
    assert!(in_circle.contains(&Reason::RedirectLoop) && in_circle.contains(&Reason::Redirected), "{in_circle:?}");
    assert_eq!(all["/loop/self"].reason, Reason::RedirectLoop);
    assert!(all.values().any(|row| row.reason == Reason::RedirectChain && row.url.contains("/loop/grow")));
    for odd in ["none", "bad", "file", "mail"] {
        assert_eq!(all[&format!("/odd/{odd}")].reason, Reason::BadRedirect, "{odd}");
    }
    assert_eq!(all["/away"].reason, Reason::Redirected);
    assert_eq!(all["http://elsewhere.invalid/"].reason, Reason::OutOfScope);
    assert!(server.asked().values().all(|n| *n == 1), "each URL is asked for once");
}

#[test]
fn a_start_page_that_moves_takes_the_scope_along() {
    let target = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/start" => Answer::html("<a href=/next>n</a>"),
        "/next" => Answer::html("next"),
        _ => Answer::status(404),
    });
    let place = format!("{}/start", target.base());
    let server = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/" => Answer::redirect(301, &place),
        _ => Answer::status(404),
    });
    // Another port of this machine is another service: nothing leads there unless it was named.
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!((survey.indexed().len(), target.total()), (0, 0));
    let mut survey = Survey::for_site(&server.base());
    survey.own.push(target.base().parse().unwrap());
    survey.crawl();
    assert_eq!(survey.indexed().len(), 2);
    survey.crawl();
    assert_eq!(target.count("/next"), 1);
}

#[test]
fn a_redirect_to_another_spelling_of_the_same_page_is_followed() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::redirect(302, "/?PHPSESSID=abc"),
        "/?PHPSESSID=abc" => Answer::html("<a href='/two?PHPSESSID=abc'>x</a>"),
        "/two?PHPSESSID=abc" => Answer::html("two"),
        _ => Answer::status(404),
    });
    let survey = Survey::for_site(&server.base());
    survey.crawl();
    assert_eq!(survey.indexed(), ["/", "/two"], "the page is known without the session it is fetched with");
}
