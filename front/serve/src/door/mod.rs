//! Who comes in, and what may they do? Every request passes here before anything else looks at it.
//!
//! In this order: is it our name they call (DNS rebinding)? Who is it: a bearer of a token, a session, or, on a machine without
//! users, its owner? May they see this, may they change this? If a browser could have been tricked into it: does it come from
//! our own pages, with the token of the session in hand? Then the answer gets the headers that keep browsers from doing harm.

mod accounts;
mod cookie;
mod csrf;
mod doorkeeper;
mod headers;
mod host;
mod login;
mod password;
pub mod people;
pub(crate) mod secret;
mod taking;
mod visitor;

pub(crate) use accounts::Accounts;
pub(crate) use doorkeeper::guard;
pub(crate) use login::{Tries, sign_in, sign_out};
pub(crate) use taking::{Form, Json, Path, Query};
pub(crate) use visitor::{Caller, Me, Visitor};

#[allow(unused_imports, reason = "the one word for what somebody may do")]
pub(crate) use groma_store::accounts::Role;
