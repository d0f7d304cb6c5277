//! Gathering the databases behind forms: what was asked, how it is carried out, what came of it.

mod describe;
mod export;
mod found;
mod import;
mod plan;
mod preview;
mod request;
mod run;

pub use describe::{Page, described, pages};
pub use export::{Form, export, pairs};
pub use found::{DocumentFound, FieldFound, FormFound, FormsFound};
pub use groma_strategy::forms::How;
pub use import::{Imported, import};
pub use plan::Planned;
pub use preview::{AttributeSeen, Preview, RuleFault, preview};
pub use request::Request;
pub use run::{Closing, Gathered, Watch, gather};
