//! Why is this text no address, and why can this part not be set?

use thiserror::Error;

/// Why a text is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The scheme wants a host, or a port or a user name is given without one.
    #[error("empty host")]
    EmptyHost,
    /// A host name that is not ASCII does not pass the processing of international names (UTS 46).
    #[error("invalid international domain name")]
    IdnaError,
    /// Not a number below 65536.
    #[error("invalid port number")]
    InvalidPort,
    /// The host ends in a number, so it is an IPv4 address, and as such it is none.
    #[error("invalid IPv4 address")]
    InvalidIpv4Address,
    /// What stands between the brackets is no IPv6 address, or a bracket is missing.
    #[error("invalid IPv6 address")]
    InvalidIpv6Address,
    /// A character that may stand in no host.
    #[error("invalid domain character")]
    InvalidDomainCharacter,
    /// No scheme, and no base that would give one.
    #[error("relative URL without a base")]
    RelativeUrlWithoutBase,
    /// Nothing but a fragment can be joined to `mailto:`, `data:` and the like.
    #[error("relative URL with a cannot-be-a-base base")]
    RelativeUrlWithCannotBeABaseBase,
    /// Offsets are kept in 32 bits.
    #[error("URLs more than 4 GB are not supported")]
    Overflow,
}

/// Why a part of an address cannot be set; the address is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum SetError {
    /// `mailto:`, `data:` and the like have no host.
    #[error("a URL with an opaque path has no host")]
    OpaquePath,
    /// User, password and port want a host, and files have none of them.
    #[error("a URL without a host has neither user nor password nor port")]
    NoHost,
    /// No scheme, or one that this address cannot change to.
    #[error("the URL cannot take this scheme")]
    Scheme,
    /// The host is none.
    #[error(transparent)]
    Host(#[from] ParseError),
}
