//! The messages inside records: heads made fit to be kept, answers read back.
//!
//! What archives hold is whatever some server once said, through whatever wrote it down: heads without an end, bodies whose chunks
//! are gone though the head names them, status lines that are none. Reading never fails; it gives less.

use crate::record::Fields;

/// What is written in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// A head as it may be kept: the values of fields for whose names `secret` says so are replaced, and a transfer coding that has been
/// undone is named as what it was.
pub fn fit_to_keep(head: &[u8], secret: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut kept = Vec::with_capacity(head.len() + 16);
    let (mut hidden, mut begun) = (false, 0);
    let ends = memchr::memchr_iter(b'\n', head).map(|at| at + 1).chain([head.len()]);
    for end in ends {
        let (first, line) = (begun == 0, &head[begun..end]);
        begun = end;
        let folded = matches!(line.first(), Some(b' ' | b'\t'));
        let colon = memchr::memchr(b':', line).filter(|_| !first && !folded);
        let Some(colon) = colon else {
            // What goes on with a secret is secret.
            if !(folded && hidden) {
                kept.extend_from_slice(line);
            }
            continue;
        };
        let name = line[..colon].trim_ascii();
        hidden = secret(name);
        if hidden {
            kept.extend_from_slice(&line[..=colon]);
            kept.extend_from_slice(format!(" {REDACTED}\r\n").as_bytes());
        } else {
            if name.eq_ignore_ascii_case(b"transfer-encoding") {
                kept.extend_from_slice(b"X-Orig-");
            }
            kept.extend_from_slice(line);
        }
    }
    kept
}

/// An answer as it was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status; 200 where there is no status line (HTTP/0.9).
    pub status: u16,
    /// Header fields, names in lower case, values with bytes outside ASCII read as Latin-1.
    pub headers: Vec<(String, String)>,
    /// The body, transfer coding undone.
    pub body: Vec<u8>,
    /// The chunks of the body break off.
    pub broken: bool,
}

impl Answer {
    /// The first value of a field; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Where the head of a message ends: after its empty line.
pub fn head_end(block: &[u8]) -> Option<usize> {
    let mut start = 0;
    while let Some(at) = block[start..].iter().position(|&byte| byte == b'\n') {
        let next = start + at + 1;
        match block.get(next..) {
            Some([b'\n', ..]) => return Some(next + 1),
            Some([b'\r', b'\n', ..]) => return Some(next + 2),
            Some([]) | None => return None,
            Some(_) => start = next,
        }
    }
    None
}

/// Reads the answer in the block of a response record.
pub fn answer(block: &[u8]) -> Answer {
    answer_of(block.to_vec())
}

/// The same of a block that nobody else needs: its body is not copied.
pub fn answer_of(mut block: Vec<u8>) -> Answer {
    if !block.starts_with(b"HTTP") {
        return Answer { status: 200, body: block, ..Answer::default() };
    }
    let end = head_end(&block).unwrap_or(block.len());
    let head = &block[..end];
    let (line, rest) = match head.iter().position(|&byte| byte == b'\n') {
        Some(at) => head.split_at(at + 1),
        None => (head, &[][..]),
    };
    let status = String::from_utf8_lossy(line).split_ascii_whitespace().nth(1).and_then(|code| code.parse().ok());
    let fields = Fields::read_latin1(rest).0;
    let headers: Vec<(String, String)> =
        fields.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect();
    block.drain(..end);
    let mut answer = Answer { status: status.unwrap_or(0), headers, body: block, broken: false };
    let coded = answer.header("transfer-encoding").is_some_and(|value| value.to_ascii_lowercase().contains("chunked"));
    if coded && let Some((body, whole)) = dechunked(&answer.body) {
        (answer.body, answer.broken) = (body, !whole);
    }
    answer
}

/// A chunked body as one piece, and whether its last chunk was there; nothing if it is not chunked at all.
fn dechunked(coded: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut body = Vec::with_capacity(coded.len());
    let mut rest = coded;
    loop {
        let Some(end) = rest.iter().take(1024).position(|&byte| byte == b'\n') else {
            return (!body.is_empty()).then_some((body, false));
        };
        let line = String::from_utf8_lossy(&rest[..end]);
        let size = line.split(';').next().unwrap_or_default().trim();
        let Ok(size) = usize::from_str_radix(size, 16) else {
            return (!body.is_empty()).then_some((body, false));
        };
        rest = &rest[end + 1..];
        if size == 0 {
            return Some((body, true));
        }
        if size > rest.len() {
            body.extend_from_slice(rest);
            return Some((body, false));
        }
        body.extend_from_slice(&rest[..size]);
        rest = &rest[size..];
        rest = rest.strip_prefix(b"\r\n").or(rest.strip_prefix(b"\n")).unwrap_or(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_left_out_and_everything_else_is_as_it_was() {
        let head = b"GET /a?cookie: x HTTP/1.1\r\nHost: a\r\nCookie: a=b\r\n more\r\naccept:  x\r\n\r\n";
        let kept = fit_to_keep(head, |name| name.eq_ignore_ascii_case(b"cookie"));
        let text = String::from_utf8(kept).unwrap();
        assert_eq!(text, "GET /a?cookie: x HTTP/1.1\r\nHost: a\r\nCookie: [redacted]\r\naccept:  x\r\n\r\n");
        let kept = fit_to_keep(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", |_| false);
        assert_eq!(kept, b"HTTP/1.1 200 OK\r\nX-Orig-Transfer-Encoding: chunked\r\n\r\n");
    }

    #[test]
    fn answers_are_read_whatever_wrote_them_down() {
        let read = |text: &str| answer(text.as_bytes());
        let plain = read("HTTP/1.1 404 Not Found\r\nA: b\r\n\r\nbody");
        assert_eq!((plain.status, plain.header("a"), plain.body.as_slice()), (404, Some("b"), &b"body"[..]));
        assert_eq!(read("HTTP/1.0 200 OK\nA: b\n\nx").body, b"x");
        let chunked = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n");
        assert_eq!((chunked.body.as_slice(), chunked.broken), (&b"abcde"[..], false));
        let gone = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n<html>");
        assert_eq!((gone.body.as_slice(), gone.broken), (&b"<html>"[..], false));
        let torn = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc");
        assert_eq!((torn.body.as_slice(), torn.broken), (&b"abc"[..], true));
        let huge = read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc");
        assert_eq!((huge.body.as_slice(), huge.broken), (&b"abc"[..], true));
        assert_eq!(read("<html>old").body, b"<html>old");
        assert_eq!(read("HTTP/1.1 200 OK\r\nA: b").status, 200);
        assert_eq!(read("HTTP").status, 0);
        assert_eq!(read("").status, 200);
    }
}
