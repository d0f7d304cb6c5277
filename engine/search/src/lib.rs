//! Full text: which pages speak of this, and which records of databases behind forms? The search engine is used in this room and nowhere else.
//!
//! The index lies beside the survey (`index/` in its folder) and follows the store's change log and the gatherings (`gather.db`). It
//! can be thrown away at any time: everything in it comes from there.
//!
//! ```
//! let seen = groma_search::preview("\"border stone\" -modern", "An old border stone stands here.", "en");
//! assert_eq!((seen.wanted, seen.unwanted), (1, 1));
//! assert!(seen.snippet.iter().any(|piece| piece.hit));
//! ```

mod answer;
mod answering;
mod ask;
mod databases;
mod day;
mod engine;
mod error;
mod guard;
mod index;
mod index_folder;
mod key;
mod opened;
mod places;
mod preview;
mod record;
mod schema;
mod sealed;
mod suggest;
mod summed;
mod text;
mod vocabulary;
mod write;

pub use answer::{Answer, Ask, FacetCount, Facets, Hit, Note, Piece, Weights};
pub use error::SearchError;
pub use index::{Followed, Index, IndexProgress};
pub use preview::{Preview, preview};
