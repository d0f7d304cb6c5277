//! Bounds of made-up webs, from the start page to the verdicts.

mod alike;
mod made_up;
mod sites;
mod verdicts;
