//! What differs between two surveys: in pages, links, structure (the map) and findings.
//!
//! Pages are the same if their canonical URLs are. If the two surveys are of different hosts (a site and its copy for
//! tests), URLs on the host of each root are compared without it.
//!
//! Cost: both graphs, ranks and maps, and three checks; memory about that of two maps and forty bytes a URL. Not seen: which of two
//! differences caused the other.

mod findings;
mod links;
mod pages;
mod sides;
mod structure;

use std::io;

use groma_store::Snapshot;
use serde::Serialize;

use crate::SurveyGraphError;
pub use sides::Sides;

macro_rules! differences {
    ($( $variant:ident, $name:literal; )*) => {
        /// Kinds of differences, in the order in which they are told.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DifferenceKind { $( #[doc = $name] $variant, )* }

        impl DifferenceKind {
            pub const ALL: &'static [DifferenceKind] = &[ $( DifferenceKind::$variant, )* ];

            /// The word scripts see.
            pub fn name(self) -> &'static str {
                match self { $( DifferenceKind::$variant => $name, )* }
            }
        }
    };
}

differences! {
    PageAdded, "page-added";
    PageGone, "page-gone";
    PageUnreachable, "page-unreachable";
    PageUnknown, "page-unknown";
    PageUnseen, "page-unseen";
    PageMoved, "page-moved";
    PageChanged, "page-changed";
    LinkAdded, "link-added";
    LinkRemoved, "link-removed";
    PlaceMoved, "place-moved";
    FindingNew, "finding-new";
    FindingFixed, "finding-fixed";
}

impl Serialize for DifferenceKind {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// What differs for one page between two surveys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub change: DifferenceKind,
    /// The page it is about: its URL in the survey where it is seen.
    pub url: String,
    /// Where it leads, or moved, or what stands above it now.
    pub to: Option<String>,
    /// What stood above it before.
    pub before: Option<String>,
    /// A reason, a kind of finding, layers: what else there is to know.
    pub detail: String,
}

impl Difference {
    fn new(change: DifferenceKind, url: &str) -> Difference {
        Difference { change, url: url.to_owned(), to: None, before: None, detail: String::new() }
    }
}

/// Takes differences one by one.
pub type Sink<'s> = dyn FnMut(&Difference) -> io::Result<()> + 's;

/// Compares two surveys, the older one first.
pub fn compare(a: &mut dyn Snapshot, b: &mut dyn Snapshot, sink: &mut Sink<'_>) -> Result<Sides, SurveyGraphError> {
    let sides = Sides::read(a, b)?;
    pages::compare(a, b, &sides, sink)?;
    links::compare(a, b, &sides, sink)?;
    structure::compare(&sides, sink)?;
    findings::compare(a, b, &sides, sink)?;
    Ok(sides)
}
