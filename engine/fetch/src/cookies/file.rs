//! Which cookies stand in this file? The format of Netscape, as browsers, curl and wget write it (`cookies.txt`).
//!
//! ```text
//! # a comment; #HttpOnly_ before a domain is none
//! domain <tab> TRUE|FALSE: hosts below it too <tab> path <tab> TRUE|FALSE: https only <tab> end, seconds since 1970, 0: none <tab> name <tab> value
//! ```
//!
//! A line that cannot be used is told by its number and what is wrong with it, never with what stands in it: it may be a secret.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, SystemTime};

use groma_url::Host;

use super::{BYTES, Cookie, PER_HOST, is_public_suffix};
use crate::config::plain_host;

/// The cookies of a file.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Cookies {
    /// Each with its domain.
    pub(super) list: Vec<(String, Cookie)>,
}

/// How many there are is no secret.
impl fmt::Debug for Cookies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cookies", self.list.len())
    }
}

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCookie {
    /// Its number in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl Cookies {
    /// Reads a file. Cookies whose time is over are passed over.
    pub fn parse(text: &str, now: SystemTime) -> (Cookies, Vec<BadCookie>) {
        let (mut cookies, mut bad) = (Cookies::default(), Vec::new());
        let mut of_domain: HashMap<String, usize> = HashMap::new();
        for (at, line) in text.strip_prefix('\u{feff}').unwrap_or(text).lines().enumerate() {
            let line = match line.strip_prefix("#HttpOnly_") {
                Some(rest) => rest,
                None if line.starts_with('#') || line.trim().is_empty() => continue,
                None => line,
            };
            match read(line) {
                Ok((_, cookie)) if cookie.expires.is_some_and(|end| end <= now) => {}
                Ok((domain, _)) if of_domain.get(&domain).is_some_and(|count| *count >= PER_HOST) => {
                    bad.push(BadCookie { line: at + 1, why: "there are too many cookies of this domain" });
                }
                Ok(one) => {
                    *of_domain.entry(one.0.clone()).or_default() += 1;
                    cookies.list.push(one);
                }
                Err(why) => bad.push(BadCookie { line: at + 1, why }),
            }
        }
        (cookies, bad)
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many are there?
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The domains they are for, each once, in order.
    pub fn domains(&self) -> Vec<&str> {
        let mut domains: Vec<&str> = self.list.iter().map(|(domain, _)| domain.as_str()).collect();
        domains.sort_unstable();
        domains.dedup();
        domains
    }
}

fn read(line: &str) -> Result<(String, Cookie), &'static str> {
    let fields: Vec<&str> = line.trim_end_matches(['\r', '\n']).split('\t').collect();
    let (domain, wide, path, secure, end, name, value) = match fields[..] {
        [domain, wide, path, secure, end, name, value] => (domain, wide, path, secure, end, name, value),
        // Without a value: some programs leave the last tab out.
        [domain, wide, path, secure, end, name] => (domain, wide, path, secure, end, name, ""),
        _ => return Err("seven fields with tabs between them are expected"),
    };
    let flag = |text: &str| match text {
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err("TRUE or FALSE is expected in the second and the fourth field"),
    };
    let (wide, secure) = (flag(wide)?, flag(secure)?);
    let domain = plain_host(domain.trim_start_matches('.')).ok_or("the first field is no host name")?;
    let is_name = matches!(Host::parse(&domain), Ok(Host::Domain(_)));
    if wide && is_name && domain.contains('.') && is_public_suffix(&domain) {
        return Err("the domain is one under which everybody can have a host");
    }
    let path = if path.is_empty() { "/" } else { path };
    if !path.starts_with('/') {
        return Err("the third field is no path");
    }
    if name.is_empty() || name.contains(['=', ';']) || value.contains(';') {
        return Err("the name or the value cannot be sent");
    }
    if name.len() + value.len() > BYTES || ![name, value].iter().all(|t| t.bytes().all(|b| (b' '..=b'~').contains(&b)))
    {
        return Err("the name or the value cannot be sent");
    }
    // Some write fractions, and -1 where there is no end.
    let end: f64 = end.trim().parse().map_err(|_| "the fifth field is no time in seconds")?;
    let expires = match end {
        end if !end.is_finite() => return Err("the fifth field is no time in seconds"),
        end if end <= 0.0 => None,
        end => SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(end.min(1e11) as u64)),
    };
    let cookie = Cookie {
        name: name.into(),
        value: value.into(),
        path: path.into(),
        secure,
        host_only: !(wide && is_name),
        expires,
        serial: 0,
    };
    Ok((domain, cookie))
}

#[cfg(test)]
mod tests {
    use super::super::Jar;
    use super::*;

    fn shown(text: &str, url: &str) -> String {
        let (cookies, bad) = Cookies::parse(text, SystemTime::now());
        assert_eq!(bad, []);
        let value = Jar::with(&cookies).show(&url.parse().unwrap(), SystemTime::now(), 8192).0;
        value.map(|v| v.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    const FILE: &str = "# Netscape HTTP Cookie File\r\n\r\n\
        .example.org\tTRUE\t/\tFALSE\t0\tsession\tabc\r\n\
        #HttpOnly_www.example.org\tFALSE\t/app\tTRUE\t4102444800\ttoken\tx=y z\r\n\
        www.example.org\tFALSE\t/\tFALSE\t1000000000\told\tgone\r\n\
        127.0.0.1\tTRUE\t/\tFALSE\t1893456000.25\tlocal\t1\r\n\
        www.example.org\tFALSE\t/\tFALSE\t-1\tbare\r\n";

    #[test]
    fn what_browsers_and_curl_write_is_read_and_sent_where_it_belongs() {
        assert_eq!(shown(FILE, "https://www.example.org/app/x"), "token=x=y z; session=abc; bare=");
        assert_eq!(shown(FILE, "http://www.example.org/app/x"), "session=abc; bare=", "https only");
        assert_eq!(shown(FILE, "https://www.example.org/apple"), "session=abc; bare=", "below its path only");
        assert_eq!(shown(FILE, "https://example.org/"), "session=abc");
        assert_eq!(shown(FILE, "https://api.example.org/"), "session=abc");
        assert_eq!(shown(FILE, "http://127.0.0.1:8080/"), "local=1");
        for other in ["https://example.com/", "https://badexample.org/", "https://org/", "http://1.127.0.0.1.nip.io/"] {
            assert_eq!(shown(FILE, other), "", "{other}");
        }
    }

    #[test]
    fn bad_lines_are_told_by_number_and_never_by_their_text() {
        let text = "SECRET\n\
            a.example\tTRUE\t/\tFALSE\tsoon\tname\tSECRET\n\
            a.example\tyes\t/\tFALSE\t0\tname\tSECRET\n\
            co.uk\tTRUE\t/\tFALSE\t0\tname\tSECRET\n\
            a b\tTRUE\t/\tFALSE\t0\tname\tSECRET\n\
            a.example\tTRUE\tx\tFALSE\t0\tname\tSECRET\n\
            a.example\tTRUE\t/\tFALSE\t0\t\tSECRET\n\
            a.example\tTRUE\t/\tFALSE\t0\tn\tSECRET\u{7f}\n\
            a.example\tTRUE\t/\tFALSE\tNaN\tn\tSECRET\n\
            a.example\tTRUE\t/\tFALSE\t0\tfine\tSECRET\n";
        let (cookies, bad) = Cookies::parse(text, SystemTime::now());
        assert_eq!(bad.iter().map(|b| b.line).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!((cookies.len(), cookies.domains()), (1, vec!["a.example"]));
        assert!(!format!("{bad:?} {cookies:?}").contains("SECRET"));
    }

    #[test]
    fn a_domain_has_only_so_many() {
        let text: String = (0..PER_HOST + 3).map(|n| format!("a.example\tFALSE\t/\tFALSE\t0\tc{n}\tx\n")).collect();
        let (cookies, bad) = Cookies::parse(&text, SystemTime::now());
        assert_eq!((cookies.len(), bad.len()), (PER_HOST, 3));
    }
}
