//! What next? A strategy is told what a visit found and answers with commands; it never sees a socket, a clock, a thread or a row.
//!
//! Invariant: a strategy is a deterministic function of the visits it was shown, and its state is never the only copy of anything.
//! What it wanted stands in the store's queue, so `layers`, which has no state of its own, is resumed by going on with the queue.

mod layers;
mod plan;

pub use layers::Layers;
pub use plan::{Command, Lead, Plan, Priority, Visit};

use groma_model::PageId;

/// The seam between "what next?" and the engine.
pub trait Strategy: Send {
    /// Its name, as users write it.
    fn name(&self) -> &'static str;

    /// The crawl begins: these are the start pages.
    fn begin(&mut self, seeds: &[PageId], plan: &mut Plan);

    /// A page has been visited, whatever came of it.
    fn visit(&mut self, visit: &Visit<'_>, plan: &mut Plan);

    /// Every page wanted up to this round has been visited.
    fn round(&mut self, finished: u32, plan: &mut Plan);
}
