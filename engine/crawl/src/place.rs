//! From a link to a number: is the address known, may it be fetched, is it a variant of another?

use url::Url;

use groma_model::url::learn::without;
use groma_model::url::shape::quarter;
use groma_model::url::{Address, Canon};
use groma_model::{Fp, LinkKind, PageId, Reason};
use groma_store::StoreError;

use crate::engine::Engine;
use crate::ledger::Discovery;
use crate::reader::Place;

impl Engine<'_> {
    /// The number of an address; enters it if it is new. True: a strategy may want it.
    pub(crate) fn place(
        &mut self,
        place: Place,
        found: Discovery,
        nofollow: bool,
    ) -> Result<(PageId, bool), StoreError> {
        let canon = match place {
            Place::Address(canon) => canon,
            Place::Malformed(text, fp) => {
                if let Some(known) = self.ledger.find(fp)? {
                    return Ok((known.id, false));
                }
                let nowhere = self.ledger.nowhere()?;
                self.progress.discovered += 1;
                return Ok((self.ledger.add(fp, text, nowhere, Reason::Malformed, found, None)?, false));
            }
        };
        let hindrance = self.hindrance(found.kind, nofollow);
        if let Some(known) = self.ledger.find(canon.address.fp)? {
            let matters = hindrance.is_none() && self.may_matter(known, &canon);
            let verdict = || canon.verdict.is_ok() && self.judge(&canon.address.url).is_ok();
            let lead = known.soft && hindrance.is_none();
            if !(matters || lead) || !verdict() {
                return Ok((known.id, false));
            }
            let opened = matters && self.linked_again(known, &canon)?;
            if lead {
                self.ledger.set_soft(canon.address.fp, known.id, false);
            }
            return Ok((known.id, lead || opened));
        }
        let Canon { address: Address { url, fp }, verdict, linked } = canon;
        if let Err(reason) = verdict.and_then(|()| self.judge(&url)) {
            return Ok((self.enter(&url, fp, reason, found, None, linked)?, false));
        }
        if let Some(reason) = hindrance {
            let id = self.enter(&url, fp, reason, found, None, linked)?;
            self.ledger.set_soft(fp, id, true);
            return Ok((id, false));
        }
        if self.settings.learn
            && let Some((kind, param)) = self.learner.meaningless(&url)
            && let Some(key) = without(&url, &param)
        {
            match self.ledger.stands_for(key)? {
                None => {
                    let id = self.enter(&url, fp, Reason::NotWanted, found, None, linked)?;
                    self.ledger.fold(key, Some(id));
                    return Ok((id, true));
                }
                Some(page) if !self.learner.sample(&kind, &param, quarter(&url)) => {
                    self.note_learned(&kind, &param, "");
                    return Ok((self.enter(&url, fp, Reason::Folded, found, Some(page), linked)?, false));
                }
                Some(_) => {}
            }
        }
        Ok((self.enter(&url, fp, Reason::NotWanted, found, None, linked)?, true))
    }

    /// May an address be asked for, by the scope and by what it is called?
    pub(crate) fn judge(&self, url: &Url) -> Result<(), Reason> {
        self.scope.judge(url)?;
        let ends_login = self.settings.logout.as_ref().is_some_and(|logout| logout.is_address(url));
        if ends_login { Err(Reason::Logout) } else { Ok(()) }
    }

    /// Enters a new address, linked by another URL than its own if there is one.
    pub(crate) fn enter(
        &mut self,
        url: &Url,
        fp: Fp,
        reason: Reason,
        found: Discovery,
        alias_of: Option<PageId>,
        linked: Option<Box<Url>>,
    ) -> Result<PageId, StoreError> {
        self.progress.discovered += u64::from(alias_of.is_none());
        let host = self.ledger.host(url)?;
        let id = self.ledger.add(fp, url.to_string(), host, reason, found, alias_of)?;
        if let Some(linked) = linked {
            self.note_linked(id, fp, &linked);
        }
        Ok(id)
    }

    /// Why a link of this kind is not followed, if it is not.
    fn hindrance(&self, kind: LinkKind, nofollow: bool) -> Option<Reason> {
        match kind {
            LinkKind::Form => Some(Reason::NotWanted),
            kind if !kind.leads_on() && !self.settings.assets => Some(Reason::Asset),
            _ if nofollow && !self.settings.follow_nofollow => Some(Reason::NoFollow),
            _ => None,
        }
    }
}
