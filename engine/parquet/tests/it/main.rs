//! A survey goes out and comes back; what others wrote comes in; what is broken stays out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says so by panicking, in its helpers too")]

mod documented;
mod graph;
mod hostile;
mod made;
mod places;
mod round_trip;
mod values;
