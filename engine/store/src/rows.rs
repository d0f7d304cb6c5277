//! What the store gives back, in the words of the house.

use std::collections::BTreeMap;

use groma_model::state::Fault;
use groma_model::{Depth, Fp, HostId, LinkKind, PageId, Reason, State};

/// A URL with all that is stored of it before it is fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressRow {
    /// By which links, pages and changes name it.
    pub id: PageId,
    /// Of the canonical form; no two URLs have the same.
    pub fp: Fp,
    /// See [`HostRow`].
    pub host: HostId,
    /// Its canonical form (or the raw text of one that does not parse).
    pub url: String,
    /// Why it is in its state; the state follows from it.
    pub reason: Reason,
    /// Clicks from the start page, as far as is known now.
    pub depth: Depth,
    /// The page it was found on first.
    pub via: Option<PageId>,
    /// By which kind of link.
    pub via_kind: Option<LinkKind>,
    /// The page it is another name of.
    pub alias_of: Option<PageId>,
    /// It waits for its turn.
    pub queued: bool,
    /// How long a run of stale pages led to it.
    pub run: u16,
    /// When it came into its state, in seconds since 1970.
    pub since: i64,
}

impl AddressRow {
    /// Follows from the reason alone.
    pub fn state(&self) -> State {
        self.reason.state()
    }
}

/// Where a URL stands, lent while it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing<'a> {
    /// By which links, pages and changes name it.
    pub id: PageId,
    /// See [`HostRow`].
    pub host: HostId,
    /// The canonical form (see `groma_model::url`).
    pub url: &'a str,
    /// Why it is in its state.
    pub reason: Reason,
    /// Clicks from the start page, as far as is known now.
    pub depth: Depth,
    /// By which kind of link it was found first.
    pub via_kind: Option<LinkKind>,
    /// The page it is another name of.
    pub alias_of: Option<PageId>,
}

/// A URL whose turn comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// By which links, pages and changes name it.
    pub id: PageId,
    /// The canonical form (see `groma_model::url`).
    pub url: String,
    /// Clicks from the start page, as far as is known now.
    pub depth: Depth,
    /// How long a run of stale pages led to it.
    pub run: u16,
    /// Its standing so far: anything but `Waiting` means that it has been fetched before.
    pub reason: Reason,
    /// The page it was found on first.
    pub via: Option<PageId>,
    /// The URLs by which it was linked, as in [`Snapshot::linked`](crate::Snapshot::linked).
    pub linked: Option<String>,
}

/// What is known from fetching a page, besides its text and links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchFacts {
    /// HTTP status; 0 if there was no answer.
    pub status: u16,
    /// What the body is, such as `text/html`.
    pub media_type: String,
    /// The character encoding by which the body was read.
    pub charset: String,
    /// Of the text, such as `en`; empty if unknown.
    pub language: String,
    /// The Content-Language header as it came.
    pub content_language: String,
    /// Size after decompression (or by Content-Length where the body was not read).
    pub size: u64,
    /// Page title, as crawled (untrusted text).
    pub title: String,
    /// Last-Modified as it came.
    pub last_modified: String,
    /// ETag as it came.
    pub etag: String,
    /// Expires as it came.
    pub expires: String,
    /// Fingerprint of the visible text.
    pub text_fp: Option<Fp>,
    /// Fingerprint of the body.
    pub body_fp: Option<Fp>,
    /// Similarity hash of the text.
    pub near_fp: u64,
    /// How many words the text has.
    pub words: u32,
    /// How long the fetch took.
    pub elapsed_ms: u32,
    /// When, in seconds since 1970.
    pub fetched_at: i64,
    /// The page this one names as its canonical form.
    pub canonical: Option<PageId>,
    /// The author asks not to show it in searches.
    pub noindex: bool,
    /// The author asks not to follow its links.
    pub nofollow: bool,
    /// What was cut, by limit keys; "broken" if the answer broke off.
    pub cuts: String,
    /// In words: what went wrong where a reason is not enough; how large a picture is; how many pages a document has; or how the page was
    /// seen (`groma_model::Rendering`).
    pub note: String,
}

/// A page that was fetched, with the facts of its last fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRow {
    /// By which links, pages and changes name it.
    pub id: PageId,
    /// What is known from fetching it.
    pub facts: FetchFacts,
    /// Its text was last seen to change then, in seconds since 1970; 0 if never.
    pub changed_at: i64,
}

/// A host: scheme, name and port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostRow {
    /// By which URLs name it.
    pub id: HostId,
    /// Scheme, name and port: `https://example.org:8443`.
    pub origin: String,
    /// Its robots.txt as last seen.
    pub robots: Option<RobotsRow>,
}

/// A robots.txt as last seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotsRow {
    /// The host that was asked for it.
    pub host: HostId,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The HTTP status; 0 for no answer.
    pub status: u16,
    /// The bytes of the file.
    pub body: Vec<u8>,
}

/// Evidence on a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LearnedRow {
    /// The shape of the URLs, as people read it.
    pub shape: String,
    /// The name of the parameter.
    pub param: String,
    /// Witnesses for equal content.
    pub equal: u32,
    /// Witnesses against equal content.
    pub differ: u32,
    /// 0 watching, 1 strong, 2 refuted.
    pub standing: u8,
    /// Variants that were folded by this rule.
    pub folded: u64,
    /// Samples fetched to check it.
    pub samples: u32,
    /// Two URLs that had the same content (or, if refuted, had not).
    pub example: String,
}

/// Something the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind: "trap", "learned-rule", ...
    pub kind: String,
    /// What about: a pattern, a URL.
    pub subject: String,
    /// In a sentence, for people.
    pub detail: String,
    /// Since when, in seconds since 1970.
    pub since: i64,
}

/// A crawl or an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its number, from 1.
    pub id: u32,
    /// "crawl" or "update".
    pub kind: String,
    /// In seconds since 1970.
    pub started: i64,
    /// When it ended; nothing while it runs or if it was killed.
    pub ended: Option<i64>,
    /// How it ended, for people.
    pub outcome: String,
}

/// What happened to a page. The codes are kept in stores: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum ChangeKind {
    /// Seen for the first time.
    Added = 0,
    /// The server says it is no more.
    Gone = 1,
    /// It could not be had.
    Unreachable = 2,
    /// Its text or links changed.
    Changed = 3,
    /// It redirects elsewhere now, or its content stands at another URL.
    Moved = 4,
    /// It could be had again.
    Back = 5,
    /// We were asked to log in, to wait or to keep out: nothing is known of it now.
    Unknown = 6,
}

impl ChangeKind {
    /// All of them, in the order of their codes.
    pub const ALL: [ChangeKind; 7] = [
        ChangeKind::Added,
        ChangeKind::Gone,
        ChangeKind::Unreachable,
        ChangeKind::Changed,
        ChangeKind::Moved,
        ChangeKind::Back,
        ChangeKind::Unknown,
    ];

    /// The kind a number stands for.
    pub fn from_code(code: u8) -> Option<ChangeKind> {
        ChangeKind::ALL.get(usize::from(code)).copied()
    }

    /// The word people see.
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::Added => "added",
            ChangeKind::Gone => "gone",
            ChangeKind::Unreachable => "unreachable",
            ChangeKind::Changed => "changed",
            ChangeKind::Moved => "moved",
            ChangeKind::Back => "back",
            ChangeKind::Unknown => "unknown",
        }
    }
}

/// A row of the change log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in the log; given by the store.
    pub seq: u64,
    /// The run it happened in.
    pub run: u32,
    /// In seconds since 1970.
    pub at: i64,
    /// The page that changed.
    pub page: PageId,
    /// What became of the page.
    pub kind: ChangeKind,
    /// How much of the text changed, in per cent; for other kinds 0.
    pub amount: u8,
    /// Where it moved to.
    pub to: Option<PageId>,
}

/// How many URLs have each reason.
pub type Tally = BTreeMap<Reason, u64>;

/// The balance of a survey.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// How many URLs have each reason.
    pub tally: Tally,
    /// URLs that wait for their turn (pending ones, and in an update those to be asked again).
    pub queued: u64,
    /// Requests for pages made.
    pub fetches: u64,
    /// Bytes received for them.
    pub bytes: u64,
    /// Pages built by a browser, each time they were.
    pub rendered: u64,
    /// The last layer whose pages have all been visited.
    pub finished_layer: Option<u32>,
    /// Limits that were hit, and how often.
    pub limits: BTreeMap<String, u64>,
}

impl Balance {
    /// URLs in a state.
    pub fn state(&self, state: State) -> u64 {
        self.sum(|reason| reason.state() == state)
    }

    /// URLs with a fault.
    pub fn fault(&self, fault: Fault) -> u64 {
        self.sum(|reason| reason.fault() == Some(fault))
    }

    /// All URLs but aliases.
    pub fn discovered(&self) -> u64 {
        self.sum(|reason| reason.state() != State::Alias)
    }

    fn sum(&self, which: impl Fn(Reason) -> bool) -> u64 {
        self.tally.iter().filter(|(reason, _)| which(**reason)).map(|(_, n)| n).sum()
    }
}
