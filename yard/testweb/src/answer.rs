//! What a web answers, and the manner in which the answer travels.

use std::time::Duration;

/// An answer of a web.
#[derive(Clone, Debug)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Header fields. `Content-Length` is added unless it, or `Transfer-Encoding`, stands here: a web may lie.
    pub headers: Vec<(String, String)>,
    /// The body, as it goes over the wire.
    pub body: Vec<u8>,
    /// How the answer travels.
    pub manner: Manner,
}

/// How an answer travels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// At once and whole.
    #[default]
    Plain,
    /// Whole, after a wait.
    Delay(Duration),
    /// The connection is reset (a TCP RST) before a byte is sent.
    ResetBeforeHeader,
    /// The header and half of the body are sent, then the connection is reset.
    ResetMidBody,
    /// Nothing is ever sent; the connection stays open as long as the client keeps it.
    StallForever,
    /// The header at once, then the body a byte at a time with this pause before each.
    DripEach(Duration),
}

impl Answer {
    /// A page: 200, `text/html` in UTF-8.
    pub fn html(body: impl Into<String>) -> Answer {
        Answer::typed("text/html; charset=utf-8", body.into())
    }

    /// A plain text: 200, `text/plain` in UTF-8.
    pub fn text(body: impl Into<String>) -> Answer {
        Answer::typed("text/plain; charset=utf-8", body.into())
    }

    /// 200 with some bytes of a media type.
    pub fn typed(media: &str, body: impl Into<Vec<u8>>) -> Answer {
        Answer {
            status: 200,
            headers: vec![("Content-Type".into(), media.into())],
            body: body.into(),
            manner: Manner::Plain,
        }
    }

    /// A status with a short page that says so (none where HTTP forbids a body).
    pub fn status(status: u16) -> Answer {
        if bodiless(status) {
            return Answer { status, headers: Vec::new(), body: Vec::new(), manner: Manner::Plain };
        }
        Answer { status, ..Answer::html(format!("<title>{status}</title><p>Status {status}.")) }
    }

    /// A redirect of some status to a location, which is sent as it stands.
    pub fn redirect(status: u16, location: &str) -> Answer {
        Answer::status(status).with_header("Location", location)
    }

    /// The same with one more header.
    pub fn with_header(mut self, name: &str, value: &str) -> Answer {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// The same, travelling in another manner.
    pub fn with_manner(mut self, manner: Manner) -> Answer {
        self.manner = manner;
        self
    }

    /// The value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    /// The answer as it goes over the wire, and where in it the body begins.
    pub(crate) fn write(&self, head_only: bool, out: &mut Vec<u8>) -> usize {
        use std::io::Write as _;
        out.clear();
        // Writing to memory cannot fail.
        let _ = write!(out, "HTTP/1.1 {} {}\r\n", self.status, phrase(self.status));
        for (name, value) in &self.headers {
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value.as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        let none = bodiless(self.status);
        if !none && self.header("content-length").is_none() && self.header("transfer-encoding").is_none() {
            let _ = write!(out, "Content-Length: {}\r\n", self.body.len());
        }
        out.extend_from_slice(b"\r\n");
        let body_at = out.len();
        if !none && !head_only {
            out.extend_from_slice(&self.body);
        }
        body_at
    }

    /// Whether the connection cannot be used again: the answer says so, or lies about its length.
    pub(crate) fn closes(&self) -> bool {
        self.header("connection").is_some_and(|v| v.eq_ignore_ascii_case("close"))
            || self.header("content-length").is_some_and(|v| v.parse() != Ok(self.body.len()))
    }
}

/// Statuses after which HTTP allows no body.
fn bodiless(status: u16) -> bool {
    status < 200 || status == 204 || status == 304
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(answer: &Answer, head_only: bool) -> String {
        let mut out = Vec::new();
        answer.write(head_only, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn length_is_added_unless_the_web_says_another() {
        assert!(wire(&Answer::text("four"), false).ends_with("Content-Length: 4\r\n\r\nfour"));
        let lie = Answer::text("four").with_header("content-length", "9");
        assert!(wire(&lie, false).contains("content-length: 9\r\n\r\nfour"));
        assert!(!wire(&lie, false).contains("Content-Length: 4"));
        assert!(lie.closes());
        assert!(!Answer::text("four").closes());
    }

    #[test]
    fn head_and_304_have_no_body() {
        assert!(wire(&Answer::text("four"), true).ends_with("Content-Length: 4\r\n\r\n"));
        let mut unchanged = Answer::status(304);
        unchanged.body = b"never sent".to_vec();
        assert_eq!(wire(&unchanged, false), "HTTP/1.1 304 Not Modified\r\n\r\n");
    }
}
