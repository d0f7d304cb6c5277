//! The forms of the map from outside: what readers make of them, on made-up and on hostile sites.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod browser;
mod data;
mod graphs;
mod hostile;
#[path = "../../examples/draw/made_up.rs"]
mod made_up;
mod page;
mod picture;
mod programs;
mod report;
mod terminal;
mod xml;
