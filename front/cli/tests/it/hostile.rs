//! Sites that mean harm, or are simply strange: where they may not lead us, how far they may lead us, and what of them reaches a terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_testweb::{Answer, Ask, Server};
use serde_json::Value;

use crate::crawl::FAST;
use crate::{Desk, Done};

fn crawl(desk: &Desk, start: &str, more: &[&str]) -> Done {
    let done = desk.run(&[&["crawl", start, "--store", "s.groma"], &FAST[..], more].concat());
    assert!(matches!(done.code, 0 | 4), "{} {}", done.out, done.err);
    done
}

fn page<'p>(pages: &'p [Value], url: &str) -> &'p Value {
    pages.iter().find(|page| page["url"] == url).unwrap_or_else(|| panic!("{url} in {pages:#?}"))
}

#[test]
fn nothing_leads_from_a_named_port_to_another_port_of_this_machine() {
    let inside = Server::start(|_: &Ask| Answer::html("<title>secret</title><p>Inside."));
    let port = inside.port();
    let named = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(format!(
            "<link rel=stylesheet href='/a.css'><a href='http://127.0.0.1:{port}/link'>x</a><a href='/moved'>y</a>\
             <iframe src='http://127.0.0.1:{port}/frame'></iframe><img src='http://localhost:{port}/i.png'>\
             <form action='http://127.0.0.1:{port}/form'><input name=q></form>"
        )),
        "/moved" => Answer::redirect(302, &format!("http://127.0.0.1:{port}/moved")),
        "/a.css" => Answer::typed("text/css", format!("@import 'http://127.0.0.1:{port}/b.css';")),
        "/robots.txt" => Answer::text(format!("Sitemap: http://127.0.0.1:{port}/sitemap.xml\n")),
        _ => Answer::status(404),
    });
    for scope in ["any", "domain", "host"] {
        let desk = Desk::new();
        crawl(&desk, &named.base(), &["--scope", scope, "--assets"]);
        assert_eq!(inside.total(), 0, "{scope}: {:?}", inside.asked());
        if scope != "host" {
            let pages = desk.json(&["pages", "-f", "json", "--store", "s.groma"]);
            let link = page(&pages, &format!("http://127.0.0.1:{port}/link"));
            assert_eq!(link["reason"], "private-address", "{link}");
        }
    }
    // Both named: both are reached.
    let desk = Desk::new();
    crawl(&desk, &named.base(), &[&format!("{}/", inside.base()), "--scope", "any"]);
    assert!(inside.count("/link") == 1 && inside.count("/moved") == 1, "{:?}", inside.asked());
}

#[test]
fn a_form_leads_to_no_port_that_was_not_named() {
    let inside = Server::start(|_: &Ask| Answer::html("<p>1 record</p><ul><li>secret</li></ul>"));
    let port = inside.port();
    let named = Server::start(move |ask: &Ask| match ask.bare_path() {
        "/" => Answer::html(format!(
            "<form action='http://127.0.0.1:{port}/find'><select name=a><option>1<option>2</select><input type=submit></form>"
        )),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    for more in [&["--plan"][..], &[]] {
        let start = format!("{}/", named.base());
        desk.run(&[&["gather", &start, "--store", "g.groma", "--delay", "0"], more].concat());
        assert_eq!(inside.total(), 0, "{:?}", inside.asked());
    }
}

#[test]
fn a_form_with_too_much_to_choose_is_refused_before_it_costs_memory() {
    let server = Server::start(|ask: &Ask| match ask.bare_path() {
        "/" => {
            let options: String = (0..50).map(|value| format!("<option value={value}>o{value}</option>")).collect();
            let selects: String = (0..900).map(|name| format!("<select name=s{name}>{options}</select>")).collect();
            Answer::html(format!("<form action=/find>{selects}<input type=submit value=Search></form>"))
        }
        "/find" => Answer::html("<p>0 results"),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let start = format!("{}/", server.base());
    desk.run(&["gather", &start, "--plan", "--store", "g.groma", "--delay", "0"]).is_mistake("larger than any person");
    assert_eq!(server.count("/find"), 0);
}

#[test]
fn a_form_that_sets_too_many_cookies_is_asked_with_those_that_fit_and_that_is_told() {
    let longest = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&longest);
    let server = Server::start(move |ask: &Ask| {
        seen.fetch_max(ask.header("cookie").map_or(0, str::len), Ordering::Relaxed);
        let answer = match ask.bare_path() {
            "/" => {
                Answer::html("<form action=/find><select name=a><option>1<option>2</select><input type=submit></form>")
            }
            "/find" => Answer::html("<ul><li>one<li>two</ul>"),
            _ => return Answer::status(404),
        };
        (0..4).fold(answer, |answer, n| answer.with_header("set-cookie", &format!("c{n}={}", "x".repeat(3_000))))
    });
    let desk = Desk::new();
    let start = format!("{}/", server.base());
    let done = desk.run(&["gather", &start, "--store", "g.groma", "--delay", "0"]);
    let longest = longest.load(Ordering::Relaxed);
    assert!((6_000..=8_192).contains(&longest), "{longest}");
    assert!(done.err.contains("limit reached: cookie_bytes"), "{}", done.err);
}

#[test]
fn a_robots_file_that_redirects_inside_is_blamed_and_not_its_host() {
    let inside = Server::start(|_: &Ask| Answer::text("User-agent: *\nAllow: /\n"));
    let port = inside.port();
    let named = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::redirect(302, &format!("http://127.0.0.1:{port}/robots.txt")),
        _ => Answer::html("<p>Page."),
    });
    let desk = Desk::new();
    let done = desk.run(&[&["crawl", &named.base(), "--store", "s.groma"], &FAST[..]].concat());
    assert_eq!((done.code, inside.total()), (3, 0), "{}", done.err);
    let pages = desk.json(&["pages", "-f", "json", "--store", "s.groma"]);
    let start = page(&pages, &format!("{}/", named.base()));
    assert_eq!(start["reason"], "robots-unreachable");
    let note = start["note"].as_str().unwrap();
    assert!(note.contains(&format!("redirects to http://127.0.0.1:{port}/robots.txt")), "{note}");
    assert!(!note.contains('{') && !note.contains("PrivateAddress"), "{note}");
}

#[test]
fn chains_of_style_sheets_end_and_that_is_told() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<link rel=stylesheet href='/0.css'><p>Page."),
        "/robots.txt" => Answer::status(404),
        path => {
            match path.strip_prefix('/').and_then(|path| path.strip_suffix(".css")).and_then(|n| n.parse::<u64>().ok())
            {
                // Every other one by a redirect.
                Some(n) if n % 2 == 1 => Answer::redirect(302, &format!("/{}.css", n + 1)),
                Some(n) => {
                    Answer::typed("text/css", format!("@import '/{}.css'; a {{ background: url(/{n}.png) }}", n + 1))
                }
                None => Answer::status(404),
            }
        }
    });
    let desk = Desk::new();
    let done = crawl(&desk, &server.base(), &["--assets"]);
    assert!(server.total() < 60, "{}", server.total());
    assert!(done.err.contains("trap suspected"), "{}", done.err);
    let status = desk.status("s.groma");
    assert!(status["limits_hit"].to_string().contains("trap_assets"), "{status}");
}

#[test]
fn sitemap_indexes_of_indexes_end_and_broken_sitemaps_are_told() {
    let index = |names: &[String]| {
        let each: String = names.iter().map(|name| format!("<sitemap><loc>{name}</loc></sitemap>")).collect();
        Answer::typed("text/xml", format!("<sitemapindex>{each}</sitemapindex>"))
    };
    let server = Server::start(move |ask: &Ask| {
        let host = format!("http://{}", ask.header("host").unwrap_or_default());
        match ask.path.as_str() {
            "/" => Answer::html("<p>Page."),
            "/robots.txt" => Answer::text(format!(
                "Sitemap: {host}/i/0.xml\nSitemap: {host}/torn.xml\nSitemap: {host}/gone.xml\nSitemap: {host}/page.xml\n"
            )),
            "/torn.xml" => Answer::typed("text/xml", format!("<urlset><url><loc>{host}/loose</loc></url><url><lo")),
            "/page.xml" => Answer::html("<!doctype html><p>Not found"),
            "/loose" => Answer::html("<p>Loose."),
            path => match path.strip_prefix("/i/").and_then(|path| path.strip_suffix(".xml")) {
                Some(name) => index(&[format!("{host}/i/{name}1.xml"), format!("{host}/i/{name}2.xml")]),
                None => Answer::status(404),
            },
        }
    });
    let desk = Desk::new();
    crawl(&desk, &server.base(), &[]);
    assert!(server.total() < 40, "{:?}", server.asked());
    let status = desk.status("s.groma");
    assert!(status["limits_hit"].to_string().contains("sitemap_depth"), "{status}");
    let findings = status["findings"].to_string();
    for told in ["/torn.xml", "/gone.xml", "/page.xml", "the server answers 404", "it is no sitemap"] {
        assert!(findings.contains(told), "{told} in {findings}");
    }
    assert_eq!(server.count("/loose"), 1, "what could be read of it was");
}

#[test]
fn too_many_sitemap_indexes_cost_those_beyond_the_limit_only_and_refusals_say_why() {
    let server = Server::start(|ask: &Ask| {
        let port = ask.header("host").and_then(|host| host.rsplit(':').next()).unwrap_or_default().to_owned();
        let index = |names: Vec<String>| {
            let each: String = names.iter().map(|name| format!("<sitemap><loc>{name}</loc></sitemap>")).collect();
            Answer::typed("text/xml", format!("<sitemapindex>{each}</sitemapindex>"))
        };
        match ask.path.as_str() {
            "/robots.txt" => Answer::text(format!("Sitemap: /i0\nSitemap: http://localhost:{port}/private.xml\n")),
            "/i0" => index((1..=8).map(|n| format!("/i{n}")).collect()),
            path => match (path.strip_prefix("/i"), path.strip_prefix("/u")) {
                (Some(n), _) => index(vec![format!("/u{n}")]),
                (_, Some(n)) => Answer::typed("text/xml", format!("<urlset><url><loc>/page{n}</loc></url></urlset>")),
                _ => Answer::html("<p>Page."),
            },
        }
    });
    let desk = Desk::new();
    crawl(&desk, &server.base(), &["-s", "limits.sitemap_indexes=5"]);
    let pages: Vec<u64> = (1..=8).map(|n| server.count(&format!("/page{n}"))).collect();
    assert_eq!(pages, [1, 1, 1, 1, 0, 0, 0, 0], "{:?}", server.asked());
    let status = desk.status("s.groma");
    let findings = status["findings"].to_string();
    assert!(
        findings.contains("the sitemaps it names (1) are not read, with 3 more named beside it: sitemap_indexes"),
        "{findings}"
    );
    assert!(findings.contains("private") && !findings.contains("robots.txt forbids"), "{findings}");
}

#[test]
fn a_long_list_of_start_pages_is_taken_piece_by_piece() {
    let server = Server::start(|ask: &Ask| match ask.path.as_str() {
        "/robots.txt" => Answer::status(404),
        path => Answer::html(format!("<title>{path}</title><p>Page {path}.")),
    });
    let desk = Desk::new();
    let base = server.base();
    let mut list = String::from("\u{feff}");
    (0..12_000).for_each(|n| list.push_str(&format!("{base}/p/{n}\r\n")));
    list.push_str("ftp://nowhere.example/\n\nhttp://[bad\n# no page\n");
    list.push_str(&format!("{base}/last\n{base}/p/7\n"));
    desk.write("list.txt", &list);
    let args = [&["crawl", "-i", "list.txt", "--store", "s.groma", "-n", "5"], &FAST[..]].concat();
    let done = desk.run(&args);
    assert_eq!(done.code, 4, "{}", done.err);
    for line in ["note: list.txt:12001: ", "note: list.txt:12003: "] {
        assert!(done.err.contains(line), "{line} in {}", done.err);
    }
    let status = desk.status("s.groma");
    assert_eq!((&status["discovered"], &status["fetched"]), (&12_001.into(), &5.into()), "{status}");
    // Going on needs no list, and the same list again adds nothing.
    let more = desk.run(&[&["crawl", "--store", "s.groma", "-n", "9"], &FAST[..]].concat());
    assert_eq!(more.code, 4, "{}", more.err);
    assert_eq!(desk.run(&args).code, 4);
    let status = desk.status("s.groma");
    assert_eq!((&status["discovered"], &status["fetched"]), (&12_001.into(), &9.into()), "{status}");
    let told = desk.run(&["explain", &format!("{base}/p/11999"), "--store", "s.groma"]);
    assert!(told.out.contains("in scope"), "{}", told.out);
}

#[test]
fn bytes_that_are_no_text_give_no_words() {
    let png = || [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), b"lighthouse words in a picture ".repeat(20)].concat();
    let server = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<title>Start</title><p>Page.<a href='/a.html'>a</a><a href='/b.txt'>b</a>"),
        "/a.html" => Answer::typed("text/html; charset=utf-8", png()),
        "/b.txt" => Answer::typed("text/plain", png()),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    crawl(&desk, &server.base(), &[]);
    let pages = desk.json(&["pages", "-f", "json", "--store", "s.groma"]);
    for path in ["/a.html", "/b.txt"] {
        let picture = page(&pages, &format!("{}{path}", server.base()));
        assert!(picture["words"].as_u64().unwrap_or(0) == 0 && picture["text_fp"].is_null(), "{picture}");
        assert!(picture["note"].as_str().unwrap().contains("image/png"), "{picture}");
    }
    assert_eq!(desk.run(&["index", "--store", "s.groma"]).code, 0);
    assert!(desk.run(&["search", "lighthouse", "--store", "s.groma", "-f", "json"]).out.is_empty());
}

/// Colors, a title for the window, the screen cleared, C1 controls, and text that runs backwards.
const STRANGE: &str = "A\u{1b}[31mred\u{1b}]0;owned\u{7}\u{9b}2J\u{85}\u{8}\u{7f}\u{202e}desrever\u{2066}\u{2028}=1+1";

#[test]
fn control_characters_reach_neither_a_terminal_nor_a_spreadsheet() {
    let server = Server::start(|ask: &Ask| match ask.bare_path() {
        "/" => Answer::html(format!(
            "<title>{STRANGE}</title><h1>{STRANGE}</h1><p>lighthouse {STRANGE} <a href='/b?x={STRANGE}'>{STRANGE}</a>\
             <a href='http://{STRANGE}/'>{STRANGE}</a><a href='/gone'>{STRANGE}</a><img src=/i.png alt='{STRANGE}'>\
             <form action='/find'><select name='{STRANGE}'><option>{STRANGE}<option>2</select></form>"
        )),
        "/b" => Answer::html(format!("<title>{STRANGE}</title><p>lighthouse two {STRANGE}"))
            .with_header("content-language", "en"),
        _ => Answer::status(404),
    });
    let desk = Desk::new();
    let start = format!("{}/", server.base());
    let mut outputs = vec![("crawl".to_owned(), crawl(&desk, &start, &["-v"]))];
    desk.run(&["index", "--store", "s.groma"]);
    let texts: [&[&str]; 23] = [
        &["status"],
        &["pages"],
        &["pages", "-f", "csv"],
        &["links", "--from", &start],
        &["links", "-f", "csv"],
        &["explain", &start],
        &["explain", STRANGE],
        &["check"],
        &["check", "-f", "csv"],
        &["map"],
        &["rank"],
        &["rank", "-f", "csv"],
        &["search", "lighthouse"],
        &["search", "lighthouse", "-f", "csv"],
        &["search", STRANGE],
        &["diff"],
        &["rules"],
        &["export", "markdown"],
        &["export", "csv"],
        &["export", "csv", "--table", "links"],
        &["gather", "--list"],
        &["page", &start],
        &["crawl", STRANGE],
    ];
    for args in texts {
        outputs.push((args.join(" "), desk.run(&[args, &["--store", "s.groma"]].concat())));
        outputs.push((args.join(" "), desk.run(args)));
    }
    let active = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    for (what, done) in &outputs {
        // Rows of CSV end in \r\n.
        for text in [done.out.replace("\r\n", "\n"), done.err.clone()] {
            assert!(!text.contains(active), "{what}: {text:?}");
        }
    }
    let pages = desk.run(&["pages", "-f", "json", "--store", "s.groma"]);
    assert!(!pages.out.contains(active), "{:?}", pages.out);
    let title = pages.json()[0]["title"].as_str().unwrap().to_owned();
    assert!(title.contains("\u{1b}[31mred") && title.contains('\u{202e}'), "JSON is faithful: {title:?}");
    for csv in outputs.iter().filter(|(what, _)| what.contains("csv")) {
        let cells = csv.1.out.split([',', '\n']);
        assert!(!cells.into_iter().any(|cell| cell.trim_matches('"').starts_with('=')), "{}", csv.1.out);
    }
}
