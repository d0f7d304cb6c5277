//! Sites with a database behind a form: real questions to SQLite, every switch that makes gathering hard, and the truth.
//!
//! | site | question |
//! |---|---|
//! | [`SiteKind::CityWorld`] | do the paper's own tags and rules give exactly regions, places and hotels? |
//! | [`SiteKind::Campsites`] | does a list that is cut come out whole, and at what price? |
//! | [`SiteKind::Random`] | is a certificate ever wrong? |
//! | [`SiteKind::Drawn`] | the same, and what does it cost, on forms nobody tuned for? ([`exam`]) |
//!
//! The same options give the same bytes for the same requests in the same order.
//!
//! ```
//! use groma_forms::{Options, Site};
//! let site = Site::start(&Options::random(7)).unwrap();
//! assert!(site.form().starts_with("http://127.0.0.1:"));
//! assert!(!site.truth().is_empty() && site.questions().is_empty());
//! ```

mod campsites;
mod cityworld;
mod data_set;
mod database;
mod dice;
mod drawn;
pub mod exam;
mod field;
mod gate;
mod options;
mod page;
mod question;
mod random;
mod search;
mod site;
mod table;
mod wording;

pub use gate::Asked;
pub use options::{Labels, Language, Meta, Method, Options, Paging, Records, SiteKind, Totals};
pub use site::{Running, Site};
pub use table::{Cell, Truth};
