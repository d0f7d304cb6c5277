//! `groma summarize` from outside: typed, asked over HTTP, and attacked there.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Desk, Done};

/// A database of SQLite, as bytes: the file format is the same everywhere.
const HOTELS: &[u8] = include_bytes!("hotels.db");

fn prepared() -> Desk {
    let desk = Desk::new();
    std::fs::write(desk.path.join("hotels.db"), HOTELS).expect("a file");
    std::fs::create_dir(desk.path.join("documents")).expect("a folder");
    desk.write(
        "documents/hotels.dbcontent",
        "URL: http://localhost/form\nTitle: Hotels\nTable: hotel\nAttribute: name\nAttribute: ort\n",
    );
    desk.write("secret.txt", "URL: http://localhost/\nTable: hotel\nAttribute: name\n");
    desk
}

const SOURCE: [&str; 4] = ["--config", "documents", "--database", "sqlite:hotels.db"];

fn summarize<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&["summarize"], words, &SOURCE].concat()
}

/// A summarizer that serves; it is killed when it is dropped.
pub(crate) struct Serving {
    child: Child,
    pub(crate) at: SocketAddr,
}

impl Serving {
    fn of_hotels(desk: &Desk, more: &[&str]) -> Serving {
        Serving::start(desk, &summarize(&[&["serve", "--listen", "127.0.0.1:0"], more].concat()))
    }

    /// Runs a command, and waits until it says where it serves.
    pub(crate) fn start(desk: &Desk, words: &[&str]) -> Serving {
        let mut child = desk.command(words).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let mut said = String::new();
        let stderr = child.stderr.as_mut().expect("its stderr");
        let mut byte = [0];
        while stderr.read(&mut byte).expect("what it says") == 1 && byte[0] != b'\n' {
            said.push(char::from(byte[0]));
        }
        let at = said.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let at = at.and_then(|at| at.parse().ok()).unwrap_or_else(|| panic!("{said}"));
        Serving { child, at }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.at).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        stream
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        // Whoever is refused in the middle of a request sees the connection end.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, more: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{more}\r\n"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn value<'a>(answer: &'a str, name: &str) -> &'a str {
    let line = answer.lines().find(|line| line.to_ascii_lowercase().starts_with(name));
    line.and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value.trim())
}

#[test]
fn a_summary_is_printed_once() {
    let desk = prepared();
    let done = desk.run(&summarize(&["once", "hotels"]));
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.starts_with("@DATABASE { http://localhost/form\nTitle{6}:\tHotels\n"), "{}", done.out);
    assert!(done.out.contains("\nname{23}:\tMarkt\nSonne\nStrandhotel\nort{14}:\tRostock\nWismar\n"), "{}", done.out);
    assert!(done.out.ends_with("}\n"));
    for id in ["../secret", "secret", "hotels.dbcontent", "/etc/passwd", ""] {
        desk.run(&summarize(&["once", id])).is_mistake("no document");
    }
    let mut cgi = desk.command(&summarize(&["once", "--cgi", "--cache", "cache"]));
    cgi.env("REQUEST_METHOD", "GET").env("QUERY_STRING", "id=hotels");
    let first = Done::from_output(&cgi.output().unwrap());
    assert!(first.out.starts_with("Status: 200\r\n"), "{} {}", first.out, first.err);
    cgi.env("HTTP_IF_NONE_MATCH", value(&first.out, "etag"));
    assert!(Done::from_output(&cgi.output().unwrap()).out.starts_with("Status: 304\r\n"));
    cgi.env("QUERY_STRING", "id=..%2fsecret");
    assert!(Done::from_output(&cgi.output().unwrap()).out.starts_with("Status: 404\r\n"));
}

#[test]
fn mistakes_are_told_without_passwords() {
    let desk = prepared();
    let with = |words: &[&str]| desk.run(&[&["summarize", "once", "hotels"], words].concat());
    with(&["--config", "nowhere", "--database", "sqlite:hotels.db"]).is_mistake("documents");
    with(&["--config", "documents", "--database", "sqlite:nowhere.db"]).is_mistake("does not let us in");
    with(&["--config", "documents", "--database", "oracle:x"]).is_mistake("not understood");
    with(&["--config", "documents", "--database", "postgres://a:s3cret@db.example.org/x"])
        .is_mistake("not on this machine");
    let (refused, unread) = ("postgres://a:s3cret@127.0.0.1:1/x", "mysql://a:s3cret@127.0.0.1:x/y");
    for url in [refused, unread] {
        let done = with(&["--config", "documents", "--database", url]);
        done.is_mistake("database");
        assert!(!done.err.contains("s3cret"), "{}", done.err);
    }
    desk.write("address", "sqlite:hotels.db\n");
    assert_eq!(with(&["--config", "documents", "--database-file", "address"]).code, 0);
    desk.run(&summarize(&["serve", "--listen", "0.0.0.0:0"])).is_mistake("other machines");
    desk.run(&summarize(&["serve", "--listen", "[::]:0"])).is_mistake("other machines");
}

#[test]
fn it_is_asked_over_http_and_a_second_time_in_vain() {
    let desk = prepared();
    let serving = Serving::of_hotels(&desk, &[]);
    let answer = serving.get("/hotels", "");
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    assert_eq!(value(&answer, "content-type"), "application/x-soif");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    assert_eq!(value(&answer, "content-length"), body.len().to_string());
    assert_eq!(serving.get("/?id=hotels", "").split_once("\r\n\r\n").unwrap().1, body);
    let known = format!("If-None-Match: \"x\"\r\nIf-None-Match: {}\r\n", value(&answer, "etag"));
    assert!(serving.get("/hotels", &known).starts_with("HTTP/1.1 304 "));
    assert!(serving.get("/all", "").ends_with(body));
    assert!(serving.get("/", "").ends_with("\r\n\r\nhotels\tHotels\n"));
    assert!(serving.get("/healthz", "").ends_with("\r\n\r\nok\n"));
    for path in ["/../secret", "/..%2fsecret", "/%2e%2e/secret.txt", "/hotels.dbcontent", "//hotels", "/Hotels"] {
        assert!(serving.get(path, "").starts_with("HTTP/1.1 404 "), "{path}");
    }
    let head = serving.ask("HEAD /hotels HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert!(head.ends_with("\r\n\r\n") && value(&head, "content-length") == body.len().to_string());
    let post = serving.ask("POST /hotels HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc");
    assert!(post.starts_with("HTTP/1.1 405 "), "{post}");
}

#[test]
fn large_heads_many_connections_and_slow_ones_do_not_stop_it() {
    let desk = prepared();
    let serving = Serving::of_hotels(&desk, &["--connections", "8"]);
    let long = format!("X: {}\r\n", "x".repeat(100_000));
    assert!(!serving.get("/hotels", &long).contains(" 200 "));
    let many: String = (0..1000).map(|n| format!("X-{n}: y\r\n")).collect();
    assert!(!serving.get("/hotels", &many).contains(" 200 "));
    assert!(!serving.ask("nonsense\r\n\r\n").contains(" 200 "));
    // More than there is room for, none of which ever says what it wants: they give way at once.
    let began = Instant::now();
    let mut idle: Vec<TcpStream> = (0..24).map(|_| serving.connect()).collect();
    for stream in &mut idle {
        let _ = stream.write_all(b"GET /hotels HTTP/1.1\r\nHo");
    }
    assert!(serving.get("/hotels", "").starts_with("HTTP/1.1 200 "));
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    drop(idle);
}

#[test]
fn it_stops_when_told_and_leaves_nothing_behind() {
    let desk = prepared();
    let temp = desk.path.join("temp");
    std::fs::create_dir(&temp).unwrap();
    let words = summarize(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = desk.command(&words).env("TMPDIR", &temp).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 20];
    child.stderr.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 1);
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 0);
}
