//! Focused crawls of made webs.

mod made;
mod orders;
mod random;
