//! The head of an HTTP/1 request, read from bytes.
//!
//! As much of RFC 9112 as clients of a test need: request line in origin or absolute form, header fields without
//! folding, keep-alive of 1.1 and 1.0. Cost is linear in the bytes. What is not a request is told so, never guessed.

use crate::Ask;

/// A request head, and how the connection goes on after it.
#[derive(Debug)]
pub(crate) struct Head {
    /// What is asked; `nth` and `serial` are still to be filled in.
    pub(crate) ask: Ask,
    /// Bytes of body that follow.
    pub(crate) body: usize,
    /// Whether the client keeps the connection.
    pub(crate) keep: bool,
}

/// Where the head ends (behind the empty line), if it does; `from` is how much was looked at before.
pub(crate) fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let from = from.saturating_sub(3);
    bytes.get(from..)?.windows(4).position(|w| w == b"\r\n\r\n").map(|at| from + at + 4)
}

/// Reads a head; `None` if it is none, or has a body of unknown length.
pub(crate) fn parse(head: &[u8]) -> Option<Head> {
    let text = std::str::from_utf8(head).ok()?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target, version) = (first.next()?, first.next()?, first.next()?);
    if method.is_empty() || target.is_empty() || first.next().is_some() {
        return None;
    }
    let mut keep = match version {
        "HTTP/1.1" => true,
        "HTTP/1.0" => false,
        _ => return None,
    };
    let mut body = 0;
    let mut headers = Vec::with_capacity(8);
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        let (name, value) = (name.to_ascii_lowercase(), value.trim());
        match name.as_str() {
            "connection" if value.eq_ignore_ascii_case("close") => keep = false,
            "connection" if value.eq_ignore_ascii_case("keep-alive") => keep = true,
            "content-length" => body = value.parse().ok()?,
            "transfer-encoding" => return None,
            _ => {}
        }
        headers.push((name, value.to_owned()));
    }
    let mut ask = Ask { method: method.to_owned(), headers, ..Ask::default() };
    match target.split_once("://") {
        Some((_, rest)) if !target.starts_with('/') => {
            let at = rest.find(['/', '?']).unwrap_or(rest.len());
            let (host, path) = rest.split_at(at);
            ask.host = host.to_owned();
            ask.path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        }
        _ => {
            ask.host = ask.header("host").unwrap_or_default().to_owned();
            ask.path = target.to_owned();
        }
    }
    Some(Head { ask, body, keep })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(head: &str) -> Option<Head> {
        parse(head.as_bytes())
    }

    #[test]
    fn an_ordinary_request_is_read() {
        let head = read("GET /a?b=c HTTP/1.1\r\nHost: h:80\r\nIf-None-Match:  \"x\"\r\n\r\n").unwrap();
        assert_eq!(
            (head.ask.method.as_str(), head.ask.path.as_str(), head.ask.host.as_str()),
            ("GET", "/a?b=c", "h:80")
        );
        assert_eq!(head.ask.header("if-none-match"), Some("\"x\""));
        assert!(head.keep && head.body == 0);
    }

    #[test]
    fn absolute_form_names_the_host() {
        let head = read("GET http://other.example/x HTTP/1.1\r\nHost: proxy\r\n\r\n").unwrap();
        assert_eq!((head.ask.host.as_str(), head.ask.path.as_str()), ("other.example", "/x"));
        assert_eq!(read("GET http://other.example?q HTTP/1.1\r\n\r\n").unwrap().ask.path, "/?q");
        assert_eq!(read("GET /to?u=http://x/ HTTP/1.1\r\n\r\n").unwrap().ask.path, "/to?u=http://x/");
    }

    #[test]
    fn keep_alive_follows_version_and_header() {
        assert!(!read("GET / HTTP/1.0\r\n\r\n").unwrap().keep);
        assert!(read("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").unwrap().keep);
        assert!(!read("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").unwrap().keep);
    }

    #[test]
    fn what_is_no_request_is_refused() {
        for bad in
            ["", "GET /", "GET / HTTP/2.0\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"]
        {
            assert!(read(bad).is_none(), "{bad:?}");
        }
        assert!(read("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").is_none());
        assert!(parse(b"GET /\xff HTTP/1.1\r\n\r\n").is_none());
    }

    #[test]
    fn the_end_is_found_across_reads() {
        let bytes = b"GET / HTTP/1.1\r\n\r\nrest";
        assert_eq!(end_of_head(bytes, 0), Some(18));
        assert_eq!(end_of_head(bytes, 17), Some(18));
        assert_eq!(end_of_head(b"GET / HT", 0), None);
        assert_eq!(end_of_head(b"", 0), None);
    }
}
