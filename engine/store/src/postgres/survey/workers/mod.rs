//! Several processes that write to one survey on a server: see [`crate::workers`].
//!
//! ```text
//! writer   a row each: token, heartbeat             doors   open: hands may write; closed: they finish and go
//! lease    a row a host, server: a row a server     whose token is in it has it; zeros: nobody
//! bury     token := 0 where the time is over        in the row of the writer, which fences off its batches, and in its leases
//! ```
//!
//! Whoever leads begins behind closed doors. A hand sits down outside; whoever leads sees it within a second, and opens. Until then it
//! writes as if alone, by numbers counted on from the last one, which costs nothing; from then on everybody asks for blocks of numbers.
//! Nobody is buried in the first seconds of a server that was started anew, nor by one that was cut off itself a moment ago: all of
//! them had no chance to be heard.
//!
//! Cost: a look a second and process; a lease some index look-ups a host; a batch two round trips more than that of a writer who is alone.

mod among;
pub(super) mod doors;
mod leases;

use std::time::{Duration, Instant};

use groma_model::{Fp, HostId};

use super::fence::Seat;
use super::print::Print;
use super::reading::rows;
use super::rows::{known, print};
use super::{PgStore, place};
use crate::batch::WriteBatch;
use crate::postgres::driver::{Begin, Fault, Live, Repeat};
use crate::rows::HostRow;
use crate::workers::{Company, Handed, Numbers, Renamed, Sign, Workers};
use crate::{KnownAddress, StoreError};

/// Fingerprints that are asked for at once.
const ASKED: usize = 20_000;

/// What a member of a group of workers knows of itself.
#[derive(Debug)]
pub(super) struct Membership {
    pub(super) seat: Seat,
    /// Where the search for free hosts goes on.
    pub(super) cursor: i64,
    /// When we had not been heard of ourselves.
    troubled: Option<Instant>,
}

impl Membership {
    pub(super) fn new(seat: Seat) -> Membership {
        // Everybody begins somewhere else: the process number is as good as any.
        Membership { seat, cursor: i64::from(std::process::id()) * 7919 % 100_000, troubled: None }
    }
}

impl PgStore {
    /// Our row and our token; an error for whoever only reads.
    fn seat(&self) -> Result<(i32, Print), StoreError> {
        let read_only = || StoreError::ReadOnly(place(&self.server, &self.survey));
        Ok(self.fence.as_ref().ok_or_else(read_only)?.seat())
    }

    /// One short transaction that may be repeated.
    fn briefly<T>(&mut self, mut act: impl FnMut(&mut Live) -> Result<T, Fault>) -> Result<T, StoreError> {
        let read_only = || StoreError::ReadOnly(place(&self.server, &self.survey));
        let begin = Begin { begin: "BEGIN", first: "", repeat: Repeat::Harmless };
        let fence = self.fence.as_mut().ok_or_else(read_only)?;
        let done = fence.link().write(&begin, |live| act(live).map(Some))?;
        done.ok_or_else(|| StoreError::Server("a transaction came to nothing".into()))
    }
}

impl Workers for PgStore {
    fn leads(&self) -> bool {
        self.membership.as_ref().is_some_and(|own| own.seat == Seat::Lead)
    }

    fn announce(&mut self, task: &str) -> Result<(), StoreError> {
        doors::announce(self, task)
    }

    fn look(&mut self, sign: Sign) -> Result<Company, StoreError> {
        doors::look(self, sign)
    }

    fn close(&mut self) -> Result<bool, StoreError> {
        doors::close(self)
    }

    fn may_fetch(&self) -> bool {
        self.fence.as_ref().is_some_and(|fence| fence.is_fresh())
    }

    fn find_all(&mut self, fps: &[Fp]) -> Result<Vec<(Fp, KnownAddress)>, StoreError> {
        let sql = "SELECT id, fp, reason, EXISTS (SELECT 1 FROM linked l WHERE l.id = a.id) FROM address a WHERE fp = ANY ($1)";
        let mut found = Vec::with_capacity(fps.len());
        for some in fps.chunks(ASKED) {
            let prints: Vec<Print> = some.iter().map(|fp| Print(*fp)).collect();
            for row in self.ask(|live| rows(live, sql, &[&prints]))? {
                found.push((print(&row, 1)?, known(&row)?));
            }
        }
        Ok(found)
    }

    fn numbers(&mut self) -> Result<Numbers, StoreError> {
        among::numbers(self)
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<Renamed, StoreError> {
        among::write(self, batch)
    }

    fn lease(&mut self, round: u32, most: usize) -> Result<Vec<HostRow>, StoreError> {
        leases::lease(self, round, most)
    }

    fn lease_these(&mut self, hosts: &[HostId]) -> Result<Vec<HostRow>, StoreError> {
        leases::lease_these(self, hosts)
    }

    fn leased(&mut self, round: u32) -> Result<Vec<HostId>, StoreError> {
        leases::leased(self, round)
    }

    fn take_server(&mut self, host: HostId, server: &str) -> Result<Handed, StoreError> {
        leases::take_server(self, host, server)
    }

    fn give_back(&mut self, hosts: &[HostId], servers: &[(String, Duration)]) -> Result<(), StoreError> {
        leases::give_back(self, hosts, servers)
    }
}
