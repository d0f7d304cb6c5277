//! The server as a client on the other side of a socket sees it.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use groma_testweb::sites::{Changing, Lattice, Slowed};
use groma_testweb::{Answer, Ask, Faults, Manner, Server};

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", server.port())).expect("the server listens");
    stream.set_read_timeout(Some(Duration::from_secs(5))).expect("a time-out can be set");
    stream
}

fn send(stream: &mut TcpStream, path: &str, more: &str) {
    stream
        .write_all(format!("GET {path} HTTP/1.1\r\nHost: test.example\r\n{more}\r\n").as_bytes())
        .expect("the server reads");
}

/// Reads one answer with a length, or without a body; gives its head and its body.
fn receive(stream: &mut TcpStream) -> std::io::Result<(String, Vec<u8>)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("heads are text");
    let length =
        head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).map_or(0, |n| n.parse().expect("a length"));
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok((head, body))
}

fn ask(server: &Server, path: &str) -> std::io::Result<(String, Vec<u8>)> {
    let mut stream = connect(server);
    send(&mut stream, path, "");
    receive(&mut stream)
}

fn echo(ask: &Ask) -> Answer {
    Answer::text(format!("{} {} {} {} {}", ask.method, ask.host, ask.path, ask.nth, ask.serial))
}

fn in_manner(manner: Manner) -> Server {
    Server::start(move |_: &Ask| Answer::text("0123456789").with_manner(manner))
}

#[test]
fn a_connection_is_kept_and_requests_are_counted() {
    let server = Server::start(echo);
    let mut stream = connect(&server);
    for (path, said) in
        [("/a", "GET test.example /a 0 0"), ("/b?c", "GET test.example /b?c 0 1"), ("/a", "GET test.example /a 1 2")]
    {
        send(&mut stream, path, "");
        assert_eq!(receive(&mut stream).unwrap().1, said.as_bytes());
    }
    assert_eq!((server.total(), server.count("/a"), server.count("/c")), (3, 2, 0));
    assert_eq!(server.asked().into_iter().collect::<Vec<_>>(), [("/a".to_owned(), 2), ("/b?c".to_owned(), 1)]);
    server.reset_counts();
    assert_eq!(server.total(), 0);
    assert_eq!(server.base(), format!("http://127.0.0.1:{}", server.port()));
}

#[test]
fn requests_sent_together_are_answered_in_order() {
    let server = Server::start(echo);
    let mut stream = connect(&server);
    for path in ["/1", "/2", "/3"] {
        send(&mut stream, path, "");
    }
    for n in 1..=3 {
        assert_eq!(receive(&mut stream).unwrap().1, format!("GET test.example /{n} 0 {}", n - 1).into_bytes());
    }
}

#[test]
fn a_client_that_closes_is_closed_and_head_has_no_body() {
    let server = Server::start(echo);
    let mut stream = connect(&server);
    stream
        .write_all(b"HEAD /h HTTP/1.1\r\nHost: h\r\n\r\nGET /g HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut all = String::new();
    stream.read_to_string(&mut all).unwrap();
    assert_eq!(all.matches("HTTP/1.1 200 OK").count(), 2);
    assert!(!all.contains("HEAD h /h") && all.ends_with("GET h /g 0 1"));
}

#[test]
fn a_body_of_a_request_is_skipped() {
    let server = Server::start(echo);
    let mut stream = connect(&server);
    stream
        .write_all(
            b"POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\na\r\n\r\nGET /g HTTP/1.1\r\nHost: h\r\n\r\n",
        )
        .unwrap();
    assert_eq!(receive(&mut stream).unwrap().1, b"POST h /p 0 0");
    assert_eq!(receive(&mut stream).unwrap().1, b"GET h /g 0 1");
}

#[test]
fn nonsense_is_refused_and_the_server_goes_on() {
    let server = Server::start(echo);
    let mut stream = connect(&server);
    stream.write_all(b"\x16\x03\x01 nonsense\r\n\r\n").unwrap();
    assert!(receive(&mut stream).unwrap().0.starts_with("HTTP/1.1 400"));
    let mut long = connect(&server);
    let _ = long.write_all(&vec![b'a'; 300 * 1024]);
    let mut said = [0; 12];
    // The refusal may be lost in the reset that unread bytes cause; what matters is that the server is still there.
    if long.read_exact(&mut said).is_ok() {
        assert_eq!(&said, b"HTTP/1.1 431");
    }
    assert_eq!(ask(&server, "/x").unwrap().1, b"GET test.example /x 0 0");
}

#[test]
fn a_reset_is_a_reset() {
    let server = in_manner(Manner::ResetBeforeHeader);
    assert_eq!(ask(&server, "/").unwrap_err().kind(), ErrorKind::ConnectionReset);

    let server = in_manner(Manner::ResetMidBody);
    let mut stream = connect(&server);
    send(&mut stream, "/", "");
    let mut seen = Vec::new();
    assert_eq!(stream.read_to_end(&mut seen).unwrap_err().kind(), ErrorKind::ConnectionReset);
    assert!(
        String::from_utf8(seen).unwrap().ends_with("Content-Length: 10\r\n\r\n01234"),
        "header and half of the body"
    );
}

#[test]
fn a_stall_sends_nothing_and_does_not_keep_the_server_from_ending() {
    let server = in_manner(Manner::StallForever);
    let mut stream = connect(&server);
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    send(&mut stream, "/", "");
    let kind = stream.read(&mut [0]).unwrap_err().kind();
    assert!(matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut), "{kind:?}");
    assert_eq!(server.peak_in_flight(), 1);
    drop(server);
    assert!(!matches!(stream.read(&mut [0]), Ok(1..)), "the end, however it is told");
}

#[test]
fn delay_and_drip_take_their_time() {
    let begin = Instant::now();
    assert_eq!(ask(&in_manner(Manner::Delay(Duration::from_millis(60))), "/").unwrap().1, b"0123456789");
    assert!(begin.elapsed() >= Duration::from_millis(60));
    let begin = Instant::now();
    assert_eq!(ask(&in_manner(Manner::DripEach(Duration::from_millis(5))), "/").unwrap().1, b"0123456789");
    assert!(begin.elapsed() >= Duration::from_millis(50));
}

#[test]
fn a_lie_about_the_length_ends_the_connection() {
    let server = Server::start(|_: &Ask| Answer::text("short").with_header("Content-Length", "10"));
    assert_eq!(ask(&server, "/").unwrap_err().kind(), ErrorKind::UnexpectedEof);
}

#[test]
fn what_is_in_flight_together_is_seen() {
    let server = Server::start(Slowed { web: echo, delay: Duration::from_millis(200) });
    let mut streams: Vec<TcpStream> = (0..7).map(|_| connect(&server)).collect();
    for stream in &mut streams {
        send(stream, "/", "");
    }
    for stream in &mut streams {
        receive(stream).unwrap();
    }
    assert_eq!(server.peak_in_flight(), 7);
}

#[test]
fn faults_strike_and_end_and_spare_robots_txt() {
    let server = Server::start(echo);
    server.set_faults(Faults { unavailable_percent: 100, ..Faults::default() });
    assert!(ask(&server, "/").unwrap().0.starts_with("HTTP/1.1 503"));
    assert!(ask(&server, "/robots.txt").unwrap().0.starts_with("HTTP/1.1 200"));
    server.set_faults(Faults { reset_percent: 100, ..Faults::default() });
    assert_eq!(ask(&server, "/").unwrap_err().kind(), ErrorKind::ConnectionReset);
    server.set_faults(Faults::default());
    assert!(ask(&server, "/").unwrap().0.starts_with("HTTP/1.1 200"));
}

#[test]
fn not_modified_travels_without_a_body_on_a_kept_connection() {
    let epoch = Arc::new(AtomicU64::new(0));
    let server = Server::start(Changing::new(20, Arc::clone(&epoch)));
    let mut stream = connect(&server);
    send(&mut stream, "/page/1.html", "");
    let (head, _) = receive(&mut stream).unwrap();
    let etag = head.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap().to_owned();
    let condition = format!("If-None-Match: {etag}\r\n");
    send(&mut stream, "/page/1.html", &condition);
    let (head, body) = receive(&mut stream).unwrap();
    assert!(head.starts_with("HTTP/1.1 304") && head.contains(&etag) && body.is_empty());
    epoch.store(1, Ordering::Relaxed);
    send(&mut stream, "/page/1.html", &condition);
    let (head, body) = receive(&mut stream).unwrap();
    assert!(head.starts_with("HTTP/1.1 200") && !body.is_empty());
}

#[test]
fn counts_are_told_over_the_wire_uncounted() {
    let server = Server::start(Lattice::new(5, 2));
    ask(&server, "/p/1.html").unwrap();
    ask(&server, "/p/1.html").unwrap();
    ask(&server, "/robots.txt").unwrap();
    let told = r#"{"total":3,"distinct":2,"max":2,"robots":1,"peak_in_flight":1}"#;
    assert_eq!(ask(&server, "/__counts").unwrap().1, told.as_bytes());
    assert_eq!(ask(&server, "/__counts").unwrap().1, told.as_bytes());
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let server = Server::start(echo);
    let address = std::net::SocketAddr::from(([127, 0, 0, 1], server.port()));
    assert!(Server::start_on(address, echo).is_err());
}

#[test]
fn the_binary_serves_until_its_input_closes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_groma-testweb"))
        .args(["lattice", "pages=5"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut base = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut base).unwrap();
    let mut stream = TcpStream::connect(base.trim().strip_prefix("http://").unwrap()).unwrap();
    send(&mut stream, "/p/4.html", "");
    assert!(receive(&mut stream).unwrap().0.starts_with("HTTP/1.1 200"));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());

    let wrong = Command::new(env!("CARGO_BIN_EXE_groma-testweb")).arg("nowhere").output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8(wrong.stderr).unwrap().contains("nowhere: there is no such site"));
}

#[test]
fn a_body_reaches_the_web_and_the_next_request_is_behind_it() {
    let server = Server::start(|ask: &Ask| {
        Answer::text(format!("{} {:?} {}", ask.method, ask.header("cookie"), String::from_utf8_lossy(&ask.body)))
    });
    let mut stream = connect(&server);
    let head = "POST /f HTTP/1.1\r\nHost: test.example\r\nCookie: a=b\r\nContent-Length: 7\r\n\r\n";
    // The body comes late and with the next request at its end.
    stream.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(20));
    stream.write_all(b"x=1&y=2GET /g HTTP/1.1\r\nHost: test.example\r\n\r\n").unwrap();
    assert_eq!(receive(&mut stream).unwrap().1, b"POST Some(\"a=b\") x=1&y=2");
    assert_eq!(receive(&mut stream).unwrap().1, b"GET None ");
    let mut stream = connect(&server);
    stream.write_all(b"POST /f HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999\r\n\r\n").unwrap();
    assert!(receive(&mut stream).unwrap().0.starts_with("HTTP/1.1 413 "));
}
