//! The rows of the bounds, in the words of the house.

use groma_model::PageId;

use crate::named::named;
use crate::{Snapshot, StoreError};

/// Rows of the change log read at a time.
const ROWS: usize = 10_000;

/// On what something was computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watermark {
    /// Which survey; one that was started over is another.
    pub survey: u64,
    /// The last row of the change log that counted.
    pub change: u64,
    /// A digest of the pages and links themselves: the change log alone does not tell all that makes a graph another.
    pub graph: u64,
}

impl Watermark {
    /// The mark of a survey as it stands, but for its graph, which is not read here. `seen`: a mark that may be of the same
    /// survey; it spares reading the log from its beginning.
    pub fn read(store: &mut dyn Snapshot, seen: Option<&Watermark>) -> Result<Watermark, StoreError> {
        let mut bytes = Vec::new();
        if let Some(run) = store.runs()?.first() {
            bytes.extend(run.started.to_le_bytes());
        }
        if let Some(address) = store.addresses(None, 1)?.first() {
            bytes.extend(address.id.0.to_le_bytes());
            bytes.extend(address.url.as_bytes());
        }
        let survey = groma_model::Fp::hash_bytes(&bytes).0 as u64;
        let from = seen.filter(|seen| seen.survey == survey).map_or(0, |seen| seen.change);
        // Is that row still there? In a copy of the folder, perhaps not.
        let mut change = match from.checked_sub(1) {
            Some(before) if store.changes(before, 1)?.first().is_some_and(|row| row.seq == from) => from,
            _ => 0,
        };
        while let Some(row) = store.changes(change, ROWS)?.last() {
            change = row.seq;
        }
        Ok(Watermark { survey, change, graph: 0 })
    }

    /// Do both speak of the same survey at the same moment, as far as the change log tells?
    pub fn agrees(&self, other: &Watermark) -> bool {
        (self.survey, self.change) == (other.survey, other.change)
    }
}

named! {
    /// Which links made the graph. The codes are kept in stores: never renumber.
    LinksUsed {
        /// Those that lead a reader on.
        Pages = 0, "pages";
        /// Images, styles, scripts and forms too.
        All = 1, "all";
    }
}

named! {
    /// In which directions links counted. The codes are kept in stores: never renumber.
    Directions {
        /// A link counts from both of its ends.
        Both = 0, "both";
        /// From the page they stand on to the page they lead to.
        Forward = 1, "forward";
    }
}

/// How a clustering is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Of Markov clustering: the higher, the smaller the clusters.
    pub inflation: f64,
    /// Entries kept of a column.
    pub selection: u32,
    /// Clusters above this are clustered again; 0: none is.
    pub largest: u32,
    /// The width of the similarity of URLs by which links are weighed; 0: all weigh the same.
    pub sigma: f64,
    /// The links that make the graph.
    pub links: LinksUsed,
    /// Whether a link also counts backwards.
    pub directions: Directions,
}

/// A clustering of the pages of a survey.
#[derive(Clone, Debug, PartialEq)]
pub struct Clusters {
    /// How it was made.
    pub manner: Manner,
    /// The state of the survey it was made on.
    pub mark: Watermark,
    /// In seconds since 1970.
    pub at: i64,
    /// Rounds of expansion and inflation until its end.
    pub rounds: u32,
    /// Nothing changed any more at its end.
    pub converged: bool,
    /// How many clusters there are.
    pub count: u32,
    /// The cluster of every page, in order of their numbers.
    pub of: Vec<(PageId, u32)>,
    /// Pages and further clusters they also belong to, in order.
    pub overlaps: Vec<(PageId, u32)>,
}

/// A clustering without its pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ClustersHead {
    /// How it was made.
    pub manner: Manner,
    /// The state of the survey it was made on.
    pub mark: Watermark,
    /// In seconds since 1970.
    pub at: i64,
    /// How many clusters there are.
    pub count: u32,
    /// Of how many pages.
    pub pages: u32,
}

/// The number of a decision in the log, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DecisionId(pub u64);

named! {
    /// What somebody decided. The codes are kept in stores: never renumber.
    DecisionKind {
        /// The subject belongs to the site.
        Accept = 0, "accept";
        /// The subject does not belong to the site.
        Reject = 1, "reject";
        /// The site of the subject and this one are the same.
        Merge = 2, "merge";
        /// An earlier decision is taken back.
        Undo = 3, "undo";
    }
}

/// A decision to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDecision {
    /// The site it is about, by its start.
    pub site: String,
    /// Says what the subject is to the site.
    pub kind: DecisionKind,
    /// About what: a URL, a prefix that ends in `*`, or the start of another site.
    pub subject: String,
    /// The row that is taken back.
    pub undoes: Option<DecisionId>,
    /// In seconds since 1970.
    pub at: i64,
    /// By whom; empty if nobody said.
    pub who: String,
}

/// A row of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRow {
    /// Its place in the log, from 1.
    pub id: DecisionId,
    /// The site it is about, by its start.
    pub site: String,
    /// Says what the subject is to the site.
    pub kind: DecisionKind,
    /// As in [`NewDecision::subject`].
    pub subject: String,
    /// The row that is taken back.
    pub undoes: Option<DecisionId>,
    /// In seconds since 1970.
    pub at: i64,
    /// As in [`NewDecision::who`].
    pub who: String,
}

named! {
    /// On which side of the border a page lies. The codes are kept in stores: never renumber.
    Side {
        /// It belongs to the site.
        In = 0, "in";
        /// It may belong to the site: people decide.
        Undecided = 1, "undecided";
        /// It does not belong to the site.
        Out = 2, "out";
    }
}

/// A page of a site, or one beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// A page of the survey, by its number.
    pub page: PageId,
    /// On which side it lies.
    pub side: Side,
    /// The first step of the family in which it is inside; `u32::MAX` if in none.
    pub step: u32,
    /// How sure that is, from 0 to 1; kept in thousandths.
    pub confidence: f32,
}

/// A site as it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteRow {
    /// What it was found from: a URL, a keyword, a list.
    pub start: String,
    /// In seconds since 1970.
    pub at: i64,
    /// With which settings, as JSON.
    pub settings: String,
    /// What is told of it, as JSON.
    pub header: String,
    /// On what it was computed.
    pub mark: Watermark,
    /// Its pages, and those that may be, in order of their numbers.
    pub members: Vec<Member>,
}

/// A site without its pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteHead {
    /// What it was found from.
    pub start: String,
    /// In seconds since 1970.
    pub at: i64,
    /// With which settings, as JSON.
    pub settings: String,
    /// What is told of it, as JSON.
    pub header: String,
    /// On what it was computed.
    pub mark: Watermark,
    /// How many pages are in.
    pub inside: u32,
}
