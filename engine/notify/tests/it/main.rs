//! Letters and webhooks against servers on loopback that take them, refuse them, fall silent and break off.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking, in its helpers too")]

mod hook;
mod mail;
mod postbox;
