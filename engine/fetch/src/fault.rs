//! What went wrong on the wire, in the words of the house.

use std::error::Error;
use std::io;

use groma_model::{Failure, Limits};

/// An error of the operating system.
pub(crate) fn of_io(error: &io::Error) -> Failure {
    use io::ErrorKind::*;
    if let Some(what) = lacking(error) {
        return Failure::Scarce(what);
    }
    match error.kind() {
        ConnectionRefused | HostUnreachable | NetworkUnreachable | NetworkDown | AddrNotAvailable
        | PermissionDenied | InvalidInput | Unsupported => Failure::Refused,
        TimedOut => Failure::TimeOut("connect"),
        _ => match found::<rustls::Error>(error) {
            Some(tls) => Failure::Tls(of_rustls(tls)),
            None => Failure::Reset,
        },
    }
}

/// An error of a connection that was there: the server broke it, or broke the rules of the protocol on it.
fn of_open_io(error: &io::Error) -> Failure {
    use io::ErrorKind::*;
    if let Some(tls) = found::<rustls::Error>(error) {
        return Failure::Tls(of_rustls(tls));
    }
    match error.kind() {
        // There was a connection, so the kernel gave up waiting for an answer.
        TimedOut => Failure::TimeOut("idle"),
        // What hyper finds wrong with the framing of a body comes as an error of this kind, and no system call has failed.
        InvalidInput | InvalidData | Other if error.raw_os_error().is_none() => {
            Failure::BadAnswer(format!("the body breaks the rules of HTTP: {}", without_capital(&error.to_string())))
        }
        _ => Failure::Reset,
    }
}

/// An error of TLS in words that hold for people; rustls has many of them as names of types.
fn of_rustls(error: &rustls::Error) -> String {
    use rustls::{CertificateError as Bad, Error as Tls};
    let says = match error {
        Tls::InvalidCertificate(bad) => match bad {
            Bad::Expired | Bad::ExpiredContext { .. } => "the certificate has expired",
            Bad::NotValidYet | Bad::NotValidYetContext { .. } => "the certificate is not valid yet",
            Bad::NotValidForName | Bad::NotValidForNameContext { .. } => "the certificate is for another host",
            Bad::UnknownIssuer => "the certificate is signed by nobody this machine trusts",
            Bad::Revoked => "the certificate has been revoked",
            _ => "the certificate is not valid",
        },
        Tls::InvalidMessage(rustls::InvalidMessage::InvalidContentType) => "the server does not speak TLS at this port",
        Tls::InvalidMessage(_) | Tls::PeerSentOversizedRecord | Tls::DecryptError => {
            "the server sent a damaged TLS message"
        }
        Tls::PeerIncompatible(_) | Tls::NoApplicationProtocol => {
            "the server and we have no TLS version or cipher in common"
        }
        Tls::AlertReceived(rustls::AlertDescription::UnrecognisedName) => "the server has no certificate for this host",
        Tls::AlertReceived(rustls::AlertDescription::HandshakeFailure | rustls::AlertDescription::ProtocolVersion) => {
            "the server and we have no TLS version or cipher in common"
        }
        Tls::AlertReceived(_) => "the server ended the TLS handshake",
        Tls::PeerMisbehaved(_) | Tls::InappropriateMessage { .. } | Tls::InappropriateHandshakeMessage { .. } => {
            "the server breaks the rules of TLS"
        }
        _ => "TLS failed",
    };
    says.to_owned()
}

fn without_capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// An error of a handshake: TLS has spoken, or the connection broke before it could.
pub(crate) fn of_tls(error: &io::Error) -> Failure {
    match found::<rustls::Error>(error) {
        Some(tls) => Failure::Tls(of_rustls(tls)),
        None => of_io(error),
    }
}

/// The machine has nothing more to give for sockets: our trouble, not the server's. Gives what is lacking.
pub(crate) fn lacking(error: &io::Error) -> Option<&'static str> {
    match error.raw_os_error().filter(|_| cfg!(unix))? {
        // ENFILE, EMFILE
        23 | 24 => Some("files"),
        // ENOMEM; ENOBUFS of Linux and of the BSDs
        12 => Some("memory"),
        105 if cfg!(target_os = "linux") => Some("memory"),
        55 if !cfg!(target_os = "linux") => Some("memory"),
        _ => None,
    }
}

/// An error of HTTP.
pub(crate) fn of_http(error: &hyper::Error, limits: &Limits) -> Failure {
    if let Some(io) = found::<io::Error>(error) {
        return of_open_io(io);
    }
    if let Some(two) = found::<h2::Error>(error) {
        // Resets and farewells of the server's; those of our own side say what the server did wrong.
        let broke = two.is_io() || (two.is_remote() && (two.is_go_away() || two.is_reset()));
        return if broke { Failure::Reset } else { Failure::BadAnswer(two.to_string()) };
    }
    if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
        return Failure::Reset;
    }
    if too_large(error) {
        let Limits { headers, header_bytes, .. } = limits;
        return Failure::BadAnswer(format!("more than {headers} headers or {header_bytes} bytes of them"));
    }
    if error.is_parse_status() {
        return Failure::BadAnswer("the status line of the answer cannot be read".to_owned());
    }
    Failure::BadAnswer(error.to_string())
}

/// Does the header of an answer pass a limit? hyper has one error for both of them, and no question to ask it but its words.
pub(crate) fn too_large(error: &hyper::Error) -> bool {
    error.is_parse() && error.to_string().contains("too large")
}

/// Did the connection break, rather than the server say something wrong? On a connection that had been kept, that means
/// no more than that the server had closed it in the meantime.
pub(crate) fn broke(error: &hyper::Error) -> bool {
    if let Some(two) = found::<h2::Error>(error) {
        return two.is_io() || two.is_go_away() || two.reason() == Some(h2::Reason::REFUSED_STREAM);
    }
    error.is_incomplete_message() || error.is_canceled() || error.is_closed() || found::<io::Error>(error).is_some()
}

/// Does the server say that it has not looked at the request (RFC 9113, 8.7)?
pub(crate) fn declined(error: &hyper::Error) -> bool {
    found::<h2::Error>(error).is_some_and(|two| two.reason() == Some(h2::Reason::REFUSED_STREAM))
}

/// The first cause of this type.
fn found<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // An io::Error hides what it carries from `source`.
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        cause = inner.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_told_apart() {
        assert_eq!(of_io(&io::ErrorKind::ConnectionRefused.into()), Failure::Refused);
        assert_eq!(of_io(&io::ErrorKind::HostUnreachable.into()), Failure::Refused);
        assert_eq!(of_io(&io::ErrorKind::ConnectionReset.into()), Failure::Reset);
        assert_eq!(of_io(&io::ErrorKind::BrokenPipe.into()), Failure::Reset);
        assert_eq!(of_io(&io::ErrorKind::TimedOut.into()), Failure::TimeOut("connect"));
        if cfg!(unix) {
            assert_eq!(of_io(&io::Error::from_raw_os_error(24)), Failure::Scarce("files"));
            assert_eq!(of_io(&io::Error::from_raw_os_error(12)), Failure::Scarce("memory"));
        }
        let tls = io::Error::new(io::ErrorKind::InvalidData, rustls::Error::DecryptError);
        assert!(matches!(of_io(&tls), Failure::Tls(_)));
        assert!(matches!(of_tls(&tls), Failure::Tls(_)));
        assert_eq!(of_tls(&io::ErrorKind::UnexpectedEof.into()), Failure::Reset);
        let chunk = io::Error::new(io::ErrorKind::InvalidInput, "Invalid chunk size line: Invalid Size");
        let Failure::BadAnswer(says) = of_open_io(&chunk) else { panic!("no bad answer") };
        assert_eq!(says, "the body breaks the rules of HTTP: invalid chunk size line: Invalid Size");
        assert_eq!(of_open_io(&io::ErrorKind::ConnectionReset.into()), Failure::Reset);
        assert_eq!(of_open_io(&io::ErrorKind::TimedOut.into()), Failure::TimeOut("idle"));
        assert_eq!(of_open_io(&io::ErrorKind::UnexpectedEof.into()), Failure::Reset);
    }

    #[test]
    fn errors_of_tls_are_told_without_names_of_types() {
        use rustls::{CertificateError, Error, InvalidMessage, PeerIncompatible};
        let plain = Error::InvalidMessage(InvalidMessage::InvalidContentType);
        assert_eq!(of_rustls(&plain), "the server does not speak TLS at this port");
        let unknown = of_rustls(&Error::InvalidCertificate(CertificateError::UnknownIssuer));
        assert!(unknown.contains("certificate"), "{unknown}");
        for error in [
            plain,
            Error::PeerIncompatible(PeerIncompatible::ServerDoesNotSupportTls12Or13),
            Error::General("GetRandomFailed".into()),
        ] {
            let says = of_rustls(&error);
            assert!(!says.contains("certificate") && says.contains(' '), "{says}");
        }
    }
}
