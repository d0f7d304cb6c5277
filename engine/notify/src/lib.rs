//! Telling people what is new: mail and signed webhooks.
//!
//! - [`Mail`] hands one letter to one reader over SMTP, through a server that the configuration names.
//! - [`Hook`] posts one message to one address, signed, through the fetcher of the house and its address guard.
//! - Neither decides what is told, to whom, or how often: the task `notify` does. Both say whether another try is worth it
//!   ([`NotifyError::passing`]) and what can be done ([`NotifyError::hint`]).
//!
//! A message that was handed over may still be reported as failed, if the connection broke before the server's last word. The
//! same Message-ID and the same delivery number are then sent again, by which a receiver can tell that it is the same message.
//!
//! ```
//! use groma_notify::{Secret, signature};
//!
//! let signed = signature(&Secret::new("s3cret"), 1_700_000_000, b"{}");
//! assert!(signed.starts_with("sha256=") && signed.len() == 7 + 64);
//! ```

mod error;
mod hook;
mod mail;
mod secret;
mod sign;
mod smtp;

pub use error::NotifyError;
pub use hook::Hook;
pub use mail::{Letter, Mail, Reader};
pub use secret::Secret;
pub use sign::{fingerprint, signature};
pub use smtp::{Encryption, Smtp};
