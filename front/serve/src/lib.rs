//! The web interface and the API: one program that shows surveys to browsers and to other programs, and does the jobs they ask for.
//!
//! Every request comes through `door`, which says who asks and what they may; pages and API only answer.

mod api;
mod app;
mod assets;
mod borders;
mod door;
mod error;
mod exclusions;
mod focuses;
mod gatherings;
mod live;
mod metrics;
mod orders;
mod pages;
mod search;
mod server;
mod sites;
mod trial;
mod underway;
mod words;

pub use app::{Options, PORT};
pub use door::{ProxyNet, key_file, people, start_url};
pub use error::ServeError;
pub use server::{Listening, is_up, serve, serve_meter, serve_summaries};
