//! The web interface and the API: one program that shows surveys to browsers and to other programs, and does the jobs they ask for.
//!
//! Every request comes through `door`, which says who asks and what they may; pages and API only answer.
//!
//! ```
//! use groma_serve::ProxyNet;
//!
//! assert!("172.16.0.0/12".parse::<ProxyNet>().is_ok());
//! assert!("everybody".parse::<ProxyNet>().is_err());
//! ```

mod allowed;
mod api;
mod app;
mod assets;
mod door;
mod error;
mod exclusions;
mod live;
mod metrics;
mod options;
mod orders;
mod pages;
mod results;
mod search;
mod server;
mod sites;
mod spool;
mod trial;
mod underway;
mod words;

pub use door::{ProxyNet, key_file, people, start_url};
pub use error::ServeError;
pub use options::{Listening, Options};
pub use server::{is_up, serve, serve_meter, serve_summaries};

/// The port people know.
pub const PORT: u16 = 8480;
