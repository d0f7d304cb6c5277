//! What was said to a server and what it answered, as records.
//!
//! ```text
//! response (or revisit)   the answer: its head as it came, its body with the content coding as it came
//! request                 what was asked, WARC-Concurrent-To the answer
//! metadata                how it came to that: via, hops, time; WARC-Concurrent-To the answer
//! ```
//!
//! Transfer coding is undone before a body is kept, so the field that named it is kept as `X-Orig-Transfer-Encoding`: tools that
//! would take the coding off once more find nothing to do. An answer whose body is kept already becomes a revisit record: its head, and
//! where the body is.

use std::io;
use std::net::IpAddr;

use sha1::{Digest, Sha1};

use crate::pack::Packer;
use crate::record::{About, Record, push_field};

/// What was said to a server and what it answered.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// What was asked for.
    pub url: &'a str,
    /// When, in seconds since 1970.
    pub at: i64,
    /// Address of the server.
    pub remote: Option<IpAddr>,
    /// The protocol that was spoken, where the heads do not say it: `h2`.
    pub protocol: Option<&'a str>,
    /// The head of the request with its empty line, without secrets.
    pub request: &'a [u8],
    /// Body of the request; empty if there was none.
    pub posted: &'a [u8],
    /// The head of the answer with its empty line.
    pub head: &'a [u8],
    /// Its body, transfer coding undone.
    pub body: &'a [u8],
    /// The body is compressed already.
    pub dense: bool,
    /// Why the body is not whole, in the words of the standard: `length`, `disconnect`.
    pub truncated: Option<&'a str>,
    /// What else is known of the fetch: fields as lines ([`push_field`]).
    pub notes: &'a str,
    /// The number of the record that opens the file.
    pub info: &'a str,
    /// Tells records apart that are otherwise the same.
    pub salt: u64,
}

/// Where the same body is.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    /// The URL it came from then.
    pub url: &'a str,
    /// Seconds since 1970.
    pub at: i64,
}

/// How the body is kept.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// In this record.
    Here,
    /// As a revisit of an earlier record.
    Same(Earlier<'a>),
    /// The server said that it is as it was; where that is and what its digest was, if that is known.
    NotModified(Option<(Earlier<'a>, &'a str)>),
}

/// Sizes of the records that were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// The bytes of the first record, that of the answer.
    pub answer: u64,
    /// The bytes of all of them.
    pub all: u64,
}

/// Appends the records of an exchange to `out`.
pub fn write(
    exchange: &Exchange<'_>,
    body: Body<'_>,
    payload: &[u8],
    packer: &mut Packer,
    out: &mut Vec<u8>,
) -> io::Result<Written> {
    let Exchange { url, at, request, posted, head, .. } = *exchange;
    let salt = exchange.salt.to_be_bytes();
    let about = About::new(Some(url), at, &salt);
    let said = said_by_both(exchange);
    let kept: &[u8] = if matches!(body, Body::Here) { exchange.body } else { &[] };
    let kind = if matches!(body, Body::Here) { "response" } else { "revisit" };
    let block = [head, kept];
    let record = match body {
        Body::Here | Body::Same(_) => Record::of_payload(kind, &about, payload, block),
        Body::NotModified(Some((_, digest))) => Record::new(kind, &about, block).with("WARC-Payload-Digest", digest),
        Body::NotModified(None) => Record::new(kind, &about, block),
    };
    let mut record = record.with_fields(&said);
    let (profile, earlier) = match body {
        Body::Here => (None, None),
        Body::Same(earlier) => (Some("identical-payload-digest"), Some(earlier)),
        Body::NotModified(earlier) => (Some("server-not-modified"), earlier.map(|(earlier, _)| earlier)),
    };
    if let Some(profile) = profile {
        record = record.with("WARC-Profile", &format!("http://netpreserve.org/warc/1.1/revisit/{profile}"));
    }
    if let Some(earlier) = earlier {
        record = record.with("WARC-Refers-To-Target-URI", earlier.url);
        record = record.with("WARC-Refers-To-Date", &groma_model::moment::rfc3339(earlier.at));
    }
    if let Some(why) = exchange.truncated {
        record = record.with("WARC-Truncated", why);
    }
    let id = std::mem::take(&mut record.id);
    let dense = exchange.dense && !kept.is_empty();
    let answer = packer.pack(record, "application/http; msgtype=response", dense, out)?;

    let record = Record::new("request", &about, [request, posted]).with_fields(&said).with("WARC-Concurrent-To", &id);
    let asked = packer.pack(record, "application/http; msgtype=request", false, out)?;

    let record = Record::new("metadata", &about, [exchange.notes.as_bytes(), &[]]);
    let record = record.with("WARC-Concurrent-To", &id).with("WARC-Warcinfo-ID", exchange.info);
    let told = packer.pack(record, "application/warc-fields", false, out)?;
    Ok(Written { answer, all: answer + asked + told })
}

/// What the records of both sides say.
fn said_by_both(exchange: &Exchange<'_>) -> String {
    let mut lines = String::with_capacity(128);
    if let Some(ip) = exchange.remote {
        push_field(&mut lines, "WARC-IP-Address", &ip.to_string());
    }
    if let Some(protocol) = exchange.protocol {
        push_field(&mut lines, "WARC-Protocol", protocol);
    }
    push_field(&mut lines, "WARC-Warcinfo-ID", exchange.info);
    lines
}

/// The digest of a body.
pub fn payload_digest(body: &[u8]) -> [u8; 20] {
    Sha1::digest(body).into()
}

/// Appends the record that opens a file; gives its number.
pub fn info(
    at: i64,
    name: &str,
    fields: &[(&str, &str)],
    packer: &mut Packer,
    out: &mut Vec<u8>,
) -> io::Result<String> {
    let mut said = String::new();
    fields.iter().for_each(|(name, value)| push_field(&mut said, name, value));
    let record = Record::new("warcinfo", &About::new(None, at, name.as_bytes()), [said.as_bytes(), &[]]);
    let mut record = record.with("WARC-Filename", name);
    let id = std::mem::take(&mut record.id);
    packer.pack(record, "application/warc-fields", false, out)?;
    Ok(id)
}
