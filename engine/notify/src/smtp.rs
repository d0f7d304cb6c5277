//! Through which server does mail go, and how is the way there secured?
//!
//! ```text
//! smtps://user@host[:465]          encrypted from the first byte
//! smtp://user@host[:587]           STARTTLS, and nothing is said before it (a host that is this very machine: in the clear, port 25)
//! smtp://host[:25]?tls=none        in the clear; a password is not sent over a network that way
//! smtp://localhost?tls=starttls    STARTTLS on this very machine too
//! ```

use std::net::IpAddr;
use std::time::Duration;

use groma_url::Url;

use crate::{NotifyError, Secret};

/// How long a server may be silent at each step.
const PATIENCE: Duration = Duration::from_secs(20);

/// How the way to a mail server is secured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// No encryption.
    None,
    /// After the greeting, before anything else is said.
    StartTls,
    /// From the first byte.
    Tls,
}

/// A mail server, and how to log in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smtp {
    /// Its name or address.
    pub host: String,
    pub port: u16,
    /// How the way there is secured.
    pub encryption: Encryption,
    /// User name and password.
    pub login: Option<(String, Secret)>,
    /// Certificates (PEM) of authorities to trust besides the usual ones.
    pub roots: Option<String>,
    /// How long it may be silent at each step.
    pub patience: Duration,
}

impl Smtp {
    /// Reads the address of a mail server. The password never stands in it.
    pub fn parse(text: &str, password: Option<Secret>) -> Result<Smtp, NotifyError> {
        let bad = |why: &str| NotifyError::MailServer(why.to_owned());
        let url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
        if url.password().is_some() {
            return Err(bad("it contains a password"));
        }
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']).to_ascii_lowercase();
        if host.is_empty() || host.contains('%') {
            return Err(bad("it names no host"));
        }
        if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
            return Err(bad("nothing may follow the host but ?tls="));
        }
        let here = is_here(&host);
        let encryption = match (url.scheme(), url.query()) {
            ("smtps", None) => Encryption::Tls,
            ("smtp", Some("tls=starttls")) => Encryption::StartTls,
            ("smtp", Some("tls=none")) => Encryption::None,
            ("smtp", None) if here => Encryption::None,
            ("smtp", None) => Encryption::StartTls,
            ("smtp" | "smtps", _) => return Err(bad("only ?tls=none and ?tls=starttls are known, and only for smtp:")),
            (other, _) => return Err(bad(&format!("{other}: is not smtp: or smtps:"))),
        };
        let usual = match encryption {
            Encryption::None => 25,
            Encryption::StartTls => 587,
            Encryption::Tls => 465,
        };
        let login = match (decoded(url.username()), password) {
            (user, _) if user.is_empty() => None,
            (_, None) => return Err(bad("there is a user name but no password (GROMA_SMTP_PASSWORD)")),
            (_, Some(_)) if encryption == Encryption::None && !here => {
                return Err(bad("a password is not sent in the clear"));
            }
            (user, Some(password)) => Some((user, password)),
        };
        Ok(Smtp { host, port: url.port().unwrap_or(usual), encryption, login, roots: None, patience: PATIENCE })
    }

    /// Host and port, for people.
    pub fn shown(&self) -> String {
        if self.host.contains(':') {
            format!("[{}]:{}", self.host, self.port)
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

/// Is it this very machine?
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn decoded(user: &str) -> String {
    let form = format!("u={}", user.replace('+', "%2B").replace('&', "%26"));
    groma_url::form_urlencoded::parse(form.as_bytes()).next().map(|(_, user)| user.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Smtp, NotifyError> {
        Smtp::parse(text, Some(Secret::new("pw")))
    }

    #[test]
    fn addresses_say_how_the_way_is_secured() {
        let shape = |text: &str| read(text).map(|s| (s.shown(), s.encryption, s.login.map(|(user, _)| user))).unwrap();
        assert_eq!(shape("smtps://mail.example.org"), ("mail.example.org:465".into(), Encryption::Tls, None));
        let user = Some("me+x@example.org".into());
        assert_eq!(
            shape("smtp://me+x%40example.org@Mail.example.org"),
            ("mail.example.org:587".into(), Encryption::StartTls, user)
        );
        assert_eq!(shape("smtp://u@mail.example.org:2525/").0, "mail.example.org:2525");
        assert_eq!(shape("smtp://localhost"), ("localhost:25".into(), Encryption::None, None));
        assert_eq!(shape("smtp://[::1]:26").0, "[::1]:26");
        assert_eq!(shape("smtp://localhost?tls=starttls").1, Encryption::StartTls);
        assert_eq!(shape("smtp://relay.example.org?tls=none").0, "relay.example.org:25");
    }

    #[test]
    fn what_cannot_be_used_is_told_without_secrets() {
        for bad in [
            "mail.example.org",
            "smtp:",
            "smtp://",
            "http://mail.example.org",
            "smtp://u:hunter2@mail.example.org",
            "smtp://mail.example.org/x",
            "smtp://mail.example.org?tls=maybe",
            "smtps://mail.example.org?tls=none",
            "smtp://u@mail.example.org?tls=none",
        ] {
            let error = read(bad).unwrap_err();
            assert!(matches!(error, NotifyError::MailServer(_)), "{bad}: {error}");
            assert!(!error.to_string().contains("hunter2") && !error.hint().is_empty());
        }
        let error = Smtp::parse("smtp://u@mail.example.org", None).unwrap_err();
        assert!(error.to_string().contains("GROMA_SMTP_PASSWORD"), "{error}");
    }
}
