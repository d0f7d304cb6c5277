//! Sockets, here only. What does a server answer, and may we ask it at all?
//!
//! - [`Fetcher`] is the seam: a request in, an outcome out. It never fails: a dead server is a finding. [`HttpFetcher`]
//!   speaks HTTP/1.1 and HTTP/2, in the clear or over TLS, directly or through a proxy.
//! - [`guard`] says which addresses are public. It is asked for every address a connection is made to, and for every host
//!   written as an address; only hosts the user named may be private, and only at the ports they were named with ([`OwnHosts`]). Behind a proxy, which resolves names itself, it
//!   can judge hosts written as URLs only.
//! - [`robots`] and [`sitemap`] fetch what stands at the door of a host; [`retry_after`] reads when to come back.
//! - A login by a form is part of the fetcher: whoever asks for a page of its site gets it as somebody who is logged in sees it, or
//!   not at all (`session`).
//! - The only errors are the user's to fix ([`FetchError`]), each with a hint, all of them before the first request.
//!
//! Architecture invariant: nothing above this room opens a socket, and nothing here knows why a page is wanted.
//!
//! ```
//! // A page on the open web must not lead into the user's house.
//! assert!(groma_fetch::guard("93.184.216.34".parse()?));
//! assert!(!groma_fetch::guard("192.168.1.1".parse()?));
//! assert!(!groma_fetch::guard("::ffff:127.0.0.1".parse()?));
//! # Ok::<(), std::net::AddrParseError>(())
//! ```

use std::net::IpAddr;
use std::pin::Pin;
use std::time::Duration;

use groma_model::{Outcome, Request};
use groma_url::Url;

mod ask;
mod body;
mod client;
pub mod clock;
mod config;
mod connect;
mod cookies;
mod fault;
mod guard;
mod line;
mod means;
mod own;
mod pool;
mod proxy;
mod record;
mod resolve;
mod retry;
mod robots;
mod session;
mod sitemap;
mod tape;
mod tls;
mod watch;
mod wire;

pub use body::as_asked;
pub use client::HttpFetcher;
pub use config::{FetchConfig, FetchError, HostHeader, ProxyChoice, ResolveOverride};
pub use cookies::{BadCookie, Cookies};
pub use guard::guard;
pub use means::{files_allowed, take_all_files};
pub use own::OwnHosts;
pub use record::{Exchange, Recorder, Trouble};
pub use retry::retry_after;
pub use robots::{RobotsAnswer, robots};
pub use session::{Login, LoginField, Secret, Sign, SignError};
pub use sitemap::{NoSitemap, SitemapAnswer, SitemapFile, sitemap};

/// A future whose type only its maker knows.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Asks servers. A trait of objects, so that the engines above are compiled once and not for every fetcher: a box for each request is
/// little beside the request.
pub trait Fetcher: Send + Sync + 'static {
    /// Asks for a page, once; redirects are not followed. A body of a type that nothing reads is left.
    fn fetch(&self, request: Request) -> BoxFuture<'_, Outcome>;

    /// Asks for something whose whole body is wanted whatever its type, up to `most` bytes over the wire.
    fn fetch_whole(&self, request: Request, most: u64) -> BoxFuture<'_, Outcome> {
        let _ = most;
        self.fetch(request)
    }

    /// When the answer of a URL is from, in seconds since 1970, if it is not from now.
    fn as_of(&self, url: &Url) -> Option<i64> {
        let _ = url;
        None
    }

    /// Is a record kept of every exchange?
    fn records(&self) -> bool {
        false
    }

    /// Every record of what was fetched so far is in the hands of the system; or else why none can be kept any more: from then on
    /// nothing that was fetched may count.
    fn settle(&self) -> Result<(), Trouble> {
        Ok(())
    }

    /// Which server a host really is, so that politeness counts by server and not by name.
    fn lane<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Lane>;

    /// The host of this URL asks for at least this pause between two requests: for requests that nobody asked for one by one.
    fn keep_pace(&self, url: &Url, pause: Duration) {
        let _ = (url, pause);
    }

    /// Fetches that can be under way at once, if the system sets a bound.
    fn most_at_once(&self) -> Option<usize> {
        None
    }

    /// Fetches that had to wait for the system so far, for want of files.
    fn waited(&self) -> u64 {
        0
    }

    /// Limits that were reached outside single pages (cookies that did not fit, say), by their keys, and how often since last asked.
    fn limits_hit(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Why pages are withheld ([`Failure::NoLogin`](groma_model::Failure::NoLogin)), if they are.
    fn withheld(&self) -> Option<String> {
        None
    }
}

/// A server, as far as it can be told from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// By its address: the first the host resolves to.
    Ip(IpAddr),
    /// By its name: behind a proxy, or where it does not resolve.
    Host(String),
}
