//! `groma serve` and `groma user`: the server as a process, from its first word to its last.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use groma_testweb::Server;
use groma_testweb::sites::Lattice;
use serde_json::{Value, json};

use crate::search::surveyed;
use crate::{Desk, Done};

/// A running server; it goes with the test.
pub(crate) struct Served {
    child: Child,
    address: String,
    /// Where its start key is.
    key_file: std::path::PathBuf,
    stderr: Lines<BufReader<ChildStderr>>,
}

impl Served {
    pub(crate) fn start(desk: &Desk, more: &[&str]) -> Served {
        Served::by(desk.command(&[&["serve", "--listen", "127.0.0.1:0"], more].concat()), desk)
    }

    fn by(mut command: Command, desk: &Desk) -> Served {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("as the test was set up");
        let mut stderr = BufReader::new(child.stderr.take().expect("as the test was set up")).lines();
        let line = stderr.next().expect("as the test was set up").expect("as the test was set up");
        let address = line.strip_prefix("serving at http://").and_then(|rest| rest.split('/').next());
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        let port = address.rsplit(':').next().expect("as the test was set up");
        let key_file = desk.path.join(format!("serve-{port}.key"));
        Served { child, address, key_file, stderr }
    }

    /// The start key of a server without users.
    pub(crate) fn key(&self) -> String {
        std::fs::read_to_string(&self.key_file).expect("as the test was set up").trim().to_owned()
    }

    /// Sends a request; gives the status, the head and the body.
    pub(crate) fn ask(&self, method: &str, path: &str, token: &str, body: Option<&Value>) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("as the test was set up");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("as the test was set up");
        let body = body.map(Value::to_string).unwrap_or_default();
        let token = if token.is_empty() { String::new() } else { format!("Authorization: Bearer {token}\r\n") };
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{token}{kind}", self.address);
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).expect("as the test was set up");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("as the test was set up");
        let (head, body) = answer.split_once("\r\n\r\n").expect("as the test was set up");
        let status = head.split(' ').nth(1).expect("as the test was set up").parse().expect("as the test was set up");
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.ask("GET", path, &self.key(), None);
        (status, body)
    }

    fn json(&self, path: &str, token: &str) -> Value {
        let (status, _, body) = self.ask("GET", path, token, None);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap_or_else(|e| panic!("{e}: {body}"))
    }

    /// Asks it to stop; what it said and with which code it ended.
    pub(crate) fn stop(mut self) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("as the test was set up").success());
        let said: Vec<String> = self.stderr.by_ref().map_while(Result::ok).collect();
        (self.child.wait().expect("as the test was set up").code(), said.join("\n"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_answers_searches_and_stops_when_told() {
    let (desk, server, _) = surveyed();
    assert_eq!(desk.run(&["index", "-q"]).code, 0);
    let found = desk.json(&["search", "lighthouse", "-f", "json"]);
    let served = Served::start(&desk, &[]);
    assert_eq!(served.get("/healthz").0, 200);
    let key = served.key();
    let answer = served.json("/api/v1/search?q=lighthouse", &key);
    let addresses = |rows: &[Value]| rows.iter().map(|row| row["url"].clone()).collect::<Vec<_>>();
    assert_eq!(addresses(answer["items"].as_array().unwrap()), addresses(&found));
    assert_eq!(answer["total"], 2);
    let (status, head, page) = served.ask("GET", "/search?q=rowing", &key, None);
    assert_eq!(status, 200);
    assert!(head.contains("content-type: text/html") && head.contains("content-security-policy:"), "{head}");
    assert!(page.contains(&format!("{}/boats.html", server.base())), "{page}");
    assert!(page.contains("Boats &lt;and&gt; ships") || page.contains("Boats &#60;and&#62; ships"), "{page}");
    assert!(!page.contains("Boats <and>"), "what strangers write is escaped");
    let wrong = served.json("/api/v1/search?q=lighthuose", &key);
    assert_eq!((&wrong["total"], &wrong["did_you_mean"]), (&0.into(), &"lighthouse".into()));
    assert_eq!(served.get("/api/v1/nowhere").0, 404);
    assert_eq!(served.get("/").0, 200);
    let start = Instant::now();
    let (code, said) = served.stop();
    assert_eq!((code, said.lines().last()), (Some(0), Some("stopped")), "{said}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn another_address_than_loopback_needs_a_user() {
    let desk = Desk::new();
    desk.run(&["serve", "--listen", "0.0.0.0:0"]).is_mistake("password");
    desk.run(&["serve", "--listen", "[::]:0"]).is_mistake("password");
    desk.run(&["serve", "--listen", "127.0.0.1:0", "--public-url", "https://survey.example.org/"])
        .is_mistake("password");
    desk.run(&["serve", "--listen", "nowhere"]).is_mistake("nowhere");
    desk.run(&["serve", "--listen", "127.0.0.1:0", "--store", "absent.groma"]).is_mistake("absent.groma");
    desk.run(&["serve", "--listen", "127.0.0.1:0", "--public-url", "survey"]).is_mistake("survey");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    desk.run(&["serve", "--listen", &taken.local_addr().unwrap().to_string()]).is_mistake("127.0.0.1");
}

#[test]
fn a_survey_is_begun_over_the_api_and_found_by_everybody() {
    let (desk, site) = (Desk::new(), Server::start(Lattice::new(60, 4)));
    let made = desk.run(&["user", "token", "script"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let token = made.out.trim().to_owned();
    let wanted = json!({ "url": format!("{}/", site.base()), "settings": { "delay": "0" } });
    let shy = Served::start(&desk, &[]);
    assert_eq!(shy.ask("POST", "/api/v1/sites", &token, Some(&wanted)).0, 403, "a private host nobody named");
    assert_eq!(shy.stop().0, Some(0));

    let served = Served::start(&desk, &["--own", "127.0.0.1"]);
    assert_eq!(served.ask("POST", "/api/v1/sites", "", Some(&wanted)).0, 401, "no token and no key");
    let (status, _, body) = served.ask("POST", "/api/v1/sites", &token, Some(&wanted));
    assert_eq!(status, 201, "{body}");
    let begun: Value = serde_json::from_str(&body).unwrap();
    let name = begun["name"].as_str().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let jobs = served.json(&format!("/api/v1/sites/{name}/jobs"), &token);
        let states: Vec<&str> =
            jobs["items"].as_array().unwrap().iter().map(|job| job["state"].as_str().unwrap()).collect();
        assert!(!states.contains(&"failed"), "{jobs}");
        if states == ["done"; 3] {
            break;
        }
        assert!(Instant::now() < patience, "{jobs}");
        std::thread::sleep(Duration::from_millis(100));
    }
    let answer = served.json("/api/v1/search?q=%22page+17%22", &token);
    assert!(answer["items"].as_array().unwrap().iter().any(|hit| hit["title"] == "Page 17"), "{answer}");
    assert_eq!(served.stop().0, Some(0));
    let store = format!("{name}.groma");
    assert_eq!(desk.status(&store)["fetched"], 60);
    assert_eq!(desk.run(&["verify", "--store", &store]).code, 0);
}

#[test]
fn users_come_and_go() {
    let desk = Desk::new();
    let with_password = |args: &[&str], password: &str| {
        let mut child =
            desk.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(password.as_bytes()).unwrap();
        Done::from_output(&child.wait_with_output().unwrap())
    };
    assert!(desk.run(&["user"]).out.contains("no users"));
    assert_eq!(with_password(&["user", "add", "ada"], "correct horse battery\n").code, 0);
    let mut command = desk.command(&["user", "add", "bob", "--reader"]);
    assert_eq!(Done::from_output(&command.env("GROMA_PASSWORD", "another long secret").output().unwrap()).code, 0);
    let token = desk.run(&["user", "token", "script", "--reader"]);
    assert!(token.code == 0 && token.out.trim().len() >= 32 && token.err.contains("shown once"), "{}", token.err);
    let rows = desk.json(&["user", "-f", "json"]);
    let told: Vec<String> = rows.iter().map(|row| format!("{} {} {}", row["kind"], row["name"], row["role"])).collect();
    assert_eq!(told, [r#""user" "ada" "admin""#, r#""user" "bob" "reader""#, r#""token" "script" "reader""#]);
    assert!(
        rows[2]["expires"].as_str().unwrap().starts_with("20"),
        "it expires unless it is said otherwise: {}",
        rows[2]
    );
    assert!(token.err.contains("expires after 90 days"), "{}", token.err);
    let kept = desk.run(&["user", "token", "kept", "--expires", "never"]);
    assert!(kept.code == 0 && kept.err.contains("never expires"), "{}", kept.err);
    assert_eq!(desk.json(&["user", "-f", "json"])[3]["expires"], "never");
    let warned = Served::start(&desk, &[]).stop().1;
    assert!(warned.contains("1 token never expires"), "{warned}");
    assert_eq!(desk.run(&["user", "revoke", "kept"]).code, 0);
    for bad in ["0", "soon", "4000", "-1"] {
        desk.run(&["user", "token", "bad", &format!("--expires={bad}")]).is_mistake(bad);
    }

    // With a user the machine's own door is closed too; a reader's token opens it for reading.
    let served = Served::start(&desk, &[]);
    assert_eq!(served.ask("GET", "/api/v1/sites", "", None).0, 401);
    assert_eq!(served.ask("GET", "/", "", None).0, 303);
    assert_eq!(served.ask("GET", "/api/v1/sites", token.out.trim(), None).0, 200);
    let wanted = json!({ "url": "https://example.org/" });
    assert_eq!(served.ask("POST", "/api/v1/sites", token.out.trim(), Some(&wanted)).0, 403);
    assert_eq!(desk.run(&["user", "revoke", "script"]).code, 0);
    // What another process changed is known within seconds.
    let patience = Instant::now() + Duration::from_secs(10);
    while served.ask("GET", "/api/v1/sites", token.out.trim(), None).0 != 401 {
        assert!(Instant::now() < patience, "a token that was taken back still opens the door");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(served.stop().0, Some(0));

    assert_eq!(desk.run(&["user", "remove", "bob"]).code, 0);
    assert_eq!(desk.json(&["user", "-f", "json"]).len(), 1);
    desk.run(&["user", "remove", "bob"]).is_mistake("bob");
    desk.run(&["user", "revoke", "script"]).is_mistake("script");
    with_password(&["user", "add", "eve"], "\n").is_mistake("the password is empty");
    with_password(&["user", "add", "eve"], "short\n").is_mistake("");
    with_password(&["user", "add", "a/b"], "correct horse battery\n").is_mistake("a/b");
    assert_eq!(desk.json(&["user", "-f", "json"]).len(), 1);
}

#[test]
fn without_users_the_start_url_opens_it_and_the_browser_is_led_there() {
    let desk = Desk::new();
    // A browser that writes down what it was given.
    let (browser, seen) = (desk.path.join("browser"), desk.path.join("seen"));
    std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > {}.new && mv {0}.new {0}\n", seen.display())).unwrap();
    assert!(Command::new("chmod").arg("755").arg(&browser).status().unwrap().success());
    let mut child = desk
        .command(&["serve", "--listen", "127.0.0.1:0", "--open"])
        .env("BROWSER", &browser)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = stderr.next().unwrap().unwrap();
    let address = line.strip_prefix("serving at http://").and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    let port = address.rsplit(':').next().unwrap();
    let key_file = desk.path.join(format!("serve-{port}.key"));
    let url = stderr.next().unwrap().unwrap().strip_prefix("open ").unwrap().to_owned();
    let served = Served { child, address: address.clone(), key_file, stderr };
    assert_eq!(url, format!("http://{address}/?key={}", served.key()));
    let patience = Instant::now() + Duration::from_secs(20);
    while !seen.exists() {
        assert!(Instant::now() < patience, "no browser was opened");
        std::thread::sleep(Duration::from_millis(20));
    }
    let page = std::fs::read_to_string(&seen).unwrap().trim().to_owned();
    assert!(!page.contains(&served.key()), "command lines are read by others: {page}");
    assert!(std::fs::read_to_string(&page).unwrap().contains(&url), "{page}");
    // The URL for the next browser.
    let printed = desk.run(&["serve", "--listen", &address, "--print-url"]);
    assert_eq!((printed.code, printed.out.trim()), (0, url.as_str()), "{}", printed.err);
    let (status, head, _) = served.ask("GET", url.strip_prefix(&format!("http://{address}")).unwrap(), "", None);
    assert!(status == 303 && head.contains("set-cookie:") && head.contains("location: /\r\n"), "{head}");
    let next = desk.run(&["serve", "--listen", &address, "--print-url"]).out;
    assert!(next.starts_with(&format!("http://{address}/?key=")) && next.trim() != url, "{next}");
    // Whoever is on this machine and has no key sees nothing.
    assert_eq!(served.ask("GET", "/api/v1/sites", "", None).0, 401);
    assert_eq!(served.stop().0, Some(0));
    let gone = desk.run(&["serve", "--listen", &address, "--print-url"]);
    gone.is_mistake("serve-");
    // One that was killed leaves its key behind.
    let mut killed = Served::start(&desk, &[]);
    let address = killed.address.clone();
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    assert!(killed.key_file.exists());
    desk.run(&["serve", "--listen", &address, "--print-url"]).is_mistake("no server is at");
    desk.run(&["serve", "--trusted-proxy", "nowhere"]).is_mistake("nowhere");
    desk.run(&["serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"]).is_mistake("password");
}

#[test]
#[cfg(target_os = "linux")]
fn half_open_connections_keep_nobody_out_where_files_are_few() {
    let desk = Desk::new();
    let plain = desk.command(&["serve", "--listen", "127.0.0.1:0"]);
    let served = Served::by(crate::scarce::limited("ulimit -n 64", &plain, &desk), &desk);
    let half_open: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = TcpStream::connect(&served.address).unwrap();
            // It may have given way already.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nX: ");
            stream
        })
        .collect();
    let began = Instant::now();
    assert_eq!(served.ask("GET", "/healthz", "", None).0, 200);
    assert!(began.elapsed() < Duration::from_secs(7), "{:?}", began.elapsed());
    drop(half_open);
}
