//! The web as a function: a request goes in, an answer comes out, and a small server on loopback speaks HTTP around it.
//!
//! A [`Web`] is pure: the same [`Ask`] gives the same [`Answer`], so a crawl of it has a truth that can be computed
//! beforehand. The [`sites`] are such webs, each with its truth in its documentation and in its methods; a closure
//! `|ask: &Ask| -> Answer` is one too. How an answer goes wrong on the wire (late, dripping, reset, never) is its
//! [`Manner`]; how a server goes wrong at random is a [`Faults`].
//!
//! ```
//! use groma_testweb::{Answer, Ask, Server};
//! let server = Server::start(|ask: &Ask| match ask.path.as_str() {
//!     "/" => Answer::html("<a href='/b'>b</a>"),
//!     _ => Answer::status(404),
//! });
//! assert!(server.base().starts_with("http://127.0.0.1:"));
//! assert_eq!(server.count("/"), 0);
//! ```

mod answer;
mod arrival;
mod ask;
pub mod catalogue;
mod connection;
mod counts;
mod faults;
mod neighbours;
mod on_server;
pub mod prose;
mod request;
mod server;
pub mod sites;
pub mod walk;

pub use answer::{Answer, Manner};
pub use ask::{Ask, Web};
pub use faults::Faults;
pub use neighbours::Neighbours;
pub use on_server::keep_on_server;
pub use server::Server;
