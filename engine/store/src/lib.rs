//! Where a survey lives. SQL is spoken in this room and nowhere else.
//!
//! One [`WriteBatch`] is one transaction: a page, its links and the states of all URLs it touched appear together or not at
//! all. Readers ([`Snapshot`]) see the last committed batch, also while a crawl is writing.
//!
//! Invariants, checked by [`verify`] and by the exam every store must pass:
//! - every URL is in one state; discovered = fetched + skipped + excluded + broken + queued;
//! - a URL is queued if and only if it waits to be fetched (or, in an update, to be fetched again);
//! - every link, alias and parent names a URL that exists; aliases do not run in circles.
//!
//! ```
//! use groma_store::{Folder, Snapshot};
//!
//! let folder = std::env::temp_dir().join(format!("groma-store-{}", std::process::id()));
//! let (mut store, _lock) = Folder::new(&folder).open()?;
//! assert_eq!(store.balance()?.queued, 0, "a new survey knows no URL");
//! # drop((store, _lock));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod accounts;
pub mod batch;
pub mod bounds;
mod boxed;
pub mod codec;
mod copy;
mod error;
mod file_lock;
pub mod focuses;
mod folder;
pub mod gathers;
mod home;
pub mod jobs;
mod named;
mod output;
pub mod outside;
mod plain;
mod postgres;
mod rename;
mod rows;
mod sheet;
mod sql;
mod sqlite;
mod varint;
pub mod verify;
pub mod workers;

pub use batch::{Amend, Counts, NewAddress, NewHost, ParameterEvidence, Settled, WriteBatch};
pub use copy::{Copied, CopiedTable};
pub use error::StoreError;
pub use file_lock::FileLock;
pub use folder::{Folder, Identity, Lock, Repaired, Stamp, default_folder};
pub use home::{home_of, server_of};
pub use output::OutputFile;
pub use plain::{PlainCopy, PlainLink, PlainPage};
pub use postgres::PgStore;
pub use postgres::driver::{
    ACCOUNTS_SCHEMA, Server, SurveyName, SurveySize, drop_survey, survey_exists, survey_sizes, surveys,
};
pub use rows::{
    AddressRow, Balance, Change, ChangeKind, FetchFacts, Finding, HostRow, LearnedRow, PageRow, Queued, RobotsRow,
    RunRow, Standing, Tally,
};
pub use sheet::{Sheet, SheetFacts};
pub use sql::SideStore;
pub use sqlite::SqliteStore;

use groma_model::{Fp, HostId, PageId, Reason};

/// What the store knows of a URL without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAddress {
    /// By which everything else about it is asked.
    pub id: PageId,
    /// It is registered for a reason that a better link would overcome (nofollow, an asset, not wanted).
    pub soft: bool,
    /// robots.txt forbids the URLs by which it was linked, or may do so: it is worth knowing another one.
    pub doubtful: bool,
}

impl KnownAddress {
    /// By its reason, and by whether it was linked by a URL that is not its canonical form.
    pub fn from_reason(id: PageId, reason: Reason, linked: bool) -> KnownAddress {
        let soft = matches!(reason, Reason::NoFollow | Reason::Asset | Reason::NotWanted);
        KnownAddress { id, soft, doubtful: reason == Reason::Robots || (linked && reason == Reason::Waiting) }
    }
}

/// What is kept of a page besides its facts, lent while it is read (see [`codec`]).
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    /// See [`codec::unpack_links`].
    pub targets: &'a [u8],
    /// See [`codec::unpack_details`].
    pub details: &'a [u8],
}

/// The reading side: any number at a time, also while a crawl writes.
pub trait Snapshot: Send {
    /// The URL with this fingerprint.
    fn find(&mut self, fp: Fp) -> Result<Option<KnownAddress>, StoreError>;

    /// A URL by its number.
    fn address(&mut self, id: PageId) -> Result<Option<AddressRow>, StoreError>;

    /// The URLs that are other names of this one.
    fn aliases(&mut self, of: PageId) -> Result<Vec<AddressRow>, StoreError>;

    /// URLs after `after` in order of their numbers, up to `most`.
    fn addresses(&mut self, after: Option<PageId>, most: usize) -> Result<Vec<AddressRow>, StoreError>;

    /// The URLs by which a URL was linked, each in a line, where its canonical form is not the only one: the one it is
    /// fetched by comes first.
    fn linked(&mut self, id: PageId) -> Result<Option<String>, StoreError>;

    /// Calls back with all of these, in order of the numbers.
    fn each_linked(&mut self, call: &mut dyn FnMut(PageId, &str)) -> Result<(), StoreError>;

    /// What is known of a fetched page.
    fn page(&mut self, id: PageId) -> Result<Option<PageRow>, StoreError>;

    /// The numbers of the pages a page links to, in order of its links.
    fn targets(&mut self, id: PageId) -> Result<Vec<PageId>, StoreError> {
        Ok(self.links(id)?.into_iter().map(|(target, _)| target).collect())
    }

    /// The same, each with the mark of its link.
    fn links(&mut self, id: PageId) -> Result<Vec<(PageId, codec::Mark)>, StoreError>;

    /// The packed details of a page (see [`codec`]).
    fn details(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError>;

    /// The body of a page as it was fetched, if bodies are kept.
    fn body(&mut self, id: PageId) -> Result<Option<Vec<u8>>, StoreError>;

    /// All hosts with their robots.txt, in order of their numbers.
    fn hosts(&mut self) -> Result<Vec<HostRow>, StoreError>;

    /// What has been learned about parameters.
    fn learned(&mut self) -> Result<Vec<LearnedRow>, StoreError>;

    /// What the crawl itself found (traps, learned rules), by kind and subject.
    fn findings(&mut self) -> Result<Vec<Finding>, StoreError>;

    /// How many URLs are in each state, and what the survey has cost.
    fn balance(&mut self) -> Result<Balance, StoreError>;

    /// The pages of which something is missing: how often each list of cuts occurs (see [`FetchFacts::cuts`]).
    fn cuts(&mut self) -> Result<Vec<(String, u64)>, StoreError>;

    /// A value of the survey by its key.
    fn value(&mut self, key: &str) -> Result<Option<String>, StoreError>;

    /// The runs (crawls and updates), oldest first.
    fn runs(&mut self) -> Result<Vec<RunRow>, StoreError>;

    /// The change log after a sequence number, up to `most` rows.
    fn changes(&mut self, after: u64, most: usize) -> Result<Vec<Change>, StoreError>;

    /// Calls back with where every URL stands, in order of their numbers: what a graph needs.
    fn each_standing(&mut self, call: &mut dyn FnMut(&Standing<'_>)) -> Result<(), StoreError>;

    /// Calls back with the media type and the size of every fetched page, in order of their numbers.
    fn each_extent(&mut self, call: &mut dyn FnMut(PageId, &str, u64)) -> Result<(), StoreError>;

    /// Calls back with the packed targets of every page that has any, in order of their numbers
    /// (see [`codec::unpack_links`]).
    fn each_targets(&mut self, call: &mut dyn FnMut(PageId, &[u8])) -> Result<(), StoreError>;

    /// Calls back with the packed targets and details of every page that has any, in order of their numbers.
    fn each_content(&mut self, call: &mut dyn FnMut(PageId, Packed<'_>)) -> Result<(), StoreError>;

    /// Calls back with every URL, and with what is known of it if it was fetched, in order of their numbers.
    fn each_page(&mut self, call: &mut dyn FnMut(&AddressRow, Option<&PageRow>)) -> Result<(), StoreError>;

    /// Calls back with what a full-text index needs of every URL, in order of their numbers, until it is told `false`.
    /// `packed`: with links and texts.
    fn each_sheet(&mut self, packed: bool, call: &mut dyn FnMut(&Sheet<'_>) -> bool) -> Result<(), StoreError>;

    /// Calls back with the fingerprint of every URL.
    fn each_fingerprint(&mut self, call: &mut dyn FnMut(Fp)) -> Result<(), StoreError>;

    /// What the storage itself finds wrong with its files, if anything.
    fn damage(&mut self) -> Result<Vec<String>, StoreError>;

    /// For a reader that is used again: lets go of the moment it has seen. The next question is answered of a new one.
    fn renew(&mut self) -> Result<(), StoreError>;
}

/// The writing side: one at a time.
pub trait Store: Snapshot {
    /// What is needed where several processes may write; nothing where one is alone.
    fn workers(&mut self) -> Option<&mut dyn workers::Workers> {
        None
    }

    /// Applies a batch as one transaction.
    fn commit(&mut self, batch: &WriteBatch) -> Result<(), StoreError>;

    /// The greatest URL number and host number given out; 0 if none.
    fn last_ids(&mut self) -> Result<(u32, u32), StoreError>;

    /// The page that stands for all variants with this key, by a learned rule.
    fn folded(&mut self, key: Fp) -> Result<Option<PageId>, StoreError>;

    /// The page fetched first for this key (a URL less one parameter), with the fingerprint of its text.
    fn variant(&mut self, key: Fp) -> Result<Option<(PageId, Fp)>, StoreError>;

    /// The first round that has queued URLs.
    fn first_round(&mut self) -> Result<Option<u32>, StoreError>;

    /// The hosts that have queued URLs in a round.
    fn queued_hosts(&mut self, round: u32) -> Result<Vec<HostId>, StoreError>;

    /// Up to `most` queued addresses of a host in a round, in order of their turn.
    fn queued(&mut self, round: u32, host: HostId, most: usize) -> Result<Vec<Queued>, StoreError>;

    /// Queues, layer by layer, every URL whose reason is chosen, to be asked for again; its standing stays until then.
    fn requeue(&mut self, which: &dyn Fn(Reason) -> bool) -> Result<u64, StoreError>;

    /// Empties the queue: what waited and was never fetched gets this reason. Returns how many that were.
    fn shelve(&mut self, reason: Reason, now: i64) -> Result<u64, StoreError>;
}
