//! How is it written down? From the form data set to the request (HTML standard 4.10.22.3 and 4.10.22.6 to 4.10.22.8).
//!
//! Line breaks are CR LF; letters that the form's character set does not have are written as references (`&#9731;`). With GET the
//! pairs replace the query of the action; with POST they are the body, as `application/x-www-form-urlencoded`,
//! `multipart/form-data` or `text/plain`. The boundary is made from the content, so that the same question is the same
//! request. Cost: linear in what is sent.

use encoding_rs::{Encoding, UTF_8};
use groma_model::Request;
use groma_url::Url;
use xxhash_rust::xxh3::xxh3_64;

use super::{Enctype, Field, Form};
use crate::meta::Method;

/// The request that sends a data set. The button that was pressed may lead elsewhere. Nothing if the form leads nowhere.
pub fn request(form: &Form, set: &[(String, String)], pressed: Option<&Field>) -> Option<Request> {
    let overrides = pressed.and_then(|field| field.overrides.as_ref());
    let over = overrides.map(|over| (over.action.clone(), over.method, over.enctype));
    let (action, method, enctype) = over.unwrap_or_default();
    let action = action.or_else(|| form.action.clone())?;
    if form.dialog && method.is_none() {
        return None;
    }
    Some(sent(action, method.unwrap_or(form.method), enctype.unwrap_or(form.enctype), form.charset, set))
}

/// A data set sent to a URL, in this way.
pub fn sent(mut action: Url, method: Method, enctype: Enctype, charset: &str, set: &[(String, String)]) -> Request {
    let charset = Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8);
    action.set_fragment(None);
    if method == Method::Get {
        action.set_query(Some(&url_encoded(set, charset)));
        return Request::get(action);
    }
    match enctype {
        Enctype::UrlEncoded => {
            Request::post(action, "application/x-www-form-urlencoded", url_encoded(set, charset).into_bytes())
        }
        Enctype::Multipart => {
            let (boundary, body) = multipart(set, charset);
            Request::post(action, format!("multipart/form-data; boundary={boundary}"), body)
        }
        Enctype::Plain => {
            let mut body = Vec::new();
            for (name, value) in set {
                body.extend(bytes(name, charset));
                body.push(b'=');
                body.extend(bytes(value, charset));
                body.extend(b"\r\n");
            }
            Request::post(action, "text/plain", body)
        }
    }
}

/// What a request asks for, as one text that is the same for the same question: method, URL and pairs, without those
/// that carry tokens.
pub fn key(request: &Request, tokens: &[String]) -> String {
    let is_kept = |pair: &str| {
        let name = pair.split('=').next().unwrap_or_default();
        let mut read = groma_url::form_urlencoded::parse(name.as_bytes());
        !read.next().is_some_and(|(name, _)| tokens.iter().any(|token| *token == *name))
    };
    let mut url = request.url.clone();
    if let Some(query) = request.url.query() {
        let kept: Vec<&str> = query.split('&').filter(|pair| is_kept(pair)).collect();
        url.set_query((!kept.is_empty()).then(|| kept.join("&")).as_deref());
    }
    match &request.method {
        groma_model::Method::Get => format!("GET {url}"),
        groma_model::Method::Head => format!("HEAD {url}"),
        groma_model::Method::Post { media_type, body } => {
            let body = String::from_utf8_lossy(body);
            let body = match media_type.as_str() {
                "application/x-www-form-urlencoded" => {
                    body.split('&').filter(|pair| is_kept(pair)).collect::<Vec<_>>().join("&")
                }
                "text/plain" => {
                    let lines = body.split("\r\n").filter(|line| !tokens.iter().any(|token| names(line, token)));
                    lines.collect::<Vec<_>>().join("\r\n")
                }
                _ => parts_kept(media_type, &body, tokens),
            };
            format!("POST {url}\n{body}")
        }
    }
}

fn names(line: &str, token: &str) -> bool {
    line.strip_prefix(token).is_some_and(|rest| rest.starts_with('='))
}

/// The parts of a multipart body that carry no token, without the boundary, which is made of all parts.
fn parts_kept(media_type: &str, body: &str, tokens: &[String]) -> String {
    let boundary = media_type.split("boundary=").nth(1).unwrap_or_default();
    if boundary.is_empty() {
        return body.to_owned();
    }
    let heads: Vec<String> = tokens.iter().map(|token| head(&quoted(token))).collect();
    let separator = format!("--{boundary}");
    let parts = body.split(separator.as_str()).map(|part| part.trim_start_matches("\r\n"));
    let kept = parts.filter(|part| !heads.iter().any(|head| part.starts_with(head.as_str())));
    kept.collect::<Vec<_>>().join("--")
}

/// CR LF for every line break.
fn broken(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', "\r\n")
}

fn bytes(text: &str, charset: &'static Encoding) -> Vec<u8> {
    charset.encode(&broken(text)).0.into_owned()
}

fn url_encoded(set: &[(String, String)], charset: &'static Encoding) -> String {
    let mut out = String::new();
    for (nth, (name, value)) in set.iter().enumerate() {
        if nth > 0 {
            out.push('&');
        }
        push_escaped(&mut out, &bytes(name, charset));
        out.push('=');
        push_escaped(&mut out, &bytes(value, charset));
    }
    out
}

fn push_escaped(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in bytes {
        match byte {
            b' ' => out.push('+'),
            b'*' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => out.push(char::from(*byte)),
            _ => {
                out.push('%');
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
}

/// A name within quotes.
fn quoted(name: &str) -> String {
    broken(name).replace('\r', "%0D").replace('\n', "%0A").replace('"', "%22")
}

fn head(name: &str) -> String {
    format!("Content-Disposition: form-data; name=\"{name}\"\r\n\r\n")
}

fn multipart(set: &[(String, String)], charset: &'static Encoding) -> (String, Vec<u8>) {
    let mut parts: Vec<Vec<u8>> = Vec::with_capacity(set.len());
    for (name, value) in set {
        // The head is of ASCII but for the name.
        let mut part = charset.encode(&head(&quoted(name))).0.into_owned();
        part.extend(bytes(value, charset));
        part.extend(b"\r\n");
        parts.push(part);
    }
    let all = parts.concat();
    // Made of what must not hold it: a second hash if the first one is there, which nobody can arrange for all of them.
    let mut seed = xxh3_64(&all);
    let mut boundary = String::new();
    for _ in 0..8 {
        boundary = format!("----GromaFormBoundary{seed:016x}");
        if !holds(&all, boundary.as_bytes()) {
            break;
        }
        seed = xxh3_64(&[all.as_slice(), &seed.to_le_bytes()].concat());
    }
    let mut body = Vec::with_capacity(all.len() + parts.len() * 48);
    for part in parts {
        body.extend(format!("--{boundary}\r\n").into_bytes());
        body.extend(part);
    }
    body.extend(format!("--{boundary}--\r\n").into_bytes());
    (boundary, body)
}

fn holds(all: &[u8], sought: &[u8]) -> bool {
    all.windows(sought.len()).any(|window| window == sought)
}
