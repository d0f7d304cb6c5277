//! Does the crate as a whole do what the URL standard says, on the standard's cases, on our own, and on random ones?

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod cases;
mod large;
mod laws;
mod setting;
mod standard;

use groma_url::{Position, Url};

/// The parts of an address as a script in a browser sees them, by their names there.
fn as_scripts_see(url: &Url) -> [(&'static str, String); 11] {
    let marked = |mark: char, part: Option<&str>| match part {
        Some(part) if !part.is_empty() => format!("{mark}{part}"),
        _ => String::new(),
    };
    [
        ("href", url.as_str().to_owned()),
        ("protocol", format!("{}:", url.scheme())),
        ("username", url.username().to_owned()),
        ("password", url.password().unwrap_or_default().to_owned()),
        ("host", url[Position::BeforeHost..Position::AfterPort].to_owned()),
        ("hostname", url.host_str().unwrap_or_default().to_owned()),
        ("port", url.port().map(|port| port.to_string()).unwrap_or_default()),
        ("pathname", url.path().to_owned()),
        ("search", marked('?', url.query())),
        ("hash", marked('#', url.fragment())),
        ("origin", url.origin().ascii_serialization()),
    ]
}
