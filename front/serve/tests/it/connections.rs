//! Many connections of which nothing comes: half a head, half a body, an answer nobody takes. None of them keeps others out.

use std::io::{Read, Write};
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::House;

/// More than the server has room for.
const MANY: usize = 640;

/// Connects from one of the addresses of this machine.
fn connect_from(from: IpAddr, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(from, 0)).unwrap();
        let stream = socket.connect(to).await.unwrap().into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream
    })
}

fn is_well(house: &House, when: &str) {
    let since = Instant::now();
    assert_eq!(house.get("/healthz").status, 200, "{when}");
    // Who is kept out waits for 10 seconds, until the server gives such connections up; a busy machine may well take 2.
    assert!(since.elapsed() < Duration::from_secs(9), "{when}: {:?}", since.elapsed());
}

fn flood(house: &House, sent: &str) -> Vec<TcpStream> {
    (0..MANY)
        .map(|_| {
            let mut stream = TcpStream::connect(house.at).unwrap();
            // One that has been cut in the meantime takes nothing any more.
            let _ = stream.write_all(sent.as_bytes());
            stream
        })
        .collect()
}

#[test]
fn half_a_head_keeps_nobody_out() {
    let house = House::open(|_| {});
    let held = flood(&house, "GET / HTTP/1.1\r\nHost: local");
    is_well(&house, "beside half heads");
    drop(held);
    let held = flood(&house, "");
    is_well(&house, "beside silence");
    drop(held);
}

#[test]
fn half_a_body_keeps_nobody_out() {
    let (house, admin, _) = House::with_people(|_| {});
    let head = format!(
        "POST /api/v1/sites HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {admin}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\n\r\n{{",
        house.host()
    );
    let held = flood(&house, &head);
    is_well(&house, "beside half bodies");
    drop(held);
}

#[test]
fn answers_that_nobody_takes_keep_nobody_out() {
    let house = House::open(|_| {});
    // Many requests at once, whose answers are never read.
    let one = format!("GET /assets/groma.css HTTP/1.1\r\nHost: {}\r\n\r\n", house.host());
    let held = flood(&house, &one.repeat(200));
    is_well(&house, "beside answers that nobody takes");
    drop(held);
}

#[test]
fn one_client_has_its_share_and_others_keep_theirs() {
    let house = House::open(|_| {});
    // Somebody else at the same moment, in the middle of a head.
    let mut modest = connect_from(IpAddr::from([127, 0, 0, 9]), house.at);
    let host = house.host();
    write!(modest, "GET /healthz HTTP/1.1\r\nHost: {host}\r\n").unwrap();
    let held = flood(&house, "GET / HTTP/1.1\r\n");
    let mut rest: Vec<TcpStream> = Vec::new();
    for last in 20..26 {
        for _ in 0..100 {
            let mut stream = connect_from(IpAddr::from([127, 0, 0, last]), house.at);
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            rest.push(stream);
        }
    }
    is_well(&house, "beside the half heads of many clients");
    modest.write_all(b"Connection: close\r\n\r\n").unwrap();
    modest.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut answer = String::new();
    modest.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 "),
        "who holds one connection is not cut for those who hold hundreds: {answer}"
    );
    // Of one client's connections the last are still open, and the first were cut.
    let is_open = |stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        let mut byte = [0];
        matches!(stream.peek(&mut byte), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    let open = held.iter().filter(|stream| is_open(stream)).count();
    assert!(open <= 128 && !is_open(&held[0]), "{open} of {MANY}");
}
