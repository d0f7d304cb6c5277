//! What next? A strategy is told what a visit found and answers with commands; it never sees a socket, a clock, a thread or a row.
//!
//! Invariant: a strategy is a deterministic function of the visits it was shown, and its state is never the only copy of anything.
//! What it wanted stands in the store's queue, so `layers`, which has no state of its own, is resumed by going on with the queue;
//! [`overflow`], which has, begins anew and is shown what the store knows.
//!
//! ```
//! use groma_model::PageId;
//! use groma_strategy::{Layers, Plan, Strategy};
//!
//! let mut plan = Plan::default();
//! Layers::new(Some(3)).begin(&[PageId(1)], &mut plan);
//! assert_eq!(plan.commands.len(), 1, "the start page is wanted");
//! ```

pub mod focus;
pub mod forms;
mod layers;
pub mod overflow;
mod plan;

pub use layers::Layers;
pub use plan::{Answer, Ask, AskPlan, Command, Lead, Plan, Priority, Visit};

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

    /// Its memory, if it has one. Then it is shown what the store knows of the pages it wanted, in the order in which it
    /// wanted them, once their round is finished: all the same whether they were fetched in this run or in an earlier one.
    fn memory(&mut self) -> Option<&mut dyn Memory> {
        None
    }

    /// What is to be kept with the survey: a key, and what it has to say so far.
    fn report(&self) -> Option<(&'static str, String)> {
        None
    }
}

/// A strategy that keeps in mind what it was shown.
pub trait Memory {
    /// The URL of a page that it has not heard of since it began.
    fn meet(&mut self, page: PageId, address: &str);

    /// Does it read the pages? Then it is shown their texts and parts (`Visit::parsed`), and every page they lead to by a link that
    /// leads on (`Visit::leads`, whether it was fetched or not).
    fn reads(&self) -> bool {
        false
    }
}

/// A strategy that asks questions, which no page links to, instead of wanting pages. It is a deterministic function of its answers.
pub trait Asker: Send {
    /// Asks the first questions.
    fn begin(&mut self, plan: &mut AskPlan);

    /// A question has been answered, whatever came of it: those asked first are answered first.
    fn answer(&mut self, answer: &Answer<'_>, plan: &mut AskPlan);
}
