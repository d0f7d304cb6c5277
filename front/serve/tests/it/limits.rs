//! Too much, too long, too slow.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::House;

#[test]
fn what_is_too_long_is_refused() {
    let house = House::open(|_| {});
    let browser = house.browser();
    let headers =
        [("Cookie", browser.cookie.as_str()), ("X-Csrf-Token", &browser.csrf), ("Content-Type", "application/json")];
    let long = vec![b'x'; 300 * 1024];
    assert_eq!(house.ask("POST", "/api/v1/sites", &headers, &long).status, 413);
    // Without a word about its length.
    let mut stream = TcpStream::connect(house.at).unwrap();
    let head = format!(
        "POST /api/v1/sites HTTP/1.1\r\nHost: {}\r\nCookie: {}\r\nX-Csrf-Token: {}\r\nTransfer-Encoding: chunked\r\n\
         Content-Type: application/json\r\nConnection: close\r\n\r\n",
        house.host(),
        browser.cookie,
        browser.csrf
    );
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..20 {
        if write!(stream, "{:x}\r\n", 16 * 1024).and_then(|()| stream.write_all(&long[..16 * 1024])).is_err() {
            break;
        }
        let _ = stream.write_all(b"\r\n");
    }
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).unwrap_or(0);
    assert!(String::from_utf8_lossy(&answer[..read]).contains(" 413 "), "{}", String::from_utf8_lossy(&answer[..read]));
    let path = format!("/{}", "a".repeat(9_000));
    assert_eq!(house.get(&path).status, 414);
    let wide = "h".repeat(40_000);
    // 0: cut off before the answer could be read.
    assert!(matches!(house.ask("GET", "/", &[("X-Wide", &wide)], b"").status, 431 | 400 | 0));
    let many: Vec<(String, String)> = (0..200).map(|n| (format!("X-{n}"), "1".into())).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert!(matches!(house.ask("GET", "/", &many, b"").status, 431 | 400));
    assert_eq!(house.get("/healthz").status, 200, "and it lives");
}

#[test]
fn who_says_nothing_is_cut_off() {
    let house = House::open(|_| {});
    let since = Instant::now();
    let mut silent = TcpStream::connect(house.at).unwrap();
    let mut slow = TcpStream::connect(house.at).unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n").unwrap();
    let dripping = std::thread::spawn(move || {
        // A letter now and then does not start the clock anew.
        for letter in "X-Slow: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".bytes().cycle() {
            if slow.write_all(&[letter]).is_err() || since.elapsed() > Duration::from_secs(40) {
                break;
            }
            std::thread::sleep(Duration::from_millis(400));
        }
        since.elapsed()
    });
    silent.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
    let mut rest = Vec::new();
    let _ = silent.read_to_end(&mut rest);
    assert!(since.elapsed() < Duration::from_secs(35), "{:?}", since.elapsed());
    assert!(dripping.join().unwrap() < Duration::from_secs(35));
}

#[test]
fn a_hundred_slow_ones_do_not_keep_others_out() {
    let house = House::open(|_| {});
    let mut held: Vec<TcpStream> = (0..100).map(|_| TcpStream::connect(house.at).unwrap()).collect();
    for stream in &mut held {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    }
    let since = Instant::now();
    assert_eq!(house.get("/healthz").status, 200);
    assert!(since.elapsed() < Duration::from_secs(15));
}

#[test]
fn garbage_is_refused_and_survived() {
    let house = House::open(|_| {});
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"\r\n\r\n\r\n",
        b"GET\r\n\r\n",
        b"G\0T / HTTP/9.9\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(house.at).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(garbage).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!String::from_utf8_lossy(&answer).contains(" 200 "));
    }
    assert_eq!(house.get("/healthz").status, 200);
}
