//! Who keeps what was said, word for word? A [`Recorder`] is shown every exchange before anybody else hears of its answer, and whoever
//! writes a survey lets it settle first: what is in a survey is therefore in its archive, whenever the program is killed.
//!
//! Heads of HTTP/1.x are as they went over the wire. HTTP/2 has no words: its heads are written as HTTP/1.1 would say them.

use std::io;
use std::path::PathBuf;

use groma_model::{Method, Request, Response};
use http::{HeaderMap, StatusCode};

/// One request and its answer.
pub struct Exchange {
    /// What was asked for.
    pub request: Request,
    /// The head of the request as it was sent, with its empty line.
    pub sent: Vec<u8>,
    /// The head of the answer as it came, with its empty line.
    pub head: Vec<u8>,
    /// The answer. Its body is whole as far as the limits go, whatever its type.
    pub response: Response,
    /// When it was asked, in seconds since 1970.
    pub at: i64,
    /// Fields of the user's own (`-H`): what they hold is secret. Names in lower case.
    pub secrets: std::sync::Arc<[String]>,
    /// Somebody is logged in, or cookies are kept: what servers set is secret too.
    pub private: bool,
}

impl Exchange {
    /// The body of the request, if it was a POST.
    pub fn posted(&self) -> &[u8] {
        match &self.request.method {
            Method::Get | Method::Head => &[],
            Method::Post { body, .. } => body,
        }
    }

    /// Is the value of this field nobody's business?
    pub fn is_secret(&self, name: &[u8]) -> bool {
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        ["authorization", "proxy-authorization", "cookie"].into_iter().any(is)
            || (self.private && ["set-cookie", "set-cookie2"].into_iter().any(is))
            || self.secrets.iter().any(|secret| is(secret))
    }
}

/// Why nothing more can be kept.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// Where it was to be kept.
    pub path: PathBuf,
    /// What kind of trouble.
    pub kind: io::ErrorKind,
    /// What the system said.
    pub says: String,
}

/// Keeps what was said.
pub trait Recorder: Send + Sync + 'static {
    /// Keeps an exchange, or there is trouble. Called from the threads that fetch: what takes its time, such as waiting for a disk, is
    /// done elsewhere.
    fn record(&self, exchange: &Exchange);

    /// Gives every exchange that was kept into the hands of the system, or says why nothing more can be kept.
    fn settle(&self) -> Result<(), Trouble>;
}

/// A head that was never said, as HTTP/1.1 would say it.
pub(crate) fn spelled(first: &str, fields: &HeaderMap) -> Vec<u8> {
    let mut head = format!("{first}\r\n").into_bytes();
    for (name, value) in fields {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
    head
}

/// The first line of an answer that was never said.
pub(crate) fn status_line(status: StatusCode) -> String {
    format!("HTTP/1.1 {} {}", status.as_str(), status.canonical_reason().unwrap_or_default())
}
