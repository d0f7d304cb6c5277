//! The search against an independent exact answer, on small random webs and on made ones that look like real ones.

mod made;
mod random;
mod stopping;
mod web;
