//! A connection string: which words of it may be shown, and where it leads.
//!
//! `KEY=VALUE;KEY=VALUE`, keys without regard to case, values with `;` between braces, in which `}` is doubled (ODBC Programmer's Reference,
//! SQLDriverConnect). Of what it says only the keys in [`SHOWN`] are ever shown; secrets are taken out of what drivers say.

use std::net::IpAddr;

/// Keys whose values may be shown.
const SHOWN: [&str; 12] =
    ["dsn", "driver", "server", "servername", "host", "hostname", "port", "database", "db", "dbq", "dbname", "uid"];

/// Keys that name a server.
const SERVERS: [&str; 7] = ["server", "servername", "host", "hostname", "address", "addr", "network"];

/// A data source as the operator names it.
#[derive(Clone)]
pub struct OdbcSource {
    /// What the driver manager gets.
    text: String,
    pairs: Vec<(String, String)>,
    /// What nobody may see.
    secrets: Vec<String>,
}

impl OdbcSource {
    /// Reads a connection string; a password that does not stand in it may be given apart. None: there is no key in it.
    pub(crate) fn parse(text: &str, password: Option<&str>) -> Option<OdbcSource> {
        let text = text.trim().trim_end_matches(';');
        if text.contains('\0') {
            return None;
        }
        let pairs = pairs(text)?;
        if pairs.is_empty() {
            return None;
        }
        let mut source = OdbcSource { text: text.to_owned(), pairs, secrets: Vec::new() };
        let given: Vec<String> =
            source.pairs.iter().filter(|(key, _)| is_secret(key)).map(|(_, value)| value.clone()).collect();
        source.secrets = given;
        if let Some(password) = password
            && !source.pairs.iter().any(|(key, _)| key == "pwd" || key == "password")
        {
            source.text.push_str(&format!(";PWD={{{}}}", password.replace('}', "}}")));
            source.secrets.push(password.to_owned());
        }
        source.secrets.retain(|secret| !secret.is_empty());
        Some(source)
    }

    /// The whole connection string, with the password.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// User in the connection string.
    pub(crate) fn user(&self) -> Option<&str> {
        ["uid", "user", "username"].into_iter().find_map(|key| self.value(key))
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(its, _)| its == key).map(|(_, value)| value.as_str())
    }

    /// What may be shown.
    pub(crate) fn shown(&self) -> String {
        let shown = self.pairs.iter().filter(|(key, _)| SHOWN.contains(&key.as_str()));
        let words: Vec<String> = shown.map(|(key, value)| format!("{key}={}", self.redacted(value))).collect();
        format!("odbc:{}", words.join(";"))
    }

    /// A text without the secrets of this source.
    pub(crate) fn redacted(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }

    /// Whether it may lead to another machine. What stands in a DSN is in files of the driver manager and not looked at.
    pub(crate) fn is_far(&self) -> bool {
        if self.pairs.iter().any(|(key, _)| matches!(key.as_str(), "dsn" | "filedsn")) {
            return true;
        }
        let server = |key: &str| SERVERS.contains(&key.split(' ').next().unwrap_or_default());
        let mut servers = self.pairs.iter().filter(|(key, _)| server(key)).map(|(_, value)| value.as_str()).peekable();
        match servers.peek() {
            Some(_) => servers.any(|server| !is_here(server)),
            // A file, or what Oracle and Firebird have: `//HOST:PORT/SERVICE`, `HOST:/FILE`.
            None => {
                let places = ["database", "db", "dbq", "dbname"].into_iter().filter_map(|key| self.value(key));
                !places.into_iter().any(|place| std::path::Path::new(place).is_absolute() && !place.starts_with("//"))
            }
        }
    }
}

impl std::fmt::Debug for OdbcSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown())
    }
}

fn is_secret(key: &str) -> bool {
    ["pwd", "pass", "secret", "token", "key", "credential"].iter().any(|word| key.contains(word))
}

/// `localhost`, loopback, and the directory of a socket; with a port behind `,` or `:`, with `tcp:` before.
fn is_here(server: &str) -> bool {
    let server = server.trim();
    let bare = server.strip_prefix("tcp:").unwrap_or(server);
    let bare = bare.split(',').next().unwrap_or_default();
    let bare = match bare.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((within, _)) => within,
        None if bare.matches(':').count() == 1 => bare.split(':').next().unwrap_or_default(),
        None => bare,
    };
    bare.starts_with('/')
        || bare.eq_ignore_ascii_case("localhost")
        || matches!(bare, "." | "(local)")
        || bare.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

/// The pairs, keys in small letters. None: it is no connection string.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    let mut rest = text.trim_start_matches([';', ' ']);
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=')?;
        let key = key.trim().to_ascii_lowercase();
        if key.is_empty() || key.contains([';', '{', '}']) {
            return None;
        }
        let after = after.trim_start();
        let (value, after) = match after.strip_prefix('{') {
            Some(within) => braced(within)?,
            None => {
                let (value, after) = after.split_once(';').unwrap_or((after, ""));
                (value.trim().to_owned(), after)
            }
        };
        pairs.push((key, value));
        rest = after.trim_start_matches([';', ' ']);
    }
    Some(pairs)
}

/// What stands up to the closing brace, and what follows.
fn braced(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if letter != '}' {
            value.push(letter);
        } else if letters.next_if(|(_, next)| *next == '}').is_some() {
            value.push('}');
        } else {
            return Some((value, &text[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> OdbcSource {
        OdbcSource::parse(text, None).unwrap()
    }

    #[test]
    fn what_is_shown_holds_no_secret() {
        let text =
            "Driver={ODBC Driver 18};Server=db.example.org,1433;UID=reader;PWD={s3;cr}}et};AccessToken=t0ken;X=1";
        let source = source(text);
        assert_eq!(source.text(), text);
        assert_eq!(source.shown(), "odbc:driver=ODBC Driver 18;server=db.example.org,1433;uid=reader");
        assert_eq!(source.user(), Some("reader"));
        assert_eq!(source.redacted("cannot use 's3;cr}et' nor t0ken, 1"), "cannot use '***' nor ***, 1");
        assert!(!format!("{source:?}").contains("t0ken"));
        let apart = OdbcSource::parse("DSN=city;", Some("a}b")).unwrap();
        assert_eq!(apart.text(), "DSN=city;PWD={a}}b}");
        assert_eq!(apart.redacted("a}b"), "***");
        let kept = OdbcSource::parse("DSN=city;pwd=own", Some("apart")).unwrap();
        assert_eq!(kept.text(), "DSN=city;pwd=own");
        for none in ["", ";;", "no key", "=x", "a={b", "a=b\0"] {
            assert!(OdbcSource::parse(none, None).is_none(), "{none}");
        }
    }

    #[test]
    fn what_does_not_say_that_it_is_here_may_be_far() {
        for here in [
            "Driver=SQLite3;Database=/var/lib/hotels.db",
            "Driver=x;Server=localhost;Database=city",
            "Driver=x;SERVER=127.0.0.1,1433",
            "Driver=x;Server=tcp:[::1],1433",
            "Driver=x;Servername=/run/postgresql;Database=city",
            "Driver=Firebird;Dbname=/var/lib/city.fdb",
        ] {
            assert!(!source(here).is_far(), "{here}");
        }
        for far in [
            "DSN=city",
            "FILEDSN=/etc/city.dsn",
            "DSN=city;Server=localhost",
            "Driver=x;Server=db.example.org",
            "Driver=x;Server=10.0.0.1,1433",
            "Driver=x;Server=localhost;Address=10.0.0.1",
            "Driver=Oracle;DBQ=//db.example.org:1521/city",
            "Driver=Firebird;Dbname=db.example.org:/var/lib/city.fdb",
            "Driver=x",
        ] {
            assert!(source(far).is_far(), "{far}");
        }
    }
}
