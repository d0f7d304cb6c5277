//! URLs: which of them are the same page, which may be asked for, and what users write to say so.
//!
//! A URL found in a page goes through three gates, in this order: the canonizer gives it the one form under which
//! it is looked up ([`canon`], by the rules of [`rules`]), the scope says whether it belongs to the survey ([`scope`],
//! with the patterns of [`pattern`]), and only then may anything be fetched. Parsing and host names follow the URL
//! standard (`ground/url`).

pub mod canon;
mod glob;
pub mod learn;
mod logout;
mod noise;
pub mod pattern;
mod query;
pub mod rules;
pub mod scope;
pub mod shape;
pub mod trap;

#[cfg(test)]
mod laws;

pub use canon::{Address, Canon, CanonStep, Canonizer, malformed};
pub use logout::Logout;
pub use pattern::{Pattern, PatternError};
pub use rules::{DEFAULT_NOISE, Rule, RuleBook, RuleError};
pub use scope::{Scope, ScopeKind, registrable_domain};
