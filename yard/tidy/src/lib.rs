//! The house rules, as far as a program can see them: which crates exist, what they depend on, what their sources say.
//!
//! [`house`], [`manifest`] and [`source`] look; [`rules`], [`circles`], [`comments`] and [`sizes`] judge, one function for each rule; `tests/house.rs` holds
//! this house to them. Only the standard library is used, and
//! only as much of TOML and Rust is read as the rules need.

pub mod circles;
pub mod comments;
pub mod house;
pub mod manifest;
pub mod rules;
pub mod sizes;
pub mod source;

pub use house::{Crate, House, Storey, Text};
pub use manifest::{Dependency, Manifest, Section};
pub use source::Source;
