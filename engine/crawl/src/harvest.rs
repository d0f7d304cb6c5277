//! A visit on its way from the fetch to the survey: what came, what was read in it, and what a browser made of it.

use std::time::Instant;

use groma_url::Url;

use groma_model::rendering::Why;
use groma_model::url::Canon;
use groma_model::{Fp, Outcome, ParsedPage, Reason};
use groma_page::script::Holds;
use groma_render::{Blind, Shown, View};
use groma_store::{FetchFacts, Finding};

use crate::kernel::{LaneId, Millis};
use crate::slot::Slot;

/// A fetch that came back.
pub(crate) struct Fetched {
    pub(crate) slot: Slot,
    pub(crate) lane: LaneId,
    pub(crate) outcome: Outcome,
    pub(crate) asked: Instant,
    pub(crate) latency: Millis,
    pub(crate) at: i64,
}

/// What is to be read.
pub(crate) enum Work {
    /// A page as it came.
    Fetched(Box<Fetched>),
    /// A page as a browser built it.
    Built(Box<Built>),
}

/// Where a link leads, ready to be looked up.
pub(crate) enum Place {
    /// A URL in canonical form.
    Address(Canon),
    /// Text that is no URL.
    Malformed(String, Fp),
}

/// A page that was read.
pub(crate) struct Reading {
    pub(crate) parsed: ParsedPage,
    /// Where the links of `parsed` lead, one for one.
    pub(crate) places: Vec<Place>,
    pub(crate) details: Vec<u8>,
    pub(crate) body: Option<Vec<u8>>,
}

/// What a visit came to.
pub(crate) enum Got {
    /// A page with text and links.
    Page(Box<Reading>),
    /// Something that is there but that we do not read (an image, an archive).
    Bare,
    /// The page has not changed since last time.
    Unchanged,
    /// Another URL: as the server wrote it, and in canonical form.
    Redirect(Box<(Url, Canon)>),
    /// Nothing. `passing`: worth another try.
    Fault { reason: Reason, passing: bool },
    /// It was not asked for, since there is no login.
    Withheld,
    /// It was not asked for, since the system has no more of this for us.
    Scarce(&'static str),
}

/// What came of a fetch, read and ready to be stored.
pub(crate) struct Harvest {
    pub(crate) slot: Slot,
    pub(crate) lane: LaneId,
    pub(crate) facts: FetchFacts,
    pub(crate) got: Got,
    pub(crate) wire_bytes: u64,
    /// When it was asked for.
    pub(crate) asked: Instant,
    pub(crate) latency: Millis,
    /// The server showed distress.
    pub(crate) strained: bool,
    /// It asked for a rest.
    pub(crate) rest: Option<Millis>,
    /// Limits that were hit.
    pub(crate) cuts: Vec<&'static str>,
    /// It is worth building, by a browser.
    pub(crate) order: Option<Box<Order>>,
    /// What building it took: fetches, and bytes.
    pub(crate) aside: (u64, u64),
    pub(crate) built: bool,
    /// Something the user should know.
    pub(crate) finding: Option<Finding>,
}

/// A page to be built: what the browser is shown, and what it is compared with afterwards.
pub(crate) struct Order {
    pub(crate) why: Why,
    pub(crate) shown: Shown,
    pub(crate) holds: Holds,
}

/// A page that comes back from the browser, or does not.
pub(crate) struct Built {
    pub(crate) harvest: Box<Harvest>,
    pub(crate) order: Order,
    pub(crate) seen: Result<View, Blind>,
}
