//! The key under which an index files a URL: a SURT, as replay tools make it.
//!
//! ```text
//! http://www.Example.org:8080/A/B/?y=2&x=1  ->  org,example:8080)/a/b?x=1&y=2
//! ```
//!
//! The rules are those of the `surt` package, which pywb and others look records up with: escapes undone as often as there are any and
//! done once again, host without `www.` and in reverse, path and query in lower case, no slash at the end, parameters in
//! order, session numbers left out. A key is for finding, not for going there: several URLs may have the same.

use groma_url::Url;

/// The key of a URL. What is no web URL is its own key.
pub fn key(address: &str) -> String {
    let Some(url) = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
    else {
        return address.replace(|c: char| c.is_whitespace() || c.is_control(), "%20").to_ascii_lowercase();
    };
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let mut key = String::with_capacity(address.len());
    for part in without_www(host.trim_matches('.')).rsplit('.') {
        key.push_str(part);
        key.push(',');
    }
    key.pop();
    if let Some(port) = url.port() {
        key.push_str(&format!(":{port}"));
    }
    key.push(')');
    let mut path = escaped(&normal_path(&unescaped(url.path().as_bytes())));
    path.make_ascii_lowercase();
    if path.contains('(') {
        path = without_path_session(&path);
    }
    key.push_str(if path.len() > 1 { path.strip_suffix('/').unwrap_or(&path) } else { &path });
    let Some(query) = url.query() else { return key };
    let query = escaped(&unescaped(query.as_bytes()));
    let query = without_query_session(&query).to_ascii_lowercase();
    if !query.is_empty() {
        let mut pairs: Vec<(&str, Option<&str>)> = query
            .split('&')
            .map(|pair| pair.split_once('=').map_or((pair, None), |(name, value)| (name, Some(value))))
            .collect();
        pairs.sort_unstable();
        let pairs: Vec<String> = pairs
            .into_iter()
            .map(|(name, value)| value.map_or_else(|| name.to_owned(), |value| format!("{name}={value}")))
            .collect();
        key.push('?');
        key.push_str(&pairs.join("&"));
    }
    key
}

/// A moment in the 14 digits of an index.
pub fn stamp(at: i64) -> String {
    groma_model::moment::rfc3339(at).chars().filter(char::is_ascii_digit).take(14).collect()
}

fn without_www(host: &str) -> &str {
    let Some(rest) = host.strip_prefix("www") else { return host };
    rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('.').unwrap_or(host)
}

/// With all escapes undone, also those of escapes.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    if !text.contains(&b'%') {
        return text;
    }
    // Each time round the text is shorter, or it is the last.
    loop {
        let mut plain = Vec::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let digit = |n: usize| text.get(at + n).and_then(|byte| char::from(*byte).to_digit(16));
            match (text[at], digit(1), digit(2)) {
                (b'%', Some(high), Some(low)) => {
                    plain.push((high * 16 + low) as u8);
                    at += 3;
                }
                (byte, ..) => {
                    plain.push(byte);
                    at += 1;
                }
            }
        }
        if plain.len() == text.len() {
            return plain;
        }
        text = plain;
    }
}

/// With everything escaped that must be: what is no visible ASCII, and `%` and `#`.
fn escaped(text: &[u8]) -> String {
    let mut coded = String::with_capacity(text.len());
    for &byte in text {
        if (0x21..0x7f).contains(&byte) && byte != b'%' && byte != b'#' {
            coded.push(char::from(byte));
        } else {
            coded.push_str(&format!("%{byte:02X}"));
        }
    }
    coded
}

/// Without empty segments and dots; a slash at the end stays.
fn normal_path(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for segment in path.split(|&byte| byte == b'/').skip(1) {
        match segment {
            b"." => {}
            b".." if !kept.is_empty() => drop(kept.pop()),
            other => kept.push(other),
        }
    }
    let mut normal = b"/".to_vec();
    let last = kept.pop().unwrap_or_default();
    for segment in kept.into_iter().filter(|segment| !segment.is_empty()) {
        normal.extend_from_slice(segment);
        normal.push(b'/');
    }
    normal.extend_from_slice(last);
    normal
}

/// `/(S(24 letters))/page.aspx` and `/(24 letters)/page.aspx` are `/page.aspx`.
fn without_path_session(path: &str) -> String {
    let is_session = |segment: &str| {
        let Some(inner) = segment.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return false };
        let plain = |text: &str| text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let marked = |text: &str| {
            let mut rest = text;
            while let Some((mark, tail)) = rest.split_at_checked(1) {
                let letter = mark.bytes().all(|byte| byte.is_ascii_alphabetic());
                let Some((id, after)) = tail.strip_prefix('(').and_then(|tail| tail.split_once(')')) else {
                    return false;
                };
                if !letter || !plain(id) {
                    return false;
                }
                if after.is_empty() {
                    return true;
                }
                rest = after;
            }
            false
        };
        plain(inner) || marked(inner)
    };
    let segments: Vec<&str> = path.split('/').collect();
    let at = segments.iter().rposition(|segment| is_session(segment));
    match at {
        Some(at) if segments[at + 1..].join("/").find(".aspx").is_some_and(|found| found > 0) => {
            [&segments[..at], &segments[at + 1..]].concat().join("/")
        }
        _ => path.to_owned(),
    }
}

/// Without parameters that look like the number of a session.
fn without_query_session(query: &str) -> String {
    let mut query = query.to_owned();
    for name in ["jsessionid=", "phpsessid=", "sid="] {
        query = without_session(&query, name, 32, true);
    }
    if let Some(at) = query.to_ascii_lowercase().rfind("aspsessionid") {
        let rest = &query[at + 12..];
        let (name, id) = (rest.get(..8), rest.get(9..33));
        let letters = |text: Option<&str>| text.is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_alphabetic()));
        if letters(name) && rest.get(8..9) == Some("=") && letters(id) {
            query = cut(&query, at, at + 12 + 33);
        }
    }
    if let Some(at) = query.to_ascii_lowercase().rfind("cfid=") {
        let parts: Vec<&str> = query[at..].splitn(3, '&').collect();
        if let [one, two, ..] = parts.as_slice()
            && two.to_ascii_lowercase().starts_with("cftoken=")
            && one.len() > 5
            && two.len() > 8
        {
            query = cut(&query, at, at + one.len() + 1 + two.len());
        }
    }
    query
}

fn without_session(query: &str, name: &str, length: usize, digits: bool) -> String {
    let Some(at) = query.to_ascii_lowercase().rfind(name) else { return query.to_owned() };
    let from = at + name.len();
    let id = query.get(from..from + length);
    let fits = id.is_some_and(|id| {
        id.bytes().all(|byte| if digits { byte.is_ascii_alphanumeric() } else { byte.is_ascii_alphabetic() })
    });
    if fits { cut(query, at, from + length) } else { query.to_owned() }
}

/// Takes a stretch out, if it ends where a parameter ends.
fn cut(query: &str, from: usize, to: usize) -> String {
    match query.get(to..) {
        Some("") => query[..from].to_owned(),
        Some(rest) if rest.starts_with('&') => format!("{}{}", &query[..from], &rest[1..]),
        _ => query.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the package `surt` 0.3 says it.
    #[test]
    fn keys_are_those_of_the_tools_that_look_for_them() {
        for (address, expected) in [
            ("http://www.Example.org:8080/A/B/?y=2&x=1", "org,example:8080)/a/b?x=1&y=2"),
            ("http://127.0.0.1:81/", "1,0,0,127:81)/"),
            ("https://www2.example.com:443", "com,example)/"),
            ("http://wwwx.example.com/", "com,example,wwwx)/"),
            ("http://example.com/a//b/../c/./d", "com,example)/a/c/d"),
            ("http://example.com/%2541%20b#f", "com,example)/a%20b"),
            ("http://example.com/?", "com,example)/"),
            ("http://example.com/?b&a=&a", "com,example)/?a&a=&b"),
            ("http://example.com/x?PHPSESSID=0123456789abcdef0123456789abcdef&z=1", "com,example)/x?z=1"),
            ("http://example.com/(S(0123456789abcdefghij0123))/p.aspx?q", "com,example)/p.aspx?q"),
            ("http://example.com/x?cfid=1&cftoken=2&z=1", "com,example)/x?z=1"),
            ("urn:x:A b", "urn:x:a%20b"),
        ] {
            assert_eq!(key(address), expected, "{address}");
        }
    }

    #[test]
    fn moments_have_fourteen_digits() {
        assert_eq!(stamp(1_700_000_000), "20231114221320");
    }
}
