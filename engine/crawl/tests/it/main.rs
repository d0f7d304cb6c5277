//! The engine against the web as a function: what a crawl finds is compared with the site's truth.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod bounds;
mod failing_store;
mod finding;
mod gathering;
mod header_links;
mod learning;
mod manners;
mod mock;
mod outside;
mod random;
mod reading;
mod redirects;
mod regressions;
mod resuming;
mod strategies;
mod surveying;
mod traps;
mod updating;
