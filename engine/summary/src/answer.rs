//! What is said to whoever asks? Requests in, answers out; no socket.
//!
//! | request | answer |
//! |---|---|
//! | `GET /ID`, `GET /?id=ID` | the SOIF object of the document |
//! | `GET /all` | all objects, one after the other |
//! | `GET /` | ids and titles, a line each, with a tab between |
//! | `GET /healthz` | `ok`; the database is not asked |
//!
//! `HEAD` the same without the body. `If-None-Match` with the ETag of an earlier answer: `304` if nothing changed.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::error::SummaryError;
use crate::keep::Kept;
use crate::summarizer::Summarizer;

/// Octets of a title in the index.
const TITLE: usize = 500;

/// Names with a meaning of their own: a document with such an id is had by `/?id=ID`.
const RESERVED: [&str; 2] = ["all", "healthz"];

/// The parts of an HTTP request that matter here.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The path, as it was sent.
    pub path: &'a str,
    /// What stands behind the question mark.
    pub query: Option<&'a str>,
    /// Header `If-None-Match`.
    pub if_none_match: Option<&'a str>,
}

/// Answer to an HTTP request, to be sent by the server.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// Headers, names in small letters.
    pub headers: Vec<(&'static str, String)>,
    pub body: Body,
}

#[derive(Debug)]
pub enum Body {
    Empty,
    Text(String),
    /// Files, one after the other.
    Files(Vec<File>),
}

impl Body {
    /// Writes all of it.
    pub fn write(self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Body::Empty => Ok(()),
            Body::Text(text) => out.write_all(text.as_bytes()),
            Body::Files(files) => files.into_iter().try_for_each(|mut file| {
                let mut piece = vec![0; 1 << 16];
                loop {
                    match file.read(&mut piece)? {
                        0 => return Ok(()),
                        some => out.write_all(&piece[..some])?,
                    }
                }
            }),
        }
    }
}

impl Summarizer {
    /// Answers a request. Blocks while the database is read, up to [`Limits::wait`](crate::Limits).
    pub fn answer(self: &Arc<Self>, asked: &Asked<'_>) -> Answer {
        self.answer_within(asked, self.limits.wait)
    }

    /// The same, waiting as long as told.
    pub fn answer_within(self: &Arc<Self>, asked: &Asked<'_>, wait: Duration) -> Answer {
        let answer = match asked.method {
            "GET" | "HEAD" => self.get(asked, wait).unwrap_or_else(|error| refusal(&error)),
            _ => with(plain(405, "only GET and HEAD are answered"), "allow", "GET, HEAD".into()),
        };
        if asked.method == "HEAD" { Answer { body: Body::Empty, ..answer } } else { answer }
    }

    /// Writes the object of a document, whatever time it takes within the limits.
    pub fn once(self: &Arc<Self>, id: &str, out: &mut dyn Write) -> Result<(), Arc<SummaryError>> {
        let document = self.documents.document(id).map_err(Arc::new)?;
        let (_, file) = self.object(&document, self.patience())?;
        Body::Files(vec![file]).write(out).map_err(|error| Arc::new(error.into()))
    }

    /// Longer than any reading that keeps its time.
    pub(crate) fn patience(&self) -> Duration {
        self.limits.time.saturating_mul(2) + Duration::from_secs(60)
    }

    fn get(self: &Arc<Self>, asked: &Asked<'_>, wait: Duration) -> Result<Answer, Arc<SummaryError>> {
        let path = decoded(asked.path, false);
        let name = path.strip_prefix('/').unwrap_or(&path);
        let id = asked.query.and_then(|query| parameter(query, "id"));
        match (name, id) {
            ("", Some(id)) => self.one(&id, asked, wait),
            ("", None) => self.index(),
            ("healthz", _) => Ok(plain(200, "ok")),
            ("all", _) => self.all(asked, wait),
            (name, _) => self.one(name, asked, wait),
        }
    }

    fn one(self: &Arc<Self>, id: &str, asked: &Asked<'_>, wait: Duration) -> Result<Answer, Arc<SummaryError>> {
        let document = self.documents.document(id).map_err(Arc::new)?;
        let (kept, file) = self.object(&document, wait)?;
        Ok(soif(&kept.etag(), kept.octets, vec![file], asked))
    }

    fn all(self: &Arc<Self>, asked: &Asked<'_>, wait: Duration) -> Result<Answer, Arc<SummaryError>> {
        let until = std::time::Instant::now() + wait;
        let listing = self.documents.list().map_err(Arc::new)?;
        let mut whole: Vec<(Kept, File)> = Vec::new();
        for id in listing.ids() {
            let Ok(document) = listing.document(id) else { continue };
            let left = until.saturating_duration_since(std::time::Instant::now());
            match self.object(&document, left) {
                Ok(pair) => whole.push(pair),
                Err(error) if matches!(*error, SummaryError::Busy) => return Err(error),
                // Told to the keeper when it happened; the others are no worse for it.
                Err(_) => {}
            }
        }
        let mut digest = Sha256::new();
        for (kept, _) in &whole {
            digest.update(kept.digest.as_bytes());
        }
        let etag = format!("\"{}\"", &HEXLOWER.encode(&digest.finalize())[..40]);
        let octets = whole.iter().map(|(kept, _)| kept.octets).sum();
        Ok(soif(&etag, octets, whole.into_iter().map(|(_, file)| file).collect(), asked))
    }

    fn index(&self) -> Result<Answer, Arc<SummaryError>> {
        let listing = self.documents.list().map_err(Arc::new)?;
        let mut lines = String::new();
        for id in listing.ids() {
            let title = listing.document(id).ok().and_then(|document| document.content.title).unwrap_or_default();
            let clean: String = title.chars().filter(|c| !c.is_control()).take(TITLE).collect();
            let address = if RESERVED.contains(&id) { format!("?id={id}") } else { id.to_owned() };
            lines.push_str(&format!("{address}\t{clean}\n"));
        }
        Ok(plain(200, lines.trim_end()))
    }
}

fn soif(etag: &str, octets: u64, files: Vec<File>, asked: &Asked<'_>) -> Answer {
    let answer = if asked.if_none_match.is_some_and(|known| matches(known, etag)) {
        Answer { status: 304, headers: Vec::new(), body: Body::Empty }
    } else {
        let headers = vec![
            ("content-type", "application/x-soif".to_owned()),
            ("content-length", octets.to_string()),
            ("x-content-type-options", "nosniff".to_owned()),
        ];
        Answer { status: 200, headers, body: Body::Files(files) }
    };
    with(with(answer, "etag", etag.to_owned()), "cache-control", "no-cache".to_owned())
}

fn plain(status: u16, text: &str) -> Answer {
    let text = format!("{text}\n");
    let headers = vec![
        ("content-type", "text/plain; charset=utf-8".to_owned()),
        ("content-length", text.len().to_string()),
        ("x-content-type-options", "nosniff".to_owned()),
    ];
    Answer { status, headers, body: Body::Text(text) }
}

fn refusal(error: &SummaryError) -> Answer {
    let status = match error {
        SummaryError::NoSuchId => 404,
        SummaryError::Busy => 503,
        _ => 500,
    };
    let answer = plain(status, error.outward());
    if status == 503 { with(answer, "retry-after", "20".into()) } else { answer }
}

fn with(mut answer: Answer, name: &'static str, value: String) -> Answer {
    answer.headers.push((name, value));
    answer
}

/// Whether one of the tags is ours; weak ones count (RFC 9110, 13.1.2).
fn matches(known: &str, etag: &str) -> bool {
    known.split(',').map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// The first value of a parameter.
fn parameter(query: &str, name: &str) -> Option<String> {
    let mut pairs = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.find(|(key, _)| decoded(key, true) == name).map(|(_, value)| decoded(value, true))
}

/// Without `%XX`; what is no UTF-8 then is nobody's id.
fn decoded(text: &str, is_query: bool) -> String {
    let octets = text.as_bytes();
    let mut out = Vec::with_capacity(octets.len());
    let mut at = 0;
    while at < octets.len() {
        let hex = octets.get(at + 1..at + 3).and_then(|pair| data_encoding::HEXLOWER_PERMISSIVE.decode(pair).ok());
        match (octets[at], hex) {
            (b'%', Some(octet)) => {
                out.extend(octet);
                at += 3;
            }
            (b'+', _) if is_query => {
                out.push(b' ');
                at += 1;
            }
            (octet, _) => {
                out.push(octet);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_weakly() {
        for known in ["\"a\"", "W/\"a\"", "\"b\", \"a\"", "*", " \"b\",W/\"a\" "] {
            assert!(matches(known, "\"a\""), "{known}");
        }
        for known in ["", "a", "\"b\"", "\"a", "w/\"a\""] {
            assert!(!matches(known, "\"a\""), "{known}");
        }
    }

    #[test]
    fn parameters_are_decoded_once() {
        assert_eq!(parameter("x=1&id=a%2Db+c", "id").as_deref(), Some("a-b c"));
        assert_eq!(parameter("id=%252e", "id").as_deref(), Some("%2e"));
        assert_eq!(parameter("%69d=x%&id=y", "id").as_deref(), Some("x%"));
        assert_eq!(parameter("idd=x&i=y", "id"), None);
        assert_eq!(decoded("/%2e%2e/%zz%", false), "/../%zz%");
    }
}
