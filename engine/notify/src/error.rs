//! Why was somebody not told, is another try worth it, and what can be done?

use std::net::IpAddr;

/// A message that was not delivered, or a way that cannot be used at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotifyError {
    /// Not an address that mail can be sent to.
    #[error("{0:?} is not a mail address")]
    MailAddress(String),
    /// Not a mail server that can be used.
    #[error("the mail server cannot be used: {0}")]
    MailServer(String),
    /// Not an address that a webhook can be posted to.
    #[error("the webhook cannot be used: {0}")]
    WebhookAddress(String),
    /// A secret that is missing, or can be guessed.
    #[error("the webhook's secret has {0} characters, at least 16 are needed")]
    ShortSecret(usize),
    /// The name does not exist, nobody listens, the connection broke.
    #[error("{who} cannot be reached: {why}")]
    Unreachable {
        /// Name of the server.
        who: String,
        /// The cause, for people.
        why: String,
    },
    /// The server was silent for too long.
    #[error("{0} does not answer in time")]
    TimeOut(String),
    /// TLS could not be negotiated.
    #[error("no secure connection to {who}: {why}")]
    Tls {
        /// Name of the server.
        who: String,
        /// The cause, for people.
        why: String,
    },
    /// What came is not what such a server says.
    #[error("{who} does not keep to the protocol: {why}")]
    Protocol {
        /// Name of the server.
        who: String,
        /// The cause, for people.
        why: String,
    },
    /// The mail server does not take user name and password.
    #[error("{who} refuses the login: {says}")]
    Login {
        /// Name of the server.
        who: String,
        /// Text of its answer.
        says: String,
    },
    /// The server does not take it, now or ever.
    #[error("{who} refuses it ({code}): {says}")]
    Refused {
        /// Name of the server.
        who: String,
        /// The code of its answer.
        code: u16,
        /// Text of its answer.
        says: String,
    },
    /// The server asks for another try.
    #[error("{who} cannot take it now ({code}): {says}")]
    Later {
        /// Name of the server.
        who: String,
        /// The code of its answer.
        code: u16,
        /// Text of its answer.
        says: String,
    },
    /// The webhook's host is private, and the configuration does not say that this is meant.
    #[error("{who} has the private address {address}")]
    Private {
        /// Name of the server.
        who: String,
        address: IpAddr,
    },
    /// The webhook sends us elsewhere.
    #[error("{who} redirects to {to:?} ({code})")]
    Redirected {
        /// Name of the server.
        who: String,
        /// The code of its answer.
        code: u16,
        /// Where it sends us.
        to: String,
    },
    /// The webhook wants nothing more.
    #[error("{0} wants no more messages (410)")]
    Gone(String),
}

impl NotifyError {
    /// Worth another try a little later, with nothing changed?
    pub fn passing(&self) -> bool {
        use NotifyError::*;
        matches!(self, Unreachable { .. } | TimeOut(_) | Protocol { .. } | Later { .. })
    }

    /// What to do next.
    pub fn hint(&self) -> &'static str {
        use NotifyError::*;
        match self {
            MailAddress(_) => "write it as name@example.org",
            MailServer(_) => {
                "write smtps://user@host (TLS), smtp://user@host (STARTTLS) or smtp://host?tls=none; the password goes \
                 into GROMA_SMTP_PASSWORD"
            }
            WebhookAddress(_) => "give an http or https URL without user name and fragment",
            ShortSecret(_) => "set GROMA_WEBHOOK_SECRET, for example to the output of `openssl rand -hex 32`",
            Unreachable { .. } | TimeOut(_) => "check its name and port, and that this machine may connect to it",
            Tls { .. } => {
                "check the server's certificate; one of your own authority is trusted with SSL_CERT_FILE or smtp_roots"
            }
            Protocol { .. } => "check that the port is the right one, and which encryption belongs to it",
            Login { .. } => "check the user name in `smtp` and the password in GROMA_SMTP_PASSWORD",
            Refused { .. } => "read what the server says; check sender, readers and address",
            Later { .. } => "nothing: it is tried again later",
            Private { .. } => "set `webhook_private = true` in groma.toml if that is meant",
            Redirected { .. } => "redirects are not followed: give the final URL",
            Gone(_) => "take the webhook out of groma.toml, or give its new URL",
        }
    }
}

/// What a server said, fit to be shown: one line, not too long.
pub(crate) fn told(text: &str) -> String {
    const MOST: usize = 300;
    let plain = |c: char| {
        if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') { ' ' } else { c }
    };
    let line: String = text.chars().take(MOST).map(plain).collect();
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
