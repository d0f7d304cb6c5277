//! The words of the house: what every other room says when it speaks of URLs, pages, limits and fetches.
//!
//! Pure: no files, sockets, clock or environment.
//!
//! ```
//! use groma_model::{Limits, Reason, State};
//!
//! assert_eq!(Reason::NotFound.state(), State::Broken);
//! assert_eq!(Reason::Robots.state(), State::Skipped);
//! assert_eq!(Limits::default().url_bytes, 4096);
//! ```

pub mod cards;
pub mod escape;
pub mod fingerprint;
pub mod language_tag;
pub mod limits;
pub mod markup;
pub mod moment;
pub mod outcome;
pub mod page;
pub mod part;
pub mod rendering;
pub mod state;
pub mod structured;
pub mod url;
pub mod wording;

pub use fingerprint::Fp;
pub use limits::Limits;
pub use markup::{HeaderField, Markup, Symptom};
pub use outcome::{Failure, Method, Outcome, Request, Response, Trail, Validators};
pub use page::{Block, BlockKind, Link, LinkKind, ParsedPage, Rel, Target};
pub use part::{LinkPart, PageType, Part, PartKind, Parts};
pub use rendering::Rendering;
pub use state::{Reason, State};
pub use structured::{DataFault, DataItem, DataSyntax, Property, PropertyValue, StructuredData, Thing};

/// The number of a URL in its survey: given out in order of discovery, never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageId(pub u32);

/// The number of a host (scheme, name and port) in its survey.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostId(pub u32);

/// Link distance from the nearest start page. Redirects cost nothing.
///
/// A page that no link leads to (known from a sitemap, say) is [`Depth::LOOSE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Depth(pub u32);

impl Depth {
    /// Known, but not by following links from a start page.
    pub const LOOSE: Depth = Depth(u32::MAX);

    /// The distance of what a page at this distance links to. Loose pages only lead to loose pages.
    pub fn next(self) -> Depth {
        Depth(self.0.saturating_add(1))
    }

    /// The distance as a number, or nothing for loose pages.
    pub fn known(self) -> Option<u32> {
        (self != Self::LOOSE).then_some(self.0)
    }
}
