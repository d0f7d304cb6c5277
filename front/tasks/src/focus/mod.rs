//! Where does a topic lead? From a topic and start pages to the pages that speak of it, in the order in which they were found.
//!
//! ```text
//! task --> topic, strategy --> crawl (the survey keeps the pages) --> steps, as they come --> focus.db
//! ```
//!
//! A crawl that was asked for in the same words goes on where it stopped: its strategy is shown the stored pages again and comes to
//! the same steps, so nothing but the pages and the steps has to be kept.

mod export;
pub(crate) mod job;
mod line;
mod run;
pub(crate) mod task;
mod topic;
mod trail;
pub mod wording;

pub use groma_strategy::focus::FocusOrder;

pub use export::export;
pub use line::{Closing, Line};
pub use run::{Focused, Watch, focus, requested};
pub use task::Form;
