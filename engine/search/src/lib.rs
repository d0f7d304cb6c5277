//! Full text: which pages speak of this, and which records of databases behind forms? The search engine is used in this room and nowhere else.
//!
//! The index lies beside the survey (`index/` in its folder) and follows the store's change log and the gatherings (`gather.db`). It
//! can be thrown away at any time: everything in it comes from there.

mod answer;
mod answering;
mod ask;
mod databases;
mod day;
mod engine;
mod error;
mod guard;
mod index;
mod key;
mod opened;
mod places;
mod preview;
mod record;
mod schema;
mod sealed;
mod shelf;
mod suggest;
mod summed;
mod text;
mod vocabulary;
mod write;

pub use answer::{Answer, Ask, FacetCount, Facets, Hit, Note, Piece, Weights};
pub use error::SearchError;
pub use index::{Followed, Index, Step};
pub use preview::{Preview, preview};
