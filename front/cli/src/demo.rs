//! A web server for the demonstration: HTTP/1.1 on loopback, a thread for each connection, nothing but GET and HEAD.
//!
//! Robust rather than fast: a request head of at most 16 KiB within ten seconds, at most 64 connections, and nothing a client
//! sends is looked at but the first line and a few header fields.

pub(crate) mod site;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use site::Answer;

const HEAD_BYTES: u64 = 16 << 10;
const PATIENCE: Duration = Duration::from_secs(10);
const CONNECTIONS: usize = 64;

/// The built-in site, being served. Dropping it ends it.
pub(crate) struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves on a port of 127.0.0.1; 0 for any free one.
    pub(crate) fn start(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let thread = std::thread::Builder::new().name("demo".into()).spawn({
            let stop = Arc::clone(&stop);
            move || accept(&listener, &stop)
        })?;
        Ok(Server { address, stop, thread: Some(thread) })
    }

    /// URL of the start page.
    pub(crate) fn base(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the process ends.
    pub(crate) fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The thread waits for a connection: here is one.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn accept(listener: &TcpListener, stop: &AtomicBool) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Out of descriptors, or the client is gone already: neither is lasting.
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        if open.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS {
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let counted = Arc::clone(&open);
        let spawned = std::thread::Builder::new().name("demo connection".into()).spawn(move || {
            // How a connection ends is the client's to notice.
            let _ = serve(stream);
            counted.fetch_sub(1, Ordering::Relaxed);
        });
        if spawned.is_err() {
            open.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

fn serve(stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader)? {
        let answer = match request.method.as_str() {
            "GET" | "HEAD" => site::answer(&request.path, &request.host, request.if_none_match.as_deref()),
            _ => Answer::status(405),
        };
        writer.write_all(&written(&answer, &request))?;
        if request.closes {
            break;
        }
    }
    Ok(())
}

struct Request {
    method: String,
    path: String,
    /// Whom the client believes to talk to.
    host: String,
    if_none_match: Option<String>,
    /// The connection ends after the answer.
    closes: bool,
}

/// The next request; nothing if the client is done, or does not speak HTTP.
fn read_request(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut head = reader.by_ref().take(HEAD_BYTES);
    let mut line = Vec::new();
    head.read_until(b'\n', &mut line)?;
    let first = String::from_utf8_lossy(&line).trim().to_owned();
    let mut words = first.split(' ');
    let (Some(method), Some(path), Some(version)) = (words.next(), words.next(), words.next()) else { return Ok(None) };
    // A client that talks to a proxy names the whole address.
    let path = path.strip_prefix("http://").map_or(path, |rest| rest.find('/').map_or("/", |at| &rest[at..]));
    let mut request = Request {
        method: method.to_owned(),
        path: path.to_owned(),
        host: String::new(),
        if_none_match: None,
        closes: version != "HTTP/1.1",
    };
    loop {
        line.clear();
        if head.read_until(b'\n', &mut line)? == 0 {
            return Ok(None); // Broken off, or too long.
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            return Ok(Some(request));
        }
        let Some((name, value)) = text.split_once(':') else { continue };
        match name.to_ascii_lowercase().as_str() {
            "host" => request.host = value.trim().to_owned(),
            "if-none-match" => request.if_none_match = Some(value.trim().to_owned()),
            "connection" if value.trim().eq_ignore_ascii_case("close") => request.closes = true,
            // What follows would be a body, and bodies are not read here.
            "content-length" | "transfer-encoding" => request.closes = true,
            _ => {}
        }
    }
}

fn written(answer: &Answer, request: &Request) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} {}\r\n", answer.status, answer.phrase());
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if answer.status != 304 {
        head.push_str(&format!("Content-Length: {}\r\n", answer.body.len()));
    }
    head.push_str(if request.closes { "Connection: close\r\n\r\n" } else { "\r\n" });
    let mut bytes = head.into_bytes();
    if request.method != "HEAD" && answer.status != 304 {
        bytes.extend_from_slice(&answer.body);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(server: &Server, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        // The server may hang up on nonsense while it is still being sent.
        let _ = stream.write_all(request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn it_speaks_http_and_survives_nonsense() {
        let server = Server::start(0).unwrap();
        let home = ask(&server, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(home.starts_with("HTTP/1.1 200 OK\r\n") && home.contains("</html>"), "{home}");
        let two = ask(&server, b"HEAD / HTTP/1.1\r\n\r\nGET /none HTTP/1.1\r\nConnection: close\r\n\r\n");
        assert!(two.starts_with("HTTP/1.1 200") && two.contains("\r\n\r\nHTTP/1.1 404"), "{two}");
        assert!(ask(&server, b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc").starts_with("HTTP/1.1 405"));
        for nonsense in [b"\r\n\r\n".to_vec(), vec![0xff; 40_000], b"GET".to_vec(), Vec::new()] {
            assert_eq!(ask(&server, &nonsense), "");
        }
        let etag = home.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap();
        let again = ask(&server, format!("GET / HTTP/1.1\r\nIf-None-Match: {etag}\r\n\r\n").as_bytes());
        assert!(again.starts_with("HTTP/1.1 304"), "{again}");
    }
}
