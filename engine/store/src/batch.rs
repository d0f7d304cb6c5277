//! What is written at once: one batch, one transaction.

use std::collections::BTreeMap;

use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason};

use crate::rows::{Change, FetchFacts, Finding, LearnedRow, RobotsRow};

/// A host seen for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewHost {
    /// Given out by whoever crawls, never twice.
    pub id: HostId,
    /// Scheme, name and port.
    pub origin: String,
}

/// A URL seen for the first time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAddress {
    /// Given out by whoever crawls, never twice.
    pub id: PageId,
    /// Of the canonical form; no two URLs have the same.
    pub fp: Fp,
    /// A host that is known or stands in the same batch.
    pub host: HostId,
    /// The canonical form, or the raw text of one that does not parse.
    pub url: String,
    /// Its state, by the reason for it.
    pub reason: Reason,
    /// Clicks from the start page, as far as is known now.
    pub depth: Depth,
    /// The page it was found on.
    pub via: Option<PageId>,
    /// By which kind of link.
    pub via_kind: LinkKind,
    /// The page it is another name of.
    pub alias_of: Option<PageId>,
    /// Its turn (round, rank), if it is to be fetched.
    pub queue: Option<(u32, u32)>,
    /// How long a run of stale pages led to it.
    pub run: u16,
}

/// A known address whose standing changes without a fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amend {
    /// The URL it is about.
    pub id: PageId,
    /// Why it is in its new state; the state follows from it.
    pub reason: Reason,
    /// Its turn, if it is to be fetched.
    pub queue: Option<(u32, u32)>,
    /// Its new link distance, if that changes.
    pub depth: Option<Depth>,
    /// The page it is another name of.
    pub alias_of: Option<PageId>,
    /// What was stored of it goes: it turned out to be another name.
    pub forget: bool,
}

impl Amend {
    /// This reason, and nothing else: not queued, no alias, distance and content as they are.
    pub fn to(id: PageId, reason: Reason) -> Amend {
        Amend { id, reason, queue: None, depth: None, alias_of: None, forget: false }
    }
}

/// What a visit left behind. A settled URL is no longer queued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The URL it is about.
    pub id: PageId,
    /// Why it is in its new state; the state follows from it.
    pub reason: Reason,
    /// The page it is another name of.
    pub alias_of: Option<PageId>,
    /// What the fetch told.
    pub facts: FetchFacts,
    /// What happens to the text and links stored before.
    pub content: Content,
    /// The text is not what it was.
    pub changed: bool,
}

/// What happens to the stored text and links of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// They stay (an unchanged page, a passing failure).
    Keep,
    /// They go (a page that is gone or became another name).
    Remove,
    /// These take their place.
    Put {
        /// See [`codec::pack_targets`](crate::codec::pack_targets).
        targets: Vec<u8>,
        /// See [`codec::pack_details`](crate::codec::pack_details).
        details: Vec<u8>,
        /// The body, compressed, if bodies are kept.
        body: Option<Vec<u8>>,
    },
}

/// Sums to be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Added to [`Balance::fetches`](crate::Balance::fetches).
    pub fetches: u64,
    /// Added to [`Balance::bytes`](crate::Balance::bytes).
    pub bytes: u64,
    /// Pages built by a browser.
    pub rendered: u64,
    /// Limits hit, by key.
    pub limits: BTreeMap<&'static str, u64>,
    /// Pages that were indexed, less those that no longer are: only a group of workers keeps this sum, everybody else counts.
    pub indexed: i64,
}

/// What was seen of parameters that may not change a page (see `groma_model::url::learn`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterEvidence {
    /// First living pages for keys (a URL less one parameter), with their text; replaces what was there.
    pub variants: Vec<(Fp, PageId, Fp)>,
    /// Pages that stand for all variants of a key; `None` takes the key back.
    pub folds: Vec<(Fp, Option<PageId>)>,
    /// Evidence on parameters; replaces what was there.
    pub learned: Vec<LearnedRow>,
}

/// Everything that one transaction writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteBatch {
    /// When, in seconds since 1970.
    pub now: i64,
    /// The run it belongs to.
    pub run: u32,
    /// Hosts seen for the first time.
    pub hosts: Vec<NewHost>,
    /// URLs seen for the first time.
    pub addresses: Vec<NewAddress>,
    /// The URLs by which URLs were linked, each in a line (see [`Snapshot::linked`](crate::Snapshot::linked)); replaces
    /// what was there.
    pub linked: Vec<(PageId, String)>,
    /// Pages that were asked for, with what came of it.
    pub settled: Vec<Settled>,
    /// Other changes of standing, applied after the visits.
    pub amends: Vec<Amend>,
    /// What was seen of parameters that may not change a page.
    pub evidence: ParameterEvidence,
    /// Findings; of one subject the latest words stay, and when it was first found. One without words is over: it is removed.
    pub findings: Vec<Finding>,
    /// robots.txt files that were fetched; each takes the place of the last of its host.
    pub robots: Vec<RobotsRow>,
    /// Rows of the change log; their `seq` is given by the store.
    pub changes: Vec<Change>,
    /// Sums to be added.
    pub counts: Counts,
    /// Values of the survey.
    pub values: Vec<(String, String)>,
    /// A run begins: its kind.
    pub run_begins: Option<String>,
    /// The run ends: how.
    pub run_ends: Option<String>,
}

impl WriteBatch {
    /// True if committing it would change nothing.
    pub fn is_empty(&self) -> bool {
        *self == WriteBatch { now: self.now, run: self.run, ..WriteBatch::default() }
    }
}
