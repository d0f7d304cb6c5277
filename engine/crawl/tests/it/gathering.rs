//! Questions that no page links to: manners, order, going on, asking again.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use groma_crawl::End;
use groma_model::{Method, Reason, Request};
use groma_strategy::{Answer, Ask, AskPlan, Asker};
use groma_url::Url;

use crate::mock::{Survey, answer, html, redirect, status, text};

type Told = Arc<Mutex<Vec<(String, Reason, String)>>>;

/// Asks these at once, and after an answer whose body is a number, the question of that number.
#[derive(Clone, Default)]
struct Script {
    first: Vec<&'static str>,
    told: Told,
    /// It was told so many that nothing had changed.
    unchanged: Arc<AtomicU32>,
}

impl Script {
    fn starting_with(first: &[&'static str]) -> Script {
        Script { first: first.to_vec(), ..Script::default() }
    }

    fn told(&self) -> Vec<(String, Reason, String)> {
        self.told.lock().unwrap().clone()
    }

    fn ask(path: &str) -> Ask {
        let url = Url::parse("http://a.test/").unwrap().join(path).unwrap();
        Ask { key: path.to_owned(), request: Request::get(url), about: path.to_owned(), operate: false }
    }
}

impl Asker for Script {
    fn begin(&mut self, plan: &mut AskPlan) {
        self.first.iter().for_each(|path| plan.ask(Script::ask(path)));
    }

    fn answer(&mut self, answer: &Answer<'_>, plan: &mut AskPlan) {
        let body = String::from_utf8_lossy(answer.body).into_owned();
        self.unchanged.fetch_add(u32::from(answer.unchanged), Ordering::SeqCst);
        self.told.lock().unwrap().push((answer.key.to_owned(), answer.reason, body.clone()));
        if body.parse::<u32>().is_ok() {
            plan.ask(Script::ask(&format!("/{body}")));
        }
    }
}

#[test]
fn answers_are_told_in_the_order_of_the_questions_and_lead_to_more() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => text("User-agent: *\nDisallow: /secret"),
        "/a" => html("7"),
        "/7" => html("seven"),
        "/moved" => redirect("/there"),
        "/there" => html("there"),
        "/away" => redirect("http://b.test/"),
        "/round" => redirect("/round"),
        "/b" => html("b"),
        _ => status(404),
    });
    let script =
        Script::starting_with(&["/a", "/secret", "/moved", "/away", "/round", "http://b.test/x", "/none", "/b"]);
    assert_eq!(survey.gather_with(script.clone(), None), End::Finished);
    let told = script.told();
    let told: Vec<_> = told.iter().map(|(key, reason, body)| (key.as_str(), *reason, body.as_str())).collect();
    assert_eq!(
        told,
        [
            ("/a", Reason::Fetched, "7"),
            ("/secret", Reason::Robots, ""),
            ("/moved", Reason::Fetched, "there"),
            ("/away", Reason::OutOfScope, ""),
            ("/round", Reason::RedirectLoop, ""),
            ("http://b.test/x", Reason::OutOfScope, ""),
            ("/none", Reason::NotFound, ""),
            ("/b", Reason::Fetched, "b"),
            ("/7", Reason::Fetched, "seven"),
        ]
    );
    assert!(survey.web.asked().iter().all(|asked| asked.starts_with('/')), "nobody else is asked");
    assert_eq!(survey.count("/secret"), 0);
    assert_eq!(survey.count("/robots.txt"), 1);
}

#[test]
fn what_was_answered_is_not_asked_again_and_a_budget_can_grow() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => status(404),
        "/9" => html("end"),
        path => html(&(path[1..].parse::<u32>().unwrap() + 1).to_string()),
    });
    let script = Script::starting_with(&["/0"]);
    for most in [3, 3, 5] {
        assert_eq!(survey.gather_with(script.clone(), Some(most)), End::PageLimit);
    }
    assert_eq!(survey.gather_with(script.clone(), None), End::Finished);
    for number in 0..=9 {
        assert_eq!(survey.count(&format!("/{number}")), 1, "{number}");
    }
    let whole: Vec<_> = script.told().into_iter().rev().take(10).map(|told| told.0).collect();
    assert_eq!(whole, ["/9", "/8", "/7", "/6", "/5", "/4", "/3", "/2", "/1", "/0"]);
}

#[test]
fn after_its_end_everything_is_asked_again_but_conditionally() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => status(404),
        "/same" if ask.request.validators.as_ref().is_some_and(|known| known.etag.as_deref() == Some("\"1\"")) => {
            status(304)
        }
        "/same" => answer(200, &[("etag", "\"1\"")], "same"),
        _ => answer(200, &[("etag", "\"x\"")], &format!("epoch-{}", ask.epoch)),
    });
    let script = Script::starting_with(&["/same", "/other"]);
    assert_eq!(survey.gather_with(script.clone(), None), End::Finished);
    survey.next_epoch();
    assert_eq!(survey.gather_with(script.clone(), None), End::Finished);
    let bodies: Vec<_> = script.told().into_iter().map(|told| told.2).collect();
    assert_eq!(bodies, ["same", "epoch-0", "same", "epoch-1"]);
    assert_eq!(script.unchanged.load(Ordering::SeqCst), 1);
    assert_eq!((survey.count("/same"), survey.count("/other")), (2, 2));
}

#[test]
fn a_busy_server_is_asked_again_and_a_dead_one_is_a_finding() {
    let busy = AtomicU32::new(0);
    let mut survey = Survey::for_web(move |ask| match ask.path {
        "/robots.txt" => status(404),
        "/busy" if busy.fetch_add(1, Ordering::SeqCst) < 2 => answer(429, &[("retry-after", "0")], ""),
        "/busy" => html("at last"),
        _ => status(503),
    });
    survey.limits.retries = 3;
    let script = Script::starting_with(&["/busy", "/dead"]);
    assert_eq!(survey.gather_with(script.clone(), None), End::Finished);
    assert_eq!(script.told()[0].2, "at last");
    assert_eq!(script.told()[1].1, Reason::ServerError);
    assert_eq!((survey.count("/busy"), survey.count("/dead")), (3, 4));
}

#[test]
fn what_is_posted_is_posted_with_its_body() {
    struct Posting(Told);
    impl Asker for Posting {
        fn begin(&mut self, plan: &mut AskPlan) {
            let url = Url::parse("http://a.test/post").unwrap();
            let request = Request::post(url, "application/x-www-form-urlencoded", "a=1");
            plan.ask(Ask { key: "p".into(), request, about: "p".into(), operate: false });
        }
        fn answer(&mut self, answer: &Answer<'_>, _plan: &mut AskPlan) {
            let body = String::from_utf8_lossy(answer.body).into_owned();
            self.0.lock().unwrap().push((answer.key.into(), answer.reason, body));
        }
    }
    let survey = Survey::for_web(|ask| match (&ask.request.method, ask.path) {
        (_, "/robots.txt") => status(404),
        (Method::Post { body, .. }, "/post") => html(&format!("got {}", String::from_utf8_lossy(body))),
        _ => status(405),
    });
    let told = Told::default();
    assert_eq!(survey.gather_with(Posting(Arc::clone(&told)), None), End::Finished);
    assert_eq!(told.lock().unwrap()[0].2, "got a=1");
}

#[test]
fn the_first_question_keeps_the_pause_and_a_late_robots_txt_is_waited_for() {
    let count = AtomicU32::new(0);
    let mut survey = Survey::for_web(move |ask| match ask.path {
        "/robots.txt" if count.fetch_add(1, Ordering::SeqCst) == 0 => answer(503, &[("retry-after", "1")], ""),
        "/robots.txt" => text("User-agent: *\nDisallow: /?s=\nCrawl-delay: 0.3\n"),
        path => html(path),
    });
    (survey.limits.retries, survey.limits.retry_after_s) = (3, 5);
    let script = Script::starting_with(&["/?s=1&a=2", "/?a=2&s=1", "/b"]);
    assert_eq!(survey.gather_with(script.clone(), None), End::Finished);
    let reasons: Vec<Reason> = script.told().iter().map(|(_, reason, _)| *reason).collect();
    assert_eq!(reasons, [Reason::Robots, Reason::Fetched, Reason::Fetched]);
    let asked = survey.web.asked_after();
    let paths: Vec<&str> = asked.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["/robots.txt", "/robots.txt", "/?a=2&s=1", "/b"]);
    let least = [1000, 297, 297];
    for (pair, least) in asked.windows(2).zip(least) {
        assert!((pair[1].1 - pair[0].1).as_millis() >= least, "{asked:?}");
    }
}
