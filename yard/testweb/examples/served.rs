//! How many small answers a second does the server give?
//!
//! `cargo run --release -p groma-testweb --example served [requests]`
//!
//! One thread keeps sixteen connections busy in turn, a request each at a time. Printed are requests by wall time and,
//! since a loaded machine says little by wall time, requests by CPU time of the server's thread (from `/proc`).
//! Every answer is checked.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;

use groma_testweb::Server;
use groma_testweb::sites::Lattice;

const CONNECTIONS: usize = 16;

fn main() -> std::io::Result<()> {
    let requests: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(200_000);
    let site = Lattice::new(2000, 10);
    let server = Server::start(site);
    let mut streams = Vec::new();
    for _ in 0..CONNECTIONS {
        let stream = TcpStream::connect(("127.0.0.1", server.port()))?;
        stream.set_nodelay(true)?;
        streams.push(stream);
    }
    let (begin, mut sent, mut bytes, mut buffer) = (Instant::now(), 0, 0, vec![0; 64 * 1024]);
    while sent < requests {
        for (k, stream) in streams.iter_mut().enumerate() {
            let path = site.path((sent + k) % site.pages);
            stream
                .write_all(format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: load\r\n\r\n").as_bytes())?;
        }
        for stream in &mut streams {
            let mut filled = 0;
            while !buffer[..filled].ends_with(b"</html>\n") {
                filled += stream.read(&mut buffer[filled..])?;
            }
            assert!(buffer.starts_with(b"HTTP/1.1 200 OK\r\n"), "every path is a page");
            bytes += filled;
        }
        sent += CONNECTIONS;
    }
    let wall = begin.elapsed().as_secs_f64();
    assert_eq!(server.total(), sent as u64, "every request was counted");
    let mean = bytes / sent;
    println!("{sent} requests, {mean} bytes each: {wall:.2} s, {:.0} a second", sent as f64 / wall);
    if let Some(cpu) = server_cpu() {
        println!("server's thread: {cpu:.2} CPU s, {:.0} requests in a CPU second", sent as f64 / cpu);
    }
    Ok(())
}

/// CPU seconds of the server's thread so far, where there is a `/proc` with the usual hundred ticks a second.
fn server_cpu() -> Option<f64> {
    for task in std::fs::read_dir("/proc/self/task").ok()?.flatten() {
        let stat = std::fs::read_to_string(task.path().join("stat")).ok()?;
        let (name, rest) = stat.split_once(") ")?;
        if name.ends_with("(testweb") {
            let fields: Vec<&str> = rest.split(' ').collect();
            let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
            return Some(ticks as f64 / 100.0);
        }
    }
    None
}
