//! The one who asks, as pages and API see them.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::Serialize;

use groma_store::accounts::{Hash, Role};

/// How somebody came in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Right {
    /// Nobody is logged in.
    #[default]
    None,
    /// With a session, by its key.
    Session(Hash),
    /// With a token, or (number 0) with the start key of a server without users.
    Token(u64),
}

/// Whoever asks. Every handler can take it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor {
    /// Their name (of a token, its name); nothing for strangers and where there are no users.
    pub(crate) name: Option<String>,
    /// What they may do; nothing for strangers, who see the public search at most.
    pub(crate) role: Option<Role>,
    /// What forms must bring along as `csrf`, and scripts as `X-Csrf-Token`.
    pub(crate) csrf: String,
    /// How they came in.
    pub(crate) right: Right,
    /// From where, as far as is known.
    pub(crate) from: Caller,
}

/// From where a request comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Caller(pub(crate) IpAddr);

impl Default for Caller {
    fn default() -> Caller {
        Caller(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
    }
}

impl Visitor {
    /// Whether they may see surveys at all.
    pub(crate) fn may_see(&self) -> bool {
        self.role.is_some()
    }

    pub(crate) fn may_change(&self) -> bool {
        self.role == Some(Role::Admin)
    }

    /// Can they log out?
    pub(crate) fn has_session(&self) -> bool {
        matches!(self.right, Right::Session(_))
    }
}

impl<S: Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, Infallible> {
        Ok(parts.extensions.get::<Visitor>().cloned().unwrap_or_default())
    }
}

/// The one who asks, as the API tells it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Me {
    /// The name of the user or token.
    pub(crate) name: Option<String>,
    /// `admin` or `reader`.
    pub(crate) role: Option<&'static str>,
    /// What changes must bring along as `X-Csrf-Token`, if they come with a cookie.
    pub(crate) csrf: Option<String>,
}

impl From<&Visitor> for Me {
    fn from(visitor: &Visitor) -> Me {
        let csrf = Some(visitor.csrf.clone()).filter(|token| !token.is_empty());
        Me { name: visitor.name.clone(), role: visitor.role.map(Role::name), csrf }
    }
}
