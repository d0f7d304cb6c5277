//! Logins, cookies and header fields from outside: what is fetched with them, what is never told, and what ends them.

use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex};

use groma_testweb::sites::{Members, Refuses};
use groma_testweb::{Answer, Ask, Server};

use crate::{Desk, Done, assert_balance, is_on_server};

const VARIABLE: &str = "GROMA_IT_SECRET";

/// A desk with a login for this server.
fn desk(server: &Server, more: &str) -> Desk {
    let desk = Desk::new();
    let page = format!("{}/login", server.base());
    let fields = format!("fields = {{ user = '{}', pass = {{ env = '{VARIABLE}' }} }}", Members::USER);
    desk.write("groma.toml", &format!("delay = 0\n{more}\n[login]\npage = '{page}'\n{fields}\n"));
    desk
}

fn run(desk: &Desk, args: &[&str], password: &str) -> Done {
    Done::from_output(&desk.command(args).env(VARIABLE, password).output().expect("the binary runs"))
}

fn crawl(desk: &Desk, server: &Server, more: &[&str]) -> Done {
    let base = server.base();
    run(desk, &[&["crawl", &base, "--store", "s", "-v", "-f", "json"], more].concat(), Members::PASSWORD)
}

/// Titles of the pages for members that are stored as such.
fn members(desk: &Desk) -> Vec<String> {
    let rows = desk.json(&["pages", "--state", "fetched", "-f", "json", "--store", "s"]);
    let of_members = rows.iter().filter(|row| row["url"].as_str().is_some_and(|url| url.contains("/members/")));
    let mut titles: Vec<String> = of_members.map(|row| row["title"].as_str().unwrap_or("none").to_owned()).collect();
    titles.sort();
    titles
}

fn all_members(pages: usize) -> Vec<String> {
    let mut titles: Vec<String> = (0..pages).map(|page| format!("Member page {page}")).collect();
    titles.sort();
    titles
}

/// Every byte below a folder.
fn bytes_below(folder: &Path, all: &mut Vec<u8>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            bytes_below(&path, all);
        } else if path.file_name().is_some_and(|name| name != "groma.toml") {
            all.extend(std::fs::read(&path).unwrap_or_default());
        }
    }
}

fn holds(all: &[u8], text: &str) -> bool {
    all.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn pages_for_members_are_fetched_and_nothing_ends_the_login() {
    let site = Members::default();
    let server = Server::start(site.clone());
    let desk = desk(&server, "");
    let done = crawl(&desk, &server, &["--bodies", "keep"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(members(&desk), all_members(site.pages));
    let did = site.done();
    assert_eq!((did.logins, did.refused, did.logouts), (1, 0, 0));
    assert_eq!((server.count("/logout"), server.count("/way/17")), (0, 0));
    assert_balance(&desk.status("s"));
    // By its URL, and by the text of its link.
    for way in ["/logout", "/way/17"] {
        let told = desk.json(&["explain", &format!("{}{way}", server.base()), "-f", "json", "--store", "s"]).remove(0);
        assert_eq!((told["state"].as_str(), told["reason"].as_str()), (Some("excluded"), Some("logout")), "{told}");
        assert!(told["says"].as_str().unwrap().contains("login"), "{told}");
    }
    let closed = desk.json(&["pages", "--reason", "forbidden", "-f", "json", "--store", "s"]);
    assert_eq!(closed.len(), 1, "a page that is closed to members too: {closed:?}");

    // An update logs in again; the pages are the same.
    let again = run(&desk, &["update", "--store", "s"], Members::PASSWORD);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(members(&desk), all_members(site.pages));
    assert_eq!((site.done().logins, site.done().logouts), (2, 0));

    let config = run(&desk, &["config"], Members::PASSWORD);
    assert!(config.out.contains(&format!("variable {VARIABLE}, set")), "{}", config.out);
    assert!(desk.run(&["config"]).out.contains(&format!("variable {VARIABLE}, not set")));
    // The secret is nowhere.
    let mut all = [done.out, done.err, again.out, again.err, config.out, config.err].concat().into_bytes();
    bytes_below(&desk.path, &mut all);
    assert!(all.len() > 10_000 && !holds(&all, Members::PASSWORD) && !holds(&all, "swordfish"));
    assert!(is_on_server() || holds(&all, "Member page 7"), "what is searched is what is stored");
}

#[test]
fn a_session_that_ends_is_renewed_once_for_all_that_notice() {
    let by_status = "lost = '403'\ndone = '#inside'\n";
    for (refuses, more) in [
        (Refuses::ByRedirect, ""),
        (Refuses::ByForm, ""),
        (Refuses::ByStatus(401), ""),
        (Refuses::ByStatus(403), by_status),
    ] {
        let site = Members { pages: 40, lasts: Some(12), refuses, ..Members::default() };
        let server = Server::start(site.clone());
        let desk = desk(&server, "");
        let text = std::fs::read_to_string(desk.path.join("groma.toml")).unwrap();
        desk.write("groma.toml", &format!("{text}{more}"));
        let done = crawl(&desk, &server, &["--per-host", "4"]);
        assert_eq!(done.code, 0, "{refuses:?}: {}", done.err);
        assert_eq!(members(&desk), all_members(site.pages), "{refuses:?}");
        let did = site.done();
        assert!((4..=5).contains(&did.logins), "{refuses:?}: {did:?}");
        assert_eq!((did.refused, did.logouts), (0, 0), "{refuses:?}");
        assert_balance(&desk.status("s"));
    }
}

#[test]
fn an_archive_has_the_pages_and_nothing_of_the_login() {
    let site = Members { pages: 40, lasts: Some(12), refuses: Refuses::ByForm, ..Members::default() };
    let server = Server::start(site.clone());
    let desk = desk(&server, "");
    let done = crawl(&desk, &server, &["--warc", "w"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(site.done().logins > 2, "{:?}", site.done());
    let packed = desk.run(&["export", "warc", "--store", "s", "-o", "all.warc.gz", "-q"]);
    assert_eq!(packed.code, 0, "{}", packed.err);
    let mut all = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(desk.path.join("all.warc.gz")).unwrap())
        .read_to_end(&mut all)
        .unwrap();
    assert!(holds(&all, "Member page 7") && holds(&all, "GET /members/7.html"));
    assert!(!holds(&all, Members::PASSWORD) && !holds(&all, "swordfish"), "a secret was kept");
    assert!(!holds(&all, "POST "), "how somebody logs in is nobody's business");
    // What was answered with the form, when a session had ended, is no answer: each page is there once, as members see it.
    let import = desk.run(&["import", "warc", "all.warc.gz", "--store", "i", "-q"]);
    assert_eq!(import.code, 0, "{}", import.err);
    let rows = desk.json(&["pages", "--state", "fetched", "-f", "json", "--store", "i"]);
    let titles = rows.iter().filter(|row| row["title"].as_str().is_some_and(|title| title.starts_with("Member page")));
    assert_eq!(titles.count(), site.pages);
}

#[test]
fn a_login_that_does_not_hold_stops_the_crawl_which_goes_on_later() {
    let site = Members { pages: 30, lasts: Some(3), ..Members::default() };
    let server = Server::start(site.clone());
    let desk = desk(&server, "");
    let done = crawl(&desk, &server, &["-q", "-s", "limits.login_renewals=2"]);
    done.is_mistake("the login does not hold");
    assert_eq!(site.done().logins, 3);
    let some = members(&desk).len();
    assert!((1..30).contains(&some), "{some}");
    assert!(desk.status("s")["queued"].as_u64().unwrap() > 0);
    let done = crawl(&desk, &server, &["-q", "-s", "limits.login_renewals=50"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(members(&desk), all_members(30), "nothing was lost, nothing was stored that was none of it");
}

#[test]
fn a_login_that_cannot_be_made_is_told_without_the_secret() {
    let site = Members::default();
    let server = Server::start(site.clone());
    let desk = desk(&server, "");
    let base = server.base();
    let args = ["crawl", base.as_str(), "--store", "s", "-q"];
    let done = run(&desk, &args, "not-the-word");
    done.is_mistake("was refused");
    assert!(!done.err.contains("not-the-word"));
    assert_eq!(site.done().refused, 1, "a password is tried once");
    desk.run(&args).is_mistake(&format!("{VARIABLE} is not set"));
    let wrong = [
        ("form = 9\n", "has no form 9"),
        ("form = 1\n", "has no field"),
        ("done = '#nowhere'\n", "what `done` names is not there"),
    ];
    let text = std::fs::read_to_string(desk.path.join("groma.toml")).unwrap();
    for (more, says) in wrong {
        desk.write("groma.toml", &format!("{text}{more}"));
        run(&desk, &args, Members::PASSWORD).is_mistake(says);
    }
    // A password in plain sight is not sent.
    let sight = text.replace(&format!("{{ env = '{VARIABLE}' }}"), "'swordfish&7=%'");
    desk.write("groma.toml", &sight);
    let done = desk.run(&args);
    done.is_mistake("stands in the settings");
    assert!(!done.err.contains("swordfish"));
    // Nor is anything to another site.
    let thief = Server::start(|_: &Ask| Answer::text("thanks"));
    let site = Members { action: format!("{}/take", thief.base()), ..Members::default() };
    let server = Server::start(site);
    let desk = self::desk(&server, "");
    run(&desk, &["crawl", &server.base(), "--store", "s", "-q"], Members::PASSWORD).is_mistake("another site");
    assert_eq!(thief.total(), 0);
}

#[test]
fn without_a_login_ways_out_are_links_like_any_other() {
    let site = Members { lasts: None, ..Members::default() };
    let server = Server::start(move |ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html("<a href='/logout'>bye</a><a href='/way/17'>Log out</a>"),
        _ => groma_testweb::Web::answer(&site, ask),
    });
    let desk = Desk::new();
    assert_eq!(desk.run(&["crawl", &server.base(), "--store", "s", "--delay", "0", "-q"]).code, 0);
    assert_eq!((server.count("/logout"), server.count("/way/17")), (1, 1));
    // With one they are not asked for again.
    server.reset_counts();
    let done = desk.run(&["update", "--store", "s", "--delay", "0", "-q", "-H", "X-Me: 1"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.count("/logout"), 0);
}

/// What a server was told, request by request: path, and the fields of interest.
type Told = Arc<Mutex<Vec<(String, Option<String>, Option<String>)>>>;

fn listening(told: &Told, body: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Server {
    let told = Arc::clone(told);
    Server::start(move |ask: &Ask| {
        let field = |name: &str| ask.header(name).map(str::to_owned);
        told.lock().expect("no panic in between").push((ask.path.clone(), field("cookie"), field("x-key")));
        body(&ask.path)
    })
}

#[test]
fn cookies_and_fields_go_to_their_hosts_and_nowhere_else() {
    let (here, there) = (Told::default(), Told::default());
    let other = listening(&there, |_| Answer::html("<p>elsewhere"));
    // The same machine under another name: localhost.
    let foreign = format!("http://localhost:{}/x", other.port());
    let also = foreign.clone();
    let server = listening(&here, move |path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => Answer::html(format!("<a href='/a/1'>a</a><a href='/go'>go</a><a href='{foreign}'>x</a>")),
        "/go" => Answer::redirect(302, &foreign),
        _ => Answer::html("<p>page").with_header("Set-Cookie", "fresh=new-SECRET; Path=/"),
    });
    let desk = Desk::new();
    desk.write(
        "cookies.txt",
        "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tall\tone-SECRET\n\
         #HttpOnly_127.0.0.1\tFALSE\t/a\tFALSE\t4102444800\tdeep\ttwo-SECRET\n\
         127.0.0.1\tFALSE\t/\tTRUE\t0\tsafe\tthree-SECRET\nthis line is broken-SECRET\n",
    );
    desk.write(
        "groma.toml",
        &format!(
            "delay = 0\nscope = 'any'\n[[header]]\nhost = '{}'\nname = 'X-Key'\nvalue_from = '{VARIABLE}'\n",
            server.base()
        ),
    );
    let base = server.base();
    // The other host is named too, so that it is asked.
    let args = ["crawl", base.as_str(), also.as_str(), "--store", "s", "--cookies", "cookies.txt", "-c", "1"];
    let done = run(&desk, &args, "key-SECRET");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("cookies.txt:5: not used: seven fields"), "{}", done.err);
    let here = here.lock().unwrap();
    let of = |path: &str| here.iter().find(|one| one.0 == path).unwrap_or_else(|| panic!("{path}: {here:?}"));
    assert_eq!(of("/").1.as_deref(), Some("all=one-SECRET"));
    assert!(of("/a/1").1.as_deref().unwrap().starts_with("deep=two-SECRET; all=one-SECRET"));
    assert!(here.iter().all(|one| one.2.as_deref() == Some("key-SECRET")), "{here:?}");
    let there = there.lock().unwrap();
    assert!(there.iter().any(|one| one.0 == "/x"), "{there:?}");
    assert!(there.iter().all(|one| one.1.is_none() && one.2.is_none()), "{there:?}");
    // The servers are asked once more below.
    drop((here, there));
    let mut all = [done.out, done.err].concat().into_bytes();
    std::fs::remove_file(desk.path.join("cookies.txt")).unwrap();
    bytes_below(&desk.path, &mut all);
    assert!(!holds(&all, "-SECRET"), "a secret was kept or told");
    // The survey says what it was made with, not with what.
    let again = run(&desk, &["update", "--store", "s"], "key-SECRET");
    assert!(again.err.contains("not kept (cookie_file") && !again.err.contains("SECRET"), "{}", again.err);
}

#[test]
fn files_of_cookies_that_are_none_are_refused() {
    let desk = Desk::new();
    desk.write("empty", "# nothing\n");
    desk.write("page", "<html>not it</html>\n");
    let crawl = |file: &str| desk.run(&["crawl", "http://127.0.0.1:9/", "--store", "s", "-q", "--cookies", file]);
    crawl("absent").is_mistake("absent");
    crawl("empty").is_mistake("holds no cookie");
    crawl("page").is_mistake("holds no cookie");
    desk.write("groma.toml", "[limits]\ncookie_file_bytes = 5\n");
    crawl("empty").is_mistake("larger than 5 bytes");
    desk.write("groma.toml", "\n[login]\npage = 'http://a.example/'\n");
    desk.run(&["config"]).is_mistake("groma.toml:2: [login]: missing field `fields`");
    desk.write("groma.toml", "login = 3\n");
    desk.run(&["config"]).is_mistake("[login]");
}
