//! Faults that were there once, each as the smallest web that showed it.

mod folding;
mod hosts;
mod limits;
mod redirects;
mod resuming;
mod shop;
mod updating;
