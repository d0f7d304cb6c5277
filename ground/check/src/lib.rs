//! What is wrong with a site: findings, and how they are told.
//!
//! Pure. A survey comes in as [`Evidence`], read twice from one end to the other; findings go out one by one, in an order that is
//! always the same; a [`Report`] puts together check, [`Baseline`], [`Gate`] and a [`Teller`](tell::Teller).
//!
//! ```
//! use groma_check::{Finding, Gate, Kind};
//!
//! // Ten broken links are let pass.
//! let gate = Gate::parse("invalid-link>10").expect("a gate");
//! let mut watch = gate.watch();
//! for page in 0..11 {
//!     watch.see(&Finding::of_page(Kind::InvalidLink, format!("http://a.example/{page}")));
//! }
//! assert!(!watch.verdict().passed());
//! ```

mod baseline;
mod catalogue;
pub mod causes;
mod check;
pub mod checks;
mod closing;
mod draft;
pub mod evidence;
mod facts;
mod finding;
mod gate;
mod gather;
mod report;
pub mod structured;
mod summary;
pub mod tell;
mod text_width;
mod within;
mod wording;

#[cfg(test)]
mod memory;
#[cfg(test)]
mod testing;

pub use baseline::{Baseline, BaselineError};
pub use catalogue::{CheckName, Definition, Example, Family, Profile, Thresholds};
pub use causes::{Cause, CauseGroup, Causes, KindCauses};
pub use check::{Options, check};
pub use checks::{external, inventory, orphans};
pub use closing::Closing;
pub use evidence::{Asked, Completeness, Evidence, LinkFacts, PageFacts, PageLinks, TextFacts};
pub use finding::{Finding, Kind, Kinds, Severity};
pub use gate::{Failed, Gate, GateError, Verdict, Watch};
pub use report::Report;
pub use summary::{Count, Summary, Unasked};
pub use within::Within;
