//! A letter to a reader, handed to a mail server.
//!
//! Plain text in UTF-8. The fields of its head are put together here from checked parts: a text that came from a web page, such
//! as a title, cannot add a field or a reader.

use std::error::Error;
use std::io;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use lettre::address::Envelope;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::message::{Body, Mailbox};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, Tls, TlsParameters};
use lettre::{Address, Message, SmtpTransport, Transport};

use crate::error::told;
use crate::smtp::Encryption;
use crate::{NotifyError, Smtp};

/// Characters of a subject.
const SUBJECT: usize = 200;

/// Somebody who gets mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader(Address);

impl FromStr for Reader {
    type Err = NotifyError;

    fn from_str(text: &str) -> Result<Reader, NotifyError> {
        let bad = || NotifyError::MailAddress(text.chars().take(200).collect());
        let trimmed = text.trim();
        // Quoted names and bare hosts are allowed by the letter of the law, and are mistakes in practice.
        if trimmed.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ',' | ';' | '<' | '>')) {
            return Err(bad());
        }
        trimmed.parse().map(Reader).map_err(|_| bad())
    }
}

impl Reader {
    /// As it is written.
    pub fn address(&self) -> &str {
        self.0.as_ref()
    }
}

/// What is to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    /// One line.
    pub subject: String,
    /// At length, lines ended by `\n`.
    pub text: String,
    /// What it is about, in letters, digits, dots and hyphens (others become hyphens): readers sort by it.
    pub topic: String,
    /// What makes this letter the same as one sent before: letters, digits, dots and hyphens.
    pub id: String,
    /// When it was written, in seconds since 1970.
    pub at: i64,
}

/// A connection to a mail server, through which letters are sent.
pub struct Mail {
    from: Reader,
    server: Smtp,
    transport: SmtpTransport,
}

impl Mail {
    /// Letters from this address go through this server.
    pub fn new(from: Reader, server: Smtp) -> Result<Mail, NotifyError> {
        let tls = || -> Result<TlsParameters, NotifyError> {
            let bad = |error: lettre::transport::smtp::Error| NotifyError::MailServer(told(&error.to_string()));
            let mut tls = TlsParameters::builder(server.host.clone());
            if let Some(pem) = &server.roots {
                tls = tls.add_root_certificate(Certificate::from_pem(pem.as_bytes()).map_err(bad)?);
            }
            tls.build().map_err(bad)
        };
        let secured = match server.encryption {
            Encryption::None => Tls::None,
            Encryption::StartTls => Tls::Required(tls()?),
            Encryption::Tls => Tls::Wrapper(tls()?),
        };
        let mut transport = SmtpTransport::builder_dangerous(server.host.clone())
            .port(server.port)
            .timeout(Some(server.patience))
            .tls(secured);
        if let Some((user, password)) = &server.login {
            transport = transport.credentials(Credentials::new(user.clone(), password.reveal().to_owned()));
        }
        Ok(Mail { from, transport: transport.build(), server })
    }

    /// Hands a letter for one reader to the server. Waits for it.
    pub fn send(&self, letter: &Letter, to: &Reader) -> Result<(), NotifyError> {
        let message = self.message(letter, to)?;
        let envelope = Envelope::new(Some(self.from.0.clone()), vec![to.0.clone()]);
        let envelope = envelope.map_err(|_| NotifyError::MailAddress(to.address().to_owned()))?;
        match self.transport.send_raw(&envelope, &message.formatted()) {
            Ok(_) => Ok(()),
            Err(error) => Err(self.trouble(&error)),
        }
    }

    fn message(&self, letter: &Letter, to: &Reader) -> Result<Message, NotifyError> {
        let field = |name: &'static str, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
        let subject: String = told(&letter.subject).chars().take(SUBJECT).collect();
        let domain = label(self.from.0.domain());
        let topic = label(&letter.topic);
        // Readable as it stands wherever it is looked at, in lines of any length.
        let text = Body::new_with_encoding(letter.text.clone(), ContentTransferEncoding::QuotedPrintable);
        let text = text.map_err(|_| NotifyError::MailServer("the text cannot be written".to_owned()))?;
        let when = Duration::from_secs(u64::try_from(letter.at).unwrap_or(0));
        Message::builder()
            .from(Mailbox::new(Some("Groma".to_owned()), self.from.0.clone()))
            .to(Mailbox::new(None, to.0.clone()))
            .subject(subject)
            .date(SystemTime::UNIX_EPOCH + when)
            .message_id(Some(format!("<{}.groma@{domain}>", label(&letter.id))))
            .raw_header(field("List-Id", format!("<{topic}.groma.{domain}>")))
            // Nobody's holiday greeting comes back (RFC 3834).
            .raw_header(field("Auto-Submitted", "auto-generated".to_owned()))
            .header(MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|error| NotifyError::MailServer(told(&error.to_string())))
    }

    fn trouble(&self, error: &lettre::transport::smtp::Error) -> NotifyError {
        let who = self.server.shown();
        // The first words are lettre's kind of error, the rest is what the server or the system said.
        let says = error.source().map_or_else(|| error.to_string(), ToString::to_string);
        let says = told(&says);
        if let Some(code) = error.status().map(u16::from) {
            return match code {
                530 | 534 | 535 | 538 => NotifyError::Login { who, says },
                _ if error.is_transient() => NotifyError::Later { who, code, says },
                _ => NotifyError::Refused { who, code, says },
            };
        }
        let system = cause(error);
        match system.map(io::Error::kind) {
            // A read that runs out of time is told as one that would block.
            Some(io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => NotifyError::TimeOut(who),
            // The library that secures the connection speaks through errors of this kind.
            Some(io::ErrorKind::InvalidData) => NotifyError::Tls { who, why: says },
            Some(_) => NotifyError::Unreachable { who, why: says },
            None if error.is_tls() => NotifyError::Tls { who, why: says },
            None if error.is_client() && says.contains("STARTTLS") => {
                NotifyError::Tls { who, why: "it does not offer STARTTLS".to_owned() }
            }
            None if error.is_client() && says.contains("authentication") => {
                NotifyError::Login { who, says: "it offers no way to log in".to_owned() }
            }
            None if error.is_client() => NotifyError::Refused { who, code: 0, says },
            None if error.is_response() => NotifyError::Protocol { who, why: says },
            None => NotifyError::Unreachable { who, why: says },
        }
    }
}

/// The error of the system behind one, if there is one.
fn cause<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<io::Error>() {
            return Some(found);
        }
        next = error.source();
    }
    None
}

/// A text as part of a name in a head.
fn label(text: &str) -> String {
    let plain =
        |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c.to_ascii_lowercase() } else { '-' };
    let label: String = text.chars().take(200).map(plain).collect();
    let label = label.trim_matches(['.', '-']);
    if label.is_empty() { "site".to_owned() } else { label.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_are_plain_addresses() {
        for good in ["webmaster@example.org", " a.b+c@sub.example.org ", "jan@xn--hkyrky-ptac70bc.example"] {
            assert_eq!(good.parse::<Reader>().unwrap().address(), good.trim());
        }
        for bad in [
            "",
            "webmaster",
            "a@b@c",
            "a b@example.org",
            "a@example.org\r\nBcc: x@example.org",
            "Me <a@example.org>",
            "a@example.org,b@example.org",
            "\"a\"@example.org",
        ] {
            assert!(matches!(bad.parse::<Reader>(), Err(NotifyError::MailAddress(_))), "{bad:?}");
        }
    }

    #[test]
    fn labels_are_safe_in_a_head() {
        assert_eq!(label("www.Example.org:8080"), "www.example.org-8080");
        assert_eq!(label("a>\r\nBcc: x"), "a---bcc--x");
        assert_eq!(label("..."), "site");
    }
}
