//! A program that calls the API: one connection, one question at a time.
//!
//! HTTP/1.1 as far as the server speaks it: answers have a length or come in chunks. An answer that breaks off is an error here,
//! never half an answer.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// No answer is larger.
const MOST: u64 = 64 << 20;
/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of the API that keeps its connection open.
pub(crate) struct Caller {
    address: SocketAddr,
    token: String,
    open: Option<BufReader<TcpStream>>,
}

/// An answer of the API.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// The body as JSON; null if it is none.
    pub(crate) body: Value,
}

impl Caller {
    /// Calls this URL, with a token if it is not empty.
    pub(crate) fn new(address: SocketAddr, token: &str) -> Caller {
        Caller { address, token: token.to_owned(), open: None }
    }

    /// Asks for something. A connection that was closed because nobody used it is opened again.
    pub(crate) fn get(&mut self, path: &str) -> io::Result<Reply> {
        let kept = self.open.is_some();
        match self.send("GET", path, "") {
            Err(error) if kept && error.kind() != io::ErrorKind::InvalidData => self.send("GET", path, ""),
            other => other,
        }
    }

    /// Asks for a change.
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> io::Result<Reply> {
        self.send("POST", path, &body.to_string())
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<Reply> {
        let mut stream = match self.open.take() {
            Some(stream) => stream,
            None => {
                let stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_nodelay(true)?;
                BufReader::new(stream)
            }
        };
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.address);
        if !self.token.is_empty() {
            head += &format!("Authorization: Bearer {}\r\n", self.token);
        }
        if !body.is_empty() {
            head += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        stream.get_mut().write_all(format!("{head}\r\n{body}").as_bytes())?;
        let (status, body, stays) = read(&mut stream)?;
        self.open = stays.then_some(stream);
        Ok(Reply { status, body: serde_json::from_slice(&body).unwrap_or(Value::Null) })
    }
}

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

fn line(stream: &mut impl io::BufRead) -> io::Result<String> {
    let mut line = String::new();
    stream.take(64 << 10).read_line(&mut line)?;
    if !line.ends_with('\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

/// Status, body, and whether the connection stays open.
fn read(stream: &mut impl io::BufRead) -> io::Result<(u16, Vec<u8>, bool)> {
    let first = line(stream)?;
    let status = first.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(|| bad(&first))?;
    let (mut length, mut chunked, mut stays) = (None, false, true);
    loop {
        let field = line(stream)?;
        if field.is_empty() {
            break;
        }
        let (name, value) = field.split_once(':').ok_or_else(|| bad(&field))?;
        let value = value.trim().to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = Some(value.parse::<u64>().map_err(|_| bad(&field))?),
            "transfer-encoding" => chunked = value == "chunked",
            "connection" => stays = value != "close",
            _ => {}
        }
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let size = line(stream)?;
            let size = u64::from_str_radix(&size, 16).map_err(|_| bad(&size))?;
            exactly(stream, size, &mut body)?;
            line(stream)?;
            if size == 0 {
                break;
            }
        }
    } else if let Some(length) = length {
        exactly(stream, length, &mut body)?;
    } else if status != 204 && status != 304 {
        return Err(bad("an answer without a length"));
    }
    Ok((status, body, stays))
}

fn exactly(stream: &mut impl io::BufRead, bytes: u64, body: &mut Vec<u8>) -> io::Result<()> {
    if body.len() as u64 + bytes > MOST {
        return Err(bad("an answer without end"));
    }
    let got = stream.take(bytes).read_to_end(body)?;
    if got as u64 == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// A text as part of a URL.
pub(crate) fn encoded(text: &str) -> String {
    groma_url::form_urlencoded::escape(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_whole_or_an_error() {
        let plain = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        assert_eq!(read(&mut &plain[..]).unwrap(), (200, b"{}".to_vec(), true));
        let chunks =
            b"HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n";
        assert_eq!(read(&mut &chunks[..]).unwrap(), (503, b"{}".to_vec(), false));
        for cut in [plain.len() - 1, 10, 0] {
            assert!(read(&mut &plain[..cut]).is_err(), "{cut}");
        }
        assert!(read(&mut &chunks[..chunks.len() - 4]).is_err());
        assert!(read(&mut &b"HTTP/1.1 200 OK\r\n\r\nno end"[..]).is_err());
    }
}
