//! Several processes that crawl one survey.
//!
//! One of them *leads*: it began the crawl and will end it. Others are *hands*: they come and go. Each works on hosts it has leased, and
//! nobody else touches those meanwhile, so politeness towards a host, and towards the server behind several hosts, is kept by one
//! process at a time. A lease is good as long as its owner is: an owner that has not been heard of is *buried*, which voids
//! its leases and refuses whatever it may still want to write.
//!
//! Numbers of new URLs are given out in blocks. Two processes may meet the same new URL at once; the one that writes second takes
//! over the number of the first ([`Renamed`]).

use std::collections::HashMap;
use std::time::Duration;

use groma_model::{Fp, HostId, PageId};
use serde::Serialize;

use crate::batch::WriteBatch;
use crate::rows::HostRow;
use crate::{KnownAddress, StoreError};

/// Who else is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Company {
    /// The doors are open: others may write too.
    pub open: bool,
    /// How many others write.
    pub others: u32,
    /// How many of them have found nothing to do.
    pub hungry: u32,
    /// The pages indexed by all of them, while the doors are open.
    pub indexed: u64,
    /// Somebody leads the crawl at this moment.
    pub led: bool,
    /// There is something to lend a hand with.
    pub wanted: bool,
    /// The URLs in the queue; nothing if they are too many to be counted now and then.
    pub queued: Option<u64>,
}

/// What one process says of itself when it looks round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sign {
    /// The hosts it has leased.
    pub hosts: usize,
    /// The fetches it has made.
    pub fetches: u64,
    /// It has found nothing to do.
    pub hungry: bool,
}

/// Numbers that nobody else gives out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// To be given to new URLs.
    pub pages: std::ops::Range<u32>,
    /// To be given to new hosts.
    pub hosts: std::ops::Range<u32>,
}

/// What others had entered before us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renamed {
    /// Our numbers of URLs, and what they are instead.
    pub pages: HashMap<PageId, KnownAddress>,
    /// The same for hosts.
    pub hosts: HashMap<HostId, HostId>,
}

/// How a server was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handed {
    /// It is ours; it may be asked after this time.
    After(Duration),
    /// It is ours; whoever had it before did not say when it was asked last.
    Abandoned,
    /// Somebody else has it.
    Taken,
}

/// One of those who write, as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// Process and machine, in words.
    pub owner: String,
    /// It leads the crawl; others lend a hand.
    pub leads: bool,
    /// For how many seconds it has been there.
    pub seconds: u64,
    /// How many seconds ago it was heard of.
    pub silent: u64,
    /// The hosts it has leased.
    pub hosts: u64,
    /// The fetches it has made.
    pub fetches: u64,
}

/// What a store offers that several processes may write to.
pub trait Workers {
    /// Does this process lead?
    fn leads(&self) -> bool;

    /// Says what hands are wanted for, from now on.
    fn announce(&mut self, task: &str) -> Result<(), StoreError>;

    /// Looks round, and says something of itself. Buries those who have not been heard of. Whoever leads opens the doors if somebody
    /// waits outside, and has all hosts then.
    fn look(&mut self, sign: Sign) -> Result<Company, StoreError>;

    /// Closes the doors: hands finish what they have begun and go. True when all have gone.
    fn close(&mut self) -> Result<bool, StoreError>;

    /// May something be fetched: can nobody have taken our place?
    fn may_fetch(&self) -> bool;

    /// The URLs with these fingerprints, as far as they are known.
    fn find_all(&mut self, fps: &[Fp]) -> Result<Vec<(Fp, KnownAddress)>, StoreError>;

    /// Numbers for new URLs and hosts.
    fn numbers(&mut self) -> Result<Numbers, StoreError>;

    /// Applies a batch as one transaction, by the numbers that others gave where they came first.
    fn write(&mut self, batch: &WriteBatch) -> Result<Renamed, StoreError>;

    /// Leases up to `most` hosts that have queued URLs in a round and that nobody has.
    fn lease(&mut self, round: u32, most: usize) -> Result<Vec<HostRow>, StoreError>;

    /// Leases these hosts, those that nobody has.
    fn lease_these(&mut self, hosts: &[HostId]) -> Result<Vec<HostRow>, StoreError>;

    /// Of the hosts we have leased, those with queued URLs in a round.
    fn leased(&mut self, round: u32) -> Result<Vec<HostId>, StoreError>;

    /// Asks for the server of a host we have leased. If somebody else has it, the host goes back.
    fn take_server(&mut self, host: HostId, server: &str) -> Result<Handed, StoreError>;

    /// Gives hosts back, and servers, each with the time until it may be asked again.
    fn give_back(&mut self, hosts: &[HostId], servers: &[(String, Duration)]) -> Result<(), StoreError>;
}
