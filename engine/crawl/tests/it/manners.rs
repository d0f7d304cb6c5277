//! robots.txt and pauses: what is asked about, by which URL a page is fetched, and when.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use groma_crawl::End;
use groma_model::url::{Rule, RuleBook, ScopeKind};
use groma_model::{Outcome, Reason};
use groma_testweb::Server;
use groma_testweb::sites::Forbidden;
use texting_robots::Robot;

use crate::mock::{Survey, answer, html, links, missing, redirect, text};
use crate::surveying::Survey as OverSockets;

/// What was asked for besides robots.txt.
fn asked(survey: &Survey) -> BTreeSet<String> {
    survey.web.asked().into_iter().filter(|path| !path.ends_with("/robots.txt")).collect()
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}

/// A site with this robots.txt whose home page links there.
fn site(rules: &'static str, linked: &'static [&'static str]) -> Survey {
    Survey::for_web(move |ask| match ask.path {
        "/robots.txt" => text(&format!("User-agent: *\n{rules}")),
        "/" => html(&links(linked)),
        path => html(path),
    })
}

#[test]
fn robots_is_asked_about_the_url_as_it_was_linked() {
    let rules = "Disallow: /?s=\nDisallow: /index.php?title=Special\nDisallow: /*?sort=\nDisallow: /*;jsessionid\n\
                 Disallow: /*?utm_";
    let linked = &[
        "/?s=foo&cat=1",
        "/index.php?title=Special:Log&action=x",
        "/list?sort=a&page=2",
        "/a;jsessionid=1?x=1",
        "/b?utm_source=x",
        "/c?b=1&a=2",
    ];
    let survey = site(rules, linked);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(asked(&survey), set(&["/", "/c?b=1&a=2"]), "and what may be fetched is fetched as it was linked");
    let kept_out = ["/?cat=1&s=foo", "/index.php?action=x&title=Special:Log", "/list?page=2&sort=a", "/a?x=1", "/b"];
    assert_eq!(survey.with_reason(Reason::Robots), set(&kept_out));
    assert_eq!(survey.reason("/c?a=2&b=1"), Reason::Fetched);
    assert_eq!(survey.update(), End::Finished);
    assert_eq!(asked(&survey), set(&["/", "/c?b=1&a=2"]));
}

#[test]
fn a_page_is_fetched_by_the_spelling_that_is_allowed() {
    // Before its robots.txt is known, from other pages after it, and for both orders of forbidden and allowed.
    let survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => text("User-agent: *\nDisallow: /*?s=\nDisallow: /*?b=\n"),
        "/" => html(&links(["/x?s=1&a=1", "/y?b=1&c=1", "/z?a=1&s=2", "/w?b=9", "/more"])),
        "/more" => html(&links(["/x?a=1&s=1", "/y?c=1&b=1", "/z?s=2&a=1", "/last"])),
        "/last" => html(&links(["/w?&b=9", "/x?s=1&a=1"])),
        path => html(path),
    });
    assert_eq!(survey.crawl(), End::Finished);
    let fetched = ["/", "/more", "/last", "/x?a=1&s=1", "/y?c=1&b=1", "/z?a=1&s=2", "/w?&b=9"];
    assert_eq!(asked(&survey), set(&fetched));
    assert_eq!(survey.with_reason(Reason::Robots), set(&[]));
    survey.update();
    assert_eq!(asked(&survey), set(&fetched), "and by the same ones again");
}

#[test]
fn spellings_that_were_linked_before_robots_was_known_are_kept() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&links(["http://b.test/x?s=1&a=1", "/one"])),
        "/one" => html(&links(["http://b.test/x?a=1&s=1"])),
        "http://b.test/robots.txt" => text("User-agent: *\nDisallow: /*?s=\n"),
        "/robots.txt" => missing(),
        path => html(path),
    });
    survey.scope = ScopeKind::Any;
    // The home page and /one are read before anything of the other host is asked for.
    assert_eq!(survey.crawl_interrupted_after(1), End::Interrupted);
    assert_eq!(survey.crawl(), End::Finished);
    assert!(asked(&survey).contains("http://b.test/x?a=1&s=1"), "{:?}", asked(&survey));
    assert!(!asked(&survey).contains("http://b.test/x?s=1&a=1"));
}

#[test]
fn no_more_spellings_are_kept_than_the_limit_allows() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => missing(),
        "/" => html(&links((0..20).map(|n| format!("http://b.test/x?s=1&a=1&utm_source={n}")))),
        "http://b.test/robots.txt" => text("User-agent: *\nDisallow: /\n"),
        path => html(path),
    });
    survey.scope = ScopeKind::Any;
    survey.crawl();
    let mut store = survey.read();
    let mut most = 0;
    store.each_linked(&mut |_, urls| most = most.max(urls.lines().count() as u64)).unwrap();
    assert!(most <= survey.limits.robots_forms, "{most}");
}

#[test]
fn where_a_written_rule_makes_another_url_both_must_be_allowed() {
    let rule = Rule {
        path: "/p".into(),
        required: vec!["id".into()],
        default: [("lang".to_owned(), "cz".to_owned())].into(),
        ..Rule::default()
    };
    for (rules, fetched) in
        [("Disallow: /p?id=1&lang=", &[][..]), ("Disallow: /p?x=", &[]), ("Disallow: /q", &["/p?id=1&lang=cz"])]
    {
        let mut survey = site(rules, &["/p?x=9&id=1"]);
        survey.book = RuleBook::new(vec![rule.clone()], &[]).unwrap();
        survey.crawl();
        assert_eq!(
            asked(&survey),
            [&["/"], fetched].concat().iter().map(|path| (*path).to_owned()).collect(),
            "{rules}"
        );
    }
}

#[test]
fn redirects_and_sitemaps_and_header_links_are_judged_by_their_own_spelling() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => text("User-agent: *\nDisallow: /*?z=\n"),
        "/" => answer(
            200,
            &[("content-type", "text/html"), ("link", "</h?z=1&a=1>; rel=next, </i?b=1&a=1>; rel=next")],
            &links(["/r", "/s", "/t"]),
        ),
        "/r" => redirect("/x?z=1&a=1"),
        "/s" => redirect("/y?b=1&a=1"),
        "/t" => redirect("/t?utm_source=1"),
        "/t?utm_source=1" => redirect("/t?utm_source=1&z=2"),
        "/sitemap.xml" => answer(
            200,
            &[("content-type", "application/xml")],
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.test/m?z=1&amp;a=1</loc></url>\
             <url><loc>http://a.test/n?c=1&amp;a=1</loc></url></urlset>",
        ),
        path => html(path),
    });
    survey.sitemaps = true;
    survey.crawl();
    let fetched = [
        "/",
        "/r",
        "/s",
        "/t",
        "/t?utm_source=1",
        "/t?utm_source=1&z=2",
        "/y?b=1&a=1",
        "/sitemap.xml",
        "/n?c=1&a=1",
        "/i?b=1&a=1",
    ];
    assert_eq!(asked(&survey), set(&fetched));
    assert_eq!(survey.with_reason(Reason::Robots), set(&["/x?a=1&z=1", "/m?a=1&z=1", "/h?a=1&z=1"]));
}

#[test]
fn a_redirect_to_a_forbidden_spelling_of_the_same_page_is_not_followed() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => text("User-agent: *\nDisallow: /*utm_\n"),
        "/" => html(&links(["/t", "/u?b=1&a=1"])),
        "/t" => redirect("/t?utm_source=1"),
        // To a spelling that is allowed: from now on that one is asked for.
        "/u?b=1&a=1" => redirect("/u?a=1&b=1"),
        path => html(path),
    });
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/", "/t", "/u?b=1&a=1", "/u?a=1&b=1"]));
    assert_eq!((survey.reason("/t"), survey.reason("/u?a=1&b=1")), (Reason::Robots, Reason::Fetched));
    survey.update();
    assert_eq!((survey.count("/u?b=1&a=1"), survey.count("/u?a=1&b=1")), (1, 2));
}

#[test]
fn a_start_page_is_asked_for_as_it_was_given() {
    let mut survey = site("Disallow: /s?b=\n", &[]);
    survey.seeds = vec!["http://a.test/s?c=1&a=1", "http://a.test/s?b=1&a=1"];
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/s?c=1&a=1"]));
}

#[test]
fn relative_links_hang_on_the_url_that_was_fetched() {
    let survey = Survey::for_web(|ask| match ask.path {
        "/" => html(&links(["/p?b=1&a=1"])),
        "/p?b=1&a=1" => html("<a href='#x'>same</a> <a href='?c=1'>query</a>"),
        _ => html("x"),
    });
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/", "/p?b=1&a=1", "/p?c=1"]));
}

#[test]
fn a_session_that_has_expired_takes_no_page_along() {
    let survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/robots.txt", _) => missing(),
        ("/", _) => html(&links(["/p?PHPSESSID=1&id=1"])),
        ("/p?PHPSESSID=1&id=1", 0) | ("/p?id=1", _) => html("the page"),
        _ => missing(),
    });
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/", "/p?PHPSESSID=1&id=1"]));
    survey.next_epoch();
    survey.update();
    assert_eq!(survey.reason("/p?id=1"), Reason::Fetched);
}

/// Each start comes at least this long after the one before.
fn assert_apart(survey: &Survey, pause: Duration) {
    let asked = survey.web.asked_after();
    for pair in asked.windows(2) {
        // A little less: the web in memory notes when it is asked, and the pause is counted in whole milliseconds.
        assert!(pair[1].1 + Duration::from_millis(3) >= pair[0].1 + pause, "{asked:?}");
    }
}

#[test]
fn the_first_page_and_every_sitemap_keep_the_pause() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => text("User-agent: *\nCrawl-delay: 0.3\nSitemap: /index.xml\n"),
        "/" => html("home"),
        "/index.xml" => answer(
            200,
            &[("content-type", "application/xml")],
            "<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/two.xml</loc></sitemap></sitemapindex>",
        ),
        "/one.xml" => redirect("/three.xml"),
        _ => answer(200, &[("content-type", "application/xml")], "<urlset><url><loc>/x</loc></url></urlset>"),
    });
    survey.sitemaps = true;
    survey.crawl();
    let names = ["/robots.txt", "/", "/index.xml", "/one.xml", "/three.xml", "/two.xml", "/x"];
    assert_eq!(survey.web.asked(), names);
    assert_apart(&survey, Duration::from_millis(300));
    let mut plain = Survey::for_web(|ask| if ask.path == "/" { html("home") } else { missing() });
    (plain.sitemaps, plain.delay) = (true, Duration::from_millis(200));
    plain.crawl();
    assert_eq!(plain.web.asked(), ["/robots.txt", "/", "/sitemap.xml"]);
    assert_apart(&plain, Duration::from_millis(200));
}

#[test]
fn a_sitemap_that_is_forbidden_is_not_read_whether_guessed_or_named() {
    for (rules, sitemap) in
        [("Disallow: /sitemap", ""), ("Disallow: /named", "Sitemap: /named.xml\n"), ("Disallow: /", "")]
    {
        let mut survey = Survey::for_web(move |ask| match ask.path {
            "/robots.txt" => text(&format!("User-agent: *\n{rules}\n{sitemap}")),
            "/" => html("home"),
            _ => missing(),
        });
        survey.sitemaps = true;
        survey.crawl();
        let home: &[&str] = if rules == "Disallow: /" { &[] } else { &["/"] };
        assert_eq!(asked(&survey), set(home), "{rules}");
    }
}

#[test]
fn what_was_wrong_with_a_sitemap_is_forgotten_once_it_is_right() {
    let mut survey = Survey::for_web(|ask| match (ask.path, ask.epoch) {
        ("/robots.txt", _) => text("Sitemap: /map.xml\n"),
        ("/", _) => html("home"),
        ("/map.xml", 0) => text("<urlset><url><loc>/a</loc></url><url><loc>/b"),
        ("/map.xml", _) => text("<urlset><url><loc>/a</loc></url></urlset>"),
        ("/a", _) => html("a"),
        _ => missing(),
    });
    survey.sitemaps = true;
    survey.crawl();
    let found = |survey: &Survey| -> Vec<String> {
        let all = survey.read().findings().unwrap();
        all.into_iter().filter(|f| f.kind == "sitemap").map(|f| f.detail).collect()
    };
    assert_eq!(found(&survey).len(), 1, "{:?}", found(&survey));
    survey.next_epoch();
    survey.update();
    assert_eq!(found(&survey), [""; 0]);
}

#[test]
fn sitemaps_elsewhere_are_read_after_the_robots_txt_there() {
    let mut survey = Survey::for_web(|ask| match ask.path {
        "/robots.txt" => {
            text("Sitemap: http://b.test/open.xml\nSitemap: http://b.test/closed.xml\nSitemap: /moved.xml\n")
        }
        "/moved.xml" => redirect("http://b.test/closed/too.xml"),
        "/" => html("home"),
        "http://b.test/robots.txt" => text("User-agent: *\nDisallow: /closed\n"),
        "http://b.test/open.xml" => answer(200, &[], "<urlset><url><loc>http://a.test/x</loc></url></urlset>"),
        path => html(path),
    });
    survey.sitemaps = true;
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/", "http://b.test/open.xml", "/moved.xml", "/x"]));
    assert_eq!(survey.count("http://b.test/robots.txt"), 1);
}

#[test]
fn the_name_we_go_by_decides_which_group_applies() {
    let web = || {
        Survey::for_web(|ask| match ask.path {
            "/robots.txt" => text("User-agent: groma\nDisallow: /a\n\nUser-agent: MyBot\nDisallow: /b\n"),
            "/" => html(&links(["/a", "/b", "/c"])),
            "/c" => html("<meta name=mybot content='noindex, nofollow'><a href=/d>d</a>"),
            path => html(path),
        })
    };
    let mut survey = web();
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/", "/b", "/c", "/d"]));
    // By another name, what was forbidden then is asked about again.
    survey.agent = "mybot";
    survey.crawl();
    assert_eq!(survey.reason("/a"), Reason::Fetched);
    let mut survey = web();
    survey.agent = "mybot";
    survey.crawl();
    assert_eq!(asked(&survey), set(&["/", "/a", "/c"]));
    assert_eq!(survey.reason("/d"), Reason::NoFollow);
}

/// A site whose robots.txt answers so, a few times, and is there then.
fn late(status: u16, wait: &'static str, times: u32) -> Survey {
    let count = AtomicU32::new(0);
    let web = move |path: &str| -> Outcome {
        match path {
            "/robots.txt" if count.fetch_add(1, Ordering::SeqCst) < times => {
                answer(status, &[("retry-after", wait)], "")
            }
            "/robots.txt" => text("User-agent: *\nDisallow: /no\n"),
            "/" => html(&links(["/no", "/yes"])),
            _ => html("x"),
        }
    };
    let mut survey = Survey::for_web(move |ask| web(ask.path));
    survey.limits.retry_after_s = 2;
    survey.limits.retries = 3;
    survey
}

#[test]
fn a_robots_txt_that_asks_us_to_wait_is_asked_for_again() {
    for (status, wait) in [(503, "1"), (429, "1"), (500, "0")] {
        let survey = late(status, wait, 2);
        assert_eq!(survey.crawl(), End::Finished);
        assert_eq!(survey.count("/robots.txt"), 3, "{status}");
        assert_eq!(asked(&survey), set(&["/", "/yes"]), "{status}");
        let first = survey.web.asked_after().into_iter().find(|(path, _)| path == "/").unwrap().1;
        assert!(first >= Duration::from_secs(2 * wait.parse::<u64>().unwrap()), "{first:?}");
    }
}

#[test]
fn a_robots_txt_that_does_not_come_back_leaves_its_pages_unknown_and_says_why() {
    let survey = late(503, "0", 100);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!((survey.count("/robots.txt"), survey.reason("/")), (4, Reason::RobotsUnreachable));
    let note = |survey: &Survey| {
        let page = survey.address("/").id;
        survey.read().page(page).unwrap().unwrap().facts.note
    };
    assert_eq!(note(&survey), "robots.txt answered with status 503, 4 times; it asks to wait 0 s");
    let patient = late(503, "86400", 1);
    assert_eq!(patient.crawl(), End::Finished);
    assert_eq!((patient.count("/robots.txt"), patient.reason("/")), (1, Reason::RobotsUnreachable));
    assert!(
        note(&patient).contains("asks to wait 86,400 s, longer than limits.retry_after_s (2 s)"),
        "{}",
        note(&patient)
    );
    assert_eq!(patient.read().balance().unwrap().limits.get("retry_after_s"), Some(&1));
    // And the next time it is asked again.
    patient.update();
    assert_eq!((patient.reason("/"), patient.reason("/yes")), (Reason::Fetched, Reason::Fetched));
}

#[test]
fn pages_stay_queued_while_a_robots_txt_is_waited_for() {
    let mut survey = late(503, "60", 1);
    survey.limits.retry_after_s = 100;
    let interrupt = Arc::clone(&survey.interrupt);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        interrupt.store(true, Ordering::SeqCst);
    });
    assert_eq!(survey.crawl(), End::Interrupted);
    assert_eq!((survey.reason("/"), survey.address("/").queued), (Reason::Waiting, true));
    survey.interrupt.store(false, Ordering::SeqCst);
    assert_eq!(survey.crawl(), End::Finished);
    assert_eq!(survey.reason("/yes"), Reason::Fetched);
}

#[test]
fn another_reader_of_robots_txt_finds_no_fault_with_what_was_asked_for() {
    for seed in 0..6 {
        let site = Arc::new(Forbidden::new(seed, 150));
        let server = Server::start(Arc::clone(&site));
        let mut survey = OverSockets::for_site(&format!("{}/", server.base()));
        survey.sitemaps = true;
        survey.crawl();
        survey.update();
        let reader = Robot::new("groma", site.robots().as_bytes()).unwrap();
        let judged = site.judge(&|path| reader.allowed(&format!("http://site.example{path}")));
        let right = judged.violations.is_empty() && judged.unlinked.is_empty() && judged.missed.is_empty();
        assert!(right && judged.forbidden > 0 && judged.allowed > 10, "seed {seed}: {judged:#?}\n{}", site.robots());
    }
}
