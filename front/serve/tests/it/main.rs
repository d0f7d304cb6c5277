//! The server for real, over sockets: what the API says, and every door tried from outside.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod api;
mod archive;
mod axe;
mod bounds;
mod browser;
mod browsers;
mod connections;
mod cursors;
mod databases;
mod doors;
mod focus;
mod hel;
mod hostile;
mod hosts;
mod inns;
mod limits;
mod login;
mod openapi;
mod orders;
mod outside;
mod overview;
mod roles;
mod start;
mod surveys;

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use groma_serve::people::{self, Role};
use groma_serve::{Options, ServeError, serve};
use groma_testweb::{Answer, Ask, Server};
use serde_json::{Value, json};

/// A server in a home of its own, gone with the test.
struct House {
    at: SocketAddr,
    home: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

fn new_home() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let home = std::env::temp_dir().join(format!("groma-serve-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&home).unwrap();
    groma_testweb::keep_on_server(&home);
    home
}

impl House {
    fn open(change: impl FnOnce(&mut Options)) -> House {
        House::open_in(new_home(), change)
    }

    fn open_in(home: PathBuf, change: impl FnOnce(&mut Options)) -> House {
        let mut options = Options::on_loopback(home.clone());
        options.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        change(&mut options);
        // Pages of tests link to hosts that are no business of ours.
        let config = options.config.get_or_insert_with(|| home.join("groma.toml"));
        let kept = std::fs::read_to_string(&*config).unwrap_or_default();
        if !kept.contains("outside = ") {
            std::fs::write(&*config, format!("outside = \"no\"\n{kept}")).unwrap();
        }
        let stop = Arc::new(AtomicBool::new(false));
        let (say, said) = mpsc::channel();
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || serve(options, flag, |listening| say.send(listening.at).unwrap()));
        let at = said.recv_timeout(Duration::from_secs(30)).expect("the server did not come up");
        House { at, home, stop, thread: Some(thread) }
    }

    /// With an admin called ann and a reader called bob, and the tokens of both.
    fn with_people(change: impl FnOnce(&mut Options)) -> (House, String, String) {
        let home = new_home();
        people::add(&home, "ann", Role::Admin, "correct horse battery").unwrap();
        people::add(&home, "bob", Role::Reader, "purple monkey dishwasher").unwrap();
        let admin = people::make_token(&home, "machine", Role::Admin, None).unwrap();
        let reader = people::make_token(&home, "screen", Role::Reader, Some(7)).unwrap();
        (House::open_in(home, change), admin, reader)
    }

    fn host(&self) -> String {
        self.at.to_string()
    }

    /// Sends one request and reads the answer.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.host()));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        let mut stream = TcpStream::connect(self.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        // The server may have answered and gone before all of it was sent.
        let _ = stream.write_all(body);
        Reply::read(&mut stream)
    }

    /// The start key of a server without users, as its file tells it.
    fn key(&self) -> Option<String> {
        let text = std::fs::read_to_string(groma_serve::key_file(&self.home, self.at.port())).ok()?;
        Some(text.trim().to_owned())
    }

    /// As the owner of a server without users, who can read its key; as a stranger where there are users.
    fn get(&self, path: &str) -> Reply {
        match self.key() {
            Some(key) => self.with_token(&key, "GET", path, None),
            None => self.ask("GET", path, &[], b""),
        }
    }

    /// As a program with a token.
    fn with_token(&self, token: &str, method: &str, path: &str, body: Option<&Value>) -> Reply {
        let bearer = format!("Bearer {token}");
        let text = body.map(Value::to_string).unwrap_or_default();
        let mut headers = vec![("Authorization", bearer.as_str())];
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        }
        self.ask(method, path, &headers, text.as_bytes())
    }

    /// A browser that came in by the start URL: its cookie and the token of its forms.
    fn browser(&self) -> Browser {
        let reply = self.ask("GET", &format!("/?key={}", self.key().unwrap()), &[], b"");
        assert_eq!((reply.status, reply.header("location")), (303, "/"), "{}", reply.text());
        let cookie = reply.cookie();
        let csrf =
            self.ask("GET", "/api/v1/me", &[("Cookie", &cookie)], b"").json()["csrf"].as_str().unwrap().to_owned();
        Browser { cookie, csrf }
    }

    /// As the owner of a server without users, in a browser.
    fn post(&self, path: &str, body: &Value) -> Reply {
        let browser = self.browser();
        self.post_as(&browser, path, body)
    }

    fn post_as(&self, browser: &Browser, path: &str, body: &Value) -> Reply {
        let headers = [
            ("Cookie", browser.cookie.as_str()),
            ("X-Csrf-Token", &browser.csrf),
            ("Content-Type", "application/json"),
        ];
        self.ask("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Waits until all jobs of a site are over.
    fn until_idle(&self, site: &str, token: Option<&str>) -> Value {
        let since = Instant::now();
        loop {
            let path = format!("/api/v1/sites/{site}/jobs");
            let reply = match token {
                Some(token) => self.with_token(token, "GET", &path, None),
                None => self.get(&path),
            };
            let jobs = reply.json()["items"].clone();
            let over = |job: &Value| matches!(job["state"].as_str(), Some("done" | "failed" | "cancelled"));
            if jobs.as_array().is_some_and(|jobs| !jobs.is_empty() && jobs.iter().all(over)) {
                return jobs;
            }
            assert!(since.elapsed() < Duration::from_secs(90), "{jobs}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

struct Browser {
    cookie: String,
    csrf: String,
}

/// An answer.
struct Reply {
    status: u16,
    headers: HashMap<String, Vec<String>>,
    body: Vec<u8>,
}

impl Reply {
    fn read(stream: &mut impl Read) -> Reply {
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        Reply::parse(&all)
    }

    fn parse(all: &[u8]) -> Reply {
        let at = all.windows(4).position(|four| four == b"\r\n\r\n").map_or(all.len(), |at| at + 4);
        let head = String::from_utf8_lossy(&all[..at]).into_owned();
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|code| code.parse().ok());
        let mut headers: HashMap<String, Vec<String>> = HashMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            headers.entry(name.to_ascii_lowercase()).or_default().push(value.trim().to_owned());
        }
        let mut body = all[at..].to_vec();
        if headers.get("transfer-encoding").is_some_and(|value| value[0] == "chunked") {
            body = unchunk(&body);
        }
        Reply { status: status.unwrap_or(0), headers, body }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}: {}", self.status, self.text()))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |values| values[0].as_str())
    }

    fn cookie(&self) -> String {
        self.header("set-cookie").split(';').next().unwrap_or_default().to_owned()
    }
}

fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap_or("0"), 16).unwrap_or(0);
        if length == 0 || bytes.len() < end + 2 + length {
            break;
        }
        whole.extend_from_slice(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[(end + 4 + length).min(bytes.len())..];
    }
    whole
}

/// A title that would do harm wherever it is not escaped.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u{202e}\"'&";

/// A site of a dozen pages with a dead link, a hostile title and a page of German words.
fn site() -> Server {
    Server::start(|ask: &Ask| match ask.path.as_str() {
        "/" => Answer::html(
            "<title>Home of the groma</title><h1>Surveying</h1><p>A groma is an instrument of Roman surveyors.</p>\
             <a href=/a>Instruments</a> <a href=/b>Borders</a> <a href=/dead>Nothing</a> <a href=/hostile>H</a>\
             <a href=/de>Deutsch</a> <a href=/list/1>List</a>",
        ),
        "/a" => {
            Answer::html("<title>Instruments</title><p>Plumb lines and rods for straight lines.</p><a href=/>home</a>")
        }
        "/b" => Answer::html("<title>Borders</title><p>Where a field ends, a border stone stands.</p><a href=/a>a</a>"),
        "/de" => Answer::html(
            "<html lang=de><a href=/gone>1</a><a href=/lost>2</a><title>Werkzeuge</title><p>Die Vermesser und ihre Übungen im Feld.</p>",
        ),
        "/hostile" => Answer::html(format!(
            "<title>{}</title><p>hostile words</p>",
            HOSTILE.replace('<', "&lt;").replace('&', "&amp;").replace("&amp;lt;", "&lt;")
        )),
        // A form that no page leads to, and its answers.
        "/ask" => Answer::html(
            "<title>Ask</title><form action=/answer><select name=field><option>north<option>south</select><button>Search</button></form>",
        ),
        path if path.starts_with("/answer") => {
            let field = ask.param("field").unwrap_or_default();
            let row = |n: u32| format!("<tr><td>Stone {n}</td><td>{field}</td></tr>");
            let rows: String = (1..=4).map(row).collect();
            Answer::html(format!(
                "<title>Stones</title><p>4 results</p><table><tr><th>Stone<th>Field</tr>{rows}</table>"
            ))
        }
        path if path.starts_with("/list/") => {
            let number: u32 = path[6..].parse().unwrap_or(0);
            let next = if number < 6 { format!("<a href=/list/{}>next</a>", number + 1) } else { String::new() };
            Answer::html(format!("<title>Entry {number}</title><p>Entry number {number} of the list.</p>{next}"))
        }
        _ => Answer::status(404),
    })
}

/// The host and port of a site, as an own one is named.
fn own_name(web: &Server) -> String {
    web.base().trim_start_matches("http://").trim_end_matches('/').to_owned()
}

/// A house with people that has surveyed the site, and the token of its admin.
fn surveyed_by_people() -> (House, Server, String) {
    let web = site();
    let own = own_name(&web);
    let (house, admin, _) = House::with_people(|options| options.own = vec![own]);
    let new = json!({ "url": web.base(), "settings": { "delay": "0", "sitemaps": "false" } });
    let reply = house.with_token(&admin, "POST", "/api/v1/sites", Some(&new));
    assert_eq!(reply.status, 201, "{}", reply.text());
    house.until_idle(reply.json()["name"].as_str().unwrap(), Some(&admin));
    (house, web, admin)
}

/// A house that has surveyed the site, and the site's name.
fn surveyed() -> (House, Server, String) {
    let web = site();
    let own = own_name(&web);
    let house = House::open(|options| options.own = vec![own]);
    let new = json!({ "url": web.base(), "settings": { "delay": "0", "sitemaps": "false" } });
    let reply = house.post("/api/v1/sites", &new);
    assert_eq!(reply.status, 201, "{}", reply.text());
    let name = reply.json()["name"].as_str().unwrap().to_owned();
    assert_eq!(reply.header("location"), format!("/api/v1/sites/{name}"));
    let jobs = house.until_idle(&name, None);
    assert!(jobs.as_array().unwrap().iter().all(|job| job["state"] == "done"), "{jobs}");
    (house, web, name)
}
