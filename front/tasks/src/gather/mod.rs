//! Gathering the databases behind forms: what was asked, how it is carried out, what came of it.

mod about;
mod all;
mod describe;
mod export;
mod found;
mod import;
pub(crate) mod job;
mod noticed;
mod plan;
mod preview;
mod request;
mod run;
pub(crate) mod task;
pub mod wording;

pub use about::About;
pub use all::{AllDatabases, AllGathered, Allowed, ChosenDatabase, GatheredDatabase, PassedOver};
pub use describe::{Page, described, pages};
pub use export::{export, export_soif, pairs};
pub use found::{DocumentFound, FieldFound, FormFound, FormsFound};
pub use groma_strategy::forms::How;
pub use import::{Imported, import};
pub use noticed::{LOOKED, NoticedDatabase, NoticedDatabases, NoticedKind};
pub use plan::Planned;
pub use preview::{AttributeSeen, Preview, RuleFault, preview};
pub use request::Request;
pub use run::{Closing, Gathered, Watch, gather};
pub use task::Form;
