//! A webhook is signed, goes where it was meant to go, and nowhere else.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use groma_notify::{Hook, NotifyError, Secret, signature};

const SECRET: &str = "a secret of some length";

/// Head and body of a request.
type Sent = (String, Vec<u8>);

/// A receiver that gives every message the same answer.
struct Receiver {
    port: u16,
    requests: Arc<Mutex<Vec<Sent>>>,
}

fn read(stream: &mut TcpStream) -> Option<Sent> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let length = field(&head, "content-length")?.parse().unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some((head, body))
}

fn field(head: &str, name: &str) -> Option<String> {
    let mut fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
}

impl Receiver {
    fn answers(answer: &'static str) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let Some(request) = read(&mut stream) else { continue };
                kept.lock().unwrap().push(request);
                if answer == "silence" {
                    thread::sleep(Duration::from_secs(3));
                }
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Receiver { port, requests }
    }

    fn hook(&self, private: bool) -> Hook {
        let url = format!("http://127.0.0.1:{}/hooks/T0?x=1", self.port);
        Hook::new(&url, Secret::new(SECRET), private).unwrap().direct()
    }

    fn requests(&self) -> Vec<Sent> {
        self.requests.lock().unwrap().clone()
    }
}

#[test]
fn the_receiver_can_check_who_wrote_and_when() {
    let receiver = Receiver::answers("HTTP/1.1 204 No Content\r\n\r\n");
    let body = "{\"title\":\"caf\u{e9}\"}";
    receiver.hook(true).send("0a1b", body, 1_763_200_000).unwrap();
    let [(head, sent)] = receiver.requests().try_into().unwrap();
    assert!(head.starts_with("POST /hooks/T0?x=1 HTTP/1.1\r\n"), "{head}");
    assert_eq!(sent, body.as_bytes());
    let value = |name: &str| field(&head, name).unwrap();
    assert_eq!(value("content-type"), "application/json");
    assert_eq!((value("x-groma-delivery"), value("x-groma-timestamp")), ("0a1b".into(), "1763200000".into()));
    let timestamp = value("x-groma-timestamp").parse().unwrap();
    assert_eq!(value("x-groma-signature"), signature(&Secret::new(SECRET), timestamp, &sent));
    for (secret, at, bytes) in
        [("another secret, as long", timestamp, &sent[..]), (SECRET, timestamp + 1, &sent), (SECRET, timestamp, b"{}")]
    {
        assert_ne!(value("x-groma-signature"), signature(&Secret::new(secret), at, bytes), "a forgery is seen");
    }
    assert!(!head.contains(SECRET));
}

#[test]
fn private_addresses_are_refused_unless_they_are_meant() {
    let receiver = Receiver::answers("HTTP/1.1 204 No Content\r\n\r\n");
    let error = receiver.hook(false).send("1", "{}", 1).unwrap_err();
    assert!(matches!(error, NotifyError::Private { .. }), "{error:?}");
    assert!(!error.passing() && error.hint().contains("webhook_private"));
    for host in ["localhost", "[::1]", "127.1", "169.254.169.254", "[::ffff:127.0.0.1]"] {
        let url = format!("http://{host}:{}/", receiver.port);
        let error = Hook::new(&url, Secret::new(SECRET), false).unwrap().direct().send("1", "{}", 1).unwrap_err();
        assert!(matches!(error, NotifyError::Private { .. }), "{host}: {error:?}");
    }
    assert!(receiver.requests().is_empty());
}

#[test]
fn answers_are_understood() {
    let cases = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", None, false),
        (
            "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n",
            Some("redirects"),
            false,
        ),
        ("HTTP/1.1 307 X\r\nContent-Length: 0\r\n\r\n", Some("redirects"), false),
        ("HTTP/1.1 400 X\r\nContent-Length: 3\r\n\r\nno\x1b", Some("refuses it (400): no"), false),
        ("HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", Some("(404)"), false),
        ("HTTP/1.1 410 X\r\nContent-Length: 0\r\n\r\n", Some("wants no more"), false),
        ("HTTP/1.1 429 X\r\nContent-Length: 0\r\n\r\n", Some("(429)"), true),
        ("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n", Some("(500)"), true),
        ("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n", Some("(503)"), true),
        ("", Some("broke off"), true),
        ("220 postbox ESMTP\r\n\r\n", Some("protocol"), true),
    ];
    for (answer, says, passing) in cases {
        let receiver = Receiver::answers(answer);
        let result = receiver.hook(true).send("1", "{}", 1);
        match (result, says) {
            (Ok(()), None) => {}
            (Err(error), Some(says)) => {
                let told = error.to_string();
                assert!(
                    told.contains(says) && !told.contains("hooks/T0") && !told.contains('\x1b'),
                    "{answer}: {told}"
                );
                assert_eq!(error.passing(), passing, "{answer}");
            }
            (result, _) => panic!("{answer}: {result:?}"),
        }
        assert_eq!(receiver.requests().len(), 1, "asked once, and nobody else: {answer}");
    }
}

#[test]
fn silence_ends_after_a_while() {
    let receiver = Receiver::answers("silence");
    let begun = Instant::now();
    let error = receiver.hook(true).within(300).send("1", "{}", 1).unwrap_err();
    assert!(matches!(error, NotifyError::TimeOut(_)) && error.passing(), "{error:?}");
    assert!(begun.elapsed() < Duration::from_secs(15));
}
