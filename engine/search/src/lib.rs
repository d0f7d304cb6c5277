//! Full text: which pages speak of this? The search engine is used in this room and nowhere else.
//!
//! The index lies beside the survey (`index/` in its folder) and follows the store's change log. It can be thrown away at any
//! time: everything in it comes from the store.

mod answer;
mod answering;
mod ask;
mod day;
mod engine;
mod error;
mod index;
mod opened;
mod places;
mod preview;
mod schema;
mod sealed;
mod shelf;
mod suggest;
mod text;
mod vocabulary;
mod write;

pub use answer::{Answer, Ask, FacetCount, Facets, Hit, Note, Piece, Weights};
pub use error::SearchError;
pub use index::{Followed, Index, Step};
pub use preview::{Preview, preview};
