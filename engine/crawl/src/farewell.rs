//! Links that would end the login are not followed: known by their addresses wherever addresses are judged
//! ([`Engine::judge`](Engine::judge)), and by their texts here.

use std::collections::HashSet;

use groma_model::url::Logout;
use groma_model::{PageId, Reason};
use groma_store::{Amend, StoreError};

use crate::engine::Engine;
use crate::ledger::Discovery;
use crate::reader::Place;

impl Engine<'_> {
    /// Does a link say that it ends the login? Then it is never followed, whatever its address.
    pub(crate) fn is_farewell(&self, text: &str) -> bool {
        self.settings.logout.is_some() && Logout::is_text(text)
    }

    /// The number of an address that a link says to end the login; enters it if it is new. One that waits for its turn waits no
    /// longer; one that is being fetched at this moment cannot be called back.
    pub(crate) fn place_farewell(&mut self, place: Place, found: Discovery) -> Result<PageId, StoreError> {
        let Place::Address(canon) = place else { return Ok(self.place(place, found, false)?.0) };
        let (url, fp, linked) = (canon.address.url, canon.address.fp, canon.linked);
        let Some(known) = self.ledger.find(fp)? else {
            let reason = canon.verdict.and_then(|()| self.scope.judge(&url)).err().unwrap_or(Reason::Logout);
            return self.enter(&url, fp, reason, found, None, linked);
        };
        let id = known.id;
        if self.seeds.contains(&id) || !self.farewells.insert(id) {
            return Ok(id);
        }
        if let Some(fresh) = self.ledger.fresh(id) {
            if matches!(fresh.reason, Reason::NotWanted | Reason::Waiting) {
                self.progress.queued = self.progress.queued.saturating_sub(u64::from(fresh.queue.is_some()));
                (fresh.reason, fresh.queue) = (Reason::Logout, None);
            }
        } else if self.loaded.contains(&id) {
            for ticket in self.withdraw(&HashSet::from([id])) {
                self.progress.queued = self.progress.queued.saturating_sub(1);
                self.log_change(id, ticket.before, Reason::Logout, false, None);
                self.ledger.batch.amends.push(Amend::to(id, Reason::Logout));
            }
        }
        Ok(id)
    }
}
