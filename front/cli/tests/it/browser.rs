//! `--js`: pages that scripts build, by a real Chromium. Without one only its absence is tried, and that is said.

use std::process::Stdio;
use std::time::{Duration, Instant};

use groma_testweb::sites::Scripted;
use groma_testweb::{Answer, Ask, Server, Web};
use serde_json::Value;

use crate::Desk;

const SITE: Scripted = Scripted { shells: 24, texts: 12 };

pub(crate) fn is_missing() -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let missing = !std::env::split_paths(&folders).any(|folder| folder.join("chromium").is_file());
    if missing {
        eprintln!("skipped: chromium is not installed");
    }
    missing
}

/// A crawl at full speed on loopback.
fn crawl<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let all =
        ["crawl", url, "--delay", "0", "--per-host", "4", "-q", "-s", "limits.js_quiet_ms=200", "--store", "s.groma"];
    [&all, more].concat()
}

/// The processes of browsers that this program started.
fn browsers_of(groma: u32) -> Vec<u32> {
    let mine = format!("groma-browser-{groma}-");
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let of = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&mine)
    };
    pids.filter(of).collect()
}

fn wait_for(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn pages(desk: &Desk) -> Vec<Value> {
    desk.json(&["pages", "-f", "json", "--state", "fetched", "--store", "s.groma"])
}

#[test]
fn shells_are_built_and_found_and_texts_are_not_built() {
    if is_missing() {
        return;
    }
    let (desk, server) = (Desk::new(), Server::start(SITE));
    let home = format!("{}/", server.base());
    let done = desk.run(&crawl(&home, &[]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(desk.status("s.groma")["fetched"], 1, "without scripts there is one page");
    let done = desk.run(&crawl(&home, &["--js", "auto", "--fresh"]));
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("s.groma");
    assert_eq!((&status["fetched"], &status["rendered"]), (&36.into(), &24.into()), "{status}");
    for page in pages(&desk) {
        let (url, title) = (page["url"].as_str().unwrap(), page["title"].as_str().unwrap());
        assert_eq!(page["rendered"].as_bool(), Some(!url.contains("/text/")), "{page}");
        assert!(title.starts_with(if url.contains("/text/") { "Text " } else { "Page " }), "{page}");
    }
    // What all pages share is fetched once, and nobody else's errands are run.
    assert!(server.count("/app.js") <= 4, "{}", server.count("/app.js"));
    assert_eq!((server.count("/data/7.json"), server.count("/count.js")), (1, 0));
    let told = desk.run(&["explain", &format!("{home}app/7"), "--store", "s.groma"]).out;
    assert!(told.contains("rendered: yes, because it came as an empty shell"), "{told}");
    let told = desk.run(&["explain", &format!("{home}text/3.html"), "--store", "s.groma"]).out;
    assert!(told.contains("rendered: no, because it came with text of its own"), "{told}");
    let links = desk.run(&["links", "--from", &home, "--store", "s.groma", "-f", "csv"]).out;
    assert!(links.contains("/data/0.json") && links.contains("/app.js"), "{links}");
    // An update builds them again, whatever their headers say, and sees that nothing changed.
    let done = desk.run(&["update", "-q", "--store", "s.groma"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(desk.status("s.groma")["rendered"], 48);
    let changed = desk.json(&["diff", "-f", "json", "--store", "s.groma"]);
    assert!(!changed.iter().any(|line| line["kind"] == "changed"), "{changed:?}");
}

#[test]
fn every_page_is_built_if_that_is_wanted_and_pictures_are_kept() {
    if is_missing() || crate::is_on_server() {
        return;
    }
    let (desk, server) = (Desk::new(), Server::start(Scripted { shells: 2, texts: 1 }));
    let home = format!("{}/", server.base());
    let done = desk.run(&crawl(&home, &["--js", "always", "--screenshots"]));
    assert_eq!(done.code, 0, "{}", done.err);
    let all = pages(&desk);
    assert_eq!(all.len(), 3);
    for page in all {
        let picture = page["picture"].as_str().unwrap_or_else(|| panic!("{page}"));
        let bytes = std::fs::read(desk.path.join("s.groma/pictures").join(picture)).expect("the picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{page}");
    }
    assert_eq!(server.count("/count.js"), 1, "scripts of texts run too");
    assert_eq!(desk.run(&["verify", "--store", "s.groma"]).code, 0);
    let name = pages(&desk)[1]["picture"].as_str().unwrap().to_owned();
    let path = desk.path.join("s.groma/pictures").join(&name);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    let verified = desk.run(&["verify", "--store", "s.groma"]);
    let says = verified.out + &verified.err;
    assert!(verified.code == 1 && says.contains(&format!("pictures/{name}: damaged")), "{says}");
    let done = desk.run(&crawl(&home, &["--js", "never", "-s", "screenshots=false", "--fresh"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(!desk.path.join("s.groma/pictures").exists());
}

#[test]
fn without_a_browser_always_is_a_mistake_and_auto_says_so() {
    let (desk, server) = (Desk::new(), Server::start(SITE));
    let home = format!("{}/", server.base());
    let run = |more: &[&str]| {
        let output = desk.command(&crawl(&home, more)).env("PATH", &desk.path).output().expect("the binary runs");
        crate::Done::from_output(&output)
    };
    run(&["--js", "always"]).is_mistake("no Chromium was found");
    run(&["--screenshots"]).is_mistake("no pictures without a browser");
    run(&["--js", "sometimes"]).is_mistake("never, auto, always");
    let done = run(&["--js", "auto"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let status = desk.status("s.groma");
    assert_eq!((&status["fetched"], &status["rendered"]), (&1.into(), &0.into()));
    assert!(status["findings"].to_string().contains("apt install chromium"), "{status}");
}

/// A page that reaches for what is not its own, on a site that is not on loopback by name.
struct Reaching {
    other: String,
}

impl Web for Reaching {
    fn answer(&self, ask: &Ask) -> Answer {
        let script = format!(
            "const say = (t) => document.body.append('[' + t + ']');
             const reach = (name, url) => fetch(url, {{ mode: 'no-cors' }}).then(() => say(name + ' got'), () => say(name + ' not'));
             reach('service', '{}/secret'); reach('cloud', 'http://169.254.169.254/latest/'); reach('forbidden', '/private/x');
             reach('redirected', '/away'); reach('own', '/own.json');",
            self.other
        );
        match ask.path.as_str() {
            "/" => Answer::html(format!("<title>x</title><div id=root></div><script>{script}</script>")),
            "/robots.txt" => Answer::text("User-agent: *\nDisallow: /private/\n"),
            "/away" => Answer::redirect(302, &format!("{}/secret", self.other)),
            "/own.json" | "/private/x" => Answer::typed("application/json", "{}"),
            _ => Answer::status(404),
        }
    }
}

#[test]
fn a_page_reaches_nothing_that_the_crawl_would_not() {
    if is_missing() {
        return;
    }
    let other = Server::start(|_: &Ask| Answer::text("secret").with_header("Access-Control-Allow-Origin", "*"));
    let server = Server::start(Reaching { other: other.base().to_string() });
    let port = server.base().rsplit(':').next().unwrap().to_owned();
    let desk = Desk::new();
    let (home, resolve) = (format!("http://site.example:{port}/"), format!("site.example:{port}:127.0.0.1"));
    let done = desk.run(&crawl(&home, &["--js", "auto", "--resolve", &resolve, "--bodies", "keep"]));
    assert_eq!(done.code, 0, "{}", done.err);
    let told = desk.json(&["page", &home, "-f", "json", "--store", "s.groma"]).remove(0).to_string();
    for piece in ["[own got]", "[service not]", "[cloud not]", "[forbidden not]", "[redirected not]"] {
        assert!(told.contains(piece), "{piece}: {told}");
    }
    assert_eq!((other.count("/secret"), other.count("/robots.txt"), server.count("/private/x")), (0, 0, 0));
    assert_eq!(server.count("/away"), 1);
}

#[test]
fn no_browser_is_left_after_a_kill_and_the_crawl_goes_on() {
    if is_missing() {
        return;
    }
    let (desk, server) = (Desk::new(), Server::start(SITE));
    let home = format!("{}/", server.base());
    let args = crawl(&home, &["--js", "auto"]);
    let start = || desk.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut killed = start();
    wait_for("the browser is at work", || server.count("/app/3") > 0 && browsers_of(killed.id()).len() > 2);
    killed.kill().unwrap();
    killed.wait().unwrap();
    wait_for("its browser goes", || browsers_of(killed.id()).is_empty());
    // This time the browser is killed.
    let mut crawling = start();
    wait_for("the browser is at work", || !browsers_of(crawling.id()).is_empty());
    let first = browsers_of(crawling.id()).into_iter().min().unwrap();
    let _ = std::process::Command::new("kill").args(["-9", &first.to_string()]).status();
    assert!(crawling.wait().unwrap().success());
    wait_for("its browser goes", || browsers_of(crawling.id()).is_empty());
    let status = desk.status("s.groma");
    assert_eq!(status["fetched"], 36, "{status}");
    assert!(
        pages(&desk).iter().all(|page| page["rendered"].as_bool() != Some(page["url"].to_string().contains("/text/")))
    );
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let left =
        left.filter(|entry| entry.file_name().to_string_lossy().contains(&format!("groma-browser-{}-", killed.id())));
    assert_eq!(left.count(), 0, "the folder of the killed one is swept");
}
