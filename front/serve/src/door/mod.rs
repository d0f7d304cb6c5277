//! Who comes in, and what may they do? Every request passes here before anything else looks at it.
//!
//! In this order: does a proxy speak for somebody that we know nothing about? Is it our name they call (DNS rebinding)? Who is it:
//! a bearer of a token, a session, or, on a server without users, somebody with its start key? May they see this, may they change this? If a browser could have been tricked into it: does it come from
//! our own pages, with the token of the session in hand? Then the answer gets the headers that keep browsers from doing harm.

mod accounts;
mod cookie;
mod csrf;
mod doorkeeper;
mod forwarded;
mod headers;
mod host;
mod login;
mod password;
pub mod people;
pub(crate) mod secret;
mod start_key;
mod taking;
mod task_form;
mod visitor;

pub(crate) use accounts::Accounts;
pub(crate) use doorkeeper::guard;
pub use forwarded::ProxyNet;
pub(crate) use login::{Tries, sign_in, sign_in_by_key, sign_out};
pub(crate) use start_key::StartKey;
pub use start_key::{key_file, start_url};
pub(crate) use taking::{Form, Json, Path, Query};
pub(crate) use task_form::{FORMAT, TaskForm};
pub(crate) use visitor::{Caller, Me, Visitor};

#[allow(unused_imports, reason = "the one word for what somebody may do")]
pub(crate) use groma_store::accounts::Role;

/// A way on within this server: anything else leads home.
pub(crate) fn inward(next: &str) -> &str {
    let plain = |c: char| c.is_ascii_graphic() && c != '\\';
    let path = next.split(['?', '#']).next().unwrap_or_default();
    let here = next.starts_with('/') && !next.starts_with("//") && next.chars().all(plain) && path != "/login";
    if here { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_on_leads_nowhere_else() {
        for good in ["/sites/a/map?root=x", "/search?q=a%20b&page=2", "/logins"] {
            assert_eq!(inward(good), good);
        }
        for bad in [
            "",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "javascript:x",
            "/a\nb",
            "/login",
            "/login?next=/login",
        ] {
            assert_eq!(inward(bad), "/", "{bad:?}");
        }
    }
}
