//! Who answers for an address? URL standard, section 4.7 "Origin"; HTML standard, "Origin" (serialization).

use crate::host::Host;
use crate::scheme::default_port;
use crate::{Url, scheme};

/// Scheme, host and port, or something that is like nothing else.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Of files and schemes the standard does not know; equal to no origin, not even to itself, since the address it came
    /// from is not known any more.
    Opaque,
    /// Scheme, host, port.
    Tuple(String, Host<String>, u16),
}

impl Origin {
    /// Is it more than opaque?
    pub fn is_tuple(&self) -> bool {
        matches!(self, Origin::Tuple(..))
    }

    /// `https://www.example.org`, with the port if it is not the scheme's; `null` if it is opaque.
    pub fn ascii_serialization(&self) -> String {
        match self {
            Origin::Opaque => "null".to_owned(),
            Origin::Tuple(scheme, host, port) if default_port(scheme) == Some(*port) => format!("{scheme}://{host}"),
            Origin::Tuple(scheme, host, port) => format!("{scheme}://{host}:{port}"),
        }
    }
}

impl PartialEq for Origin {
    fn eq(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::Tuple(scheme, host, port), Origin::Tuple(scheme2, host2, port2)) => {
                (scheme, host, port) == (scheme2, host2, port2)
            }
            _ => false,
        }
    }
}

impl Url {
    /// The origin. Of `blob:` it is that of the address inside, if that is http or https (or a file, whose origin is opaque).
    pub fn origin(&self) -> Origin {
        if self.scheme() == "blob" {
            let inside = Url::parse(self.path()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
            return inside.map_or(Origin::Opaque, |url| url.origin());
        }
        match (self.kind(), self.host(), self.port_or_known_default()) {
            (scheme::Kind::Web, Some(host), Some(port)) => {
                Origin::Tuple(self.scheme().to_owned(), host.to_owned(), port)
            }
            _ => Origin::Opaque,
        }
    }
}
