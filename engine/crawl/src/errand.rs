//! Work that is done elsewhere while the loop goes on: fetches, and other errands that answer with an event. However one ends, even by a panic
//! inside, the loop hears of it.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Sender;
use url::Url;

use groma_model::{Failure, Outcome, PageId, Request, Trail, Validators};
use groma_store::FetchFacts;

use crate::engine::{Engine, Event};
use crate::frontier::{LaneId, Millis};
use crate::ledger::epoch;
use crate::reader::{Fetched, Work, is_list_name};
use crate::render::Studio;
use crate::ticket::Ticket;

impl Engine<'_> {
    /// Hands out tickets as far as politeness, the number of connections and the page limit allow.
    pub(crate) fn dispatch(&mut self) {
        let mut errands = Vec::new();
        while self.has_room() {
            let Some((lane, ticket)) = self.frontier.ready(self.now()) else { break };
            // Who reads pages needs them whole, not the word that they are as they were.
            let studio = self.lens.studio.as_deref();
            let conditional = |last: &FetchFacts| {
                last.status == 200 && !self.strategy.reads() && Studio::takes_unchanged(last, studio)
            };
            let validators = ticket.last.as_deref().filter(|last| conditional(last)).map(|last| {
                let given = |text: &String| Some(text.clone()).filter(|t| !t.is_empty());
                Validators { etag: given(&last.etag), last_modified: given(&last.last_modified) }
            });
            let url = ticket.asks().clone();
            let trail = self.fetcher.records().then(|| self.trail(&ticket));
            let request = Request { validators, trail, ..Request::get(url) };
            let fetcher = Arc::clone(&self.fetcher);
            let list = self.lens.may_list(&ticket) && is_list_name(&request.url);
            let whole = list.then_some(self.settings.limits.sitemap_bytes);
            let mut errand =
                FetchErrand { home: self.fetched.clone(), ticket: Some(ticket), lane, begun: Instant::now() };
            errands.push(async move {
                // It may have waited for the thread.
                errand.begun = Instant::now();
                let url = request.url.clone();
                let outcome = match whole {
                    Some(most) => fetcher.fetch_whole(request, most).await,
                    None => fetcher.fetch(request).await,
                };
                let at = fetcher.as_of(&url).unwrap_or_else(epoch);
                errand.bring(outcome, at);
            });
        }
        if !errands.is_empty() {
            // Begun from inside: the threads that fetch are woken once for all of them.
            self.runtime.spawn(async move { errands.into_iter().for_each(|errand| drop(tokio::spawn(errand))) });
        }
    }

    /// How an address was come by, for whoever keeps a record.
    fn trail(&mut self, ticket: &Ticket) -> Arc<Trail> {
        if ticket.via != self.last_via.0 {
            let url = ticket.via.and_then(|via| self.url_fetched(via));
            self.last_via = (ticket.via, url);
        }
        Arc::new(Trail { via: self.last_via.1.clone(), hops: ticket.depth.known() })
    }

    /// The URL by which a page was fetched.
    fn url_fetched(&mut self, page: PageId) -> Option<Arc<str>> {
        let linked = self.ledger.store.linked(page).ok()?;
        match linked.and_then(|urls| Url::parse(urls.lines().next()?).ok()) {
            Some(linked) => Some(self.lens.canonizer.as_fetched(&linked).as_str().into()),
            None => self.ledger.store.address(page).ok()?.map(|row| row.url.into()),
        }
    }
}

/// An errand that is not a fetch. However it ends, even by a panic inside, its last words are said.
pub(crate) struct Messenger<E = Event> {
    events: Sender<E>,
    last_words: Option<E>,
}

impl<E> Messenger<E> {
    pub(crate) fn new(events: Sender<E>, last_words: E) -> Messenger<E> {
        Messenger { events, last_words: Some(last_words) }
    }

    /// Says something; the last words are still to come.
    pub(crate) fn say(&self, event: E) {
        let _ = self.events.send(event);
    }

    /// Says this instead of the last words.
    pub(crate) fn conclude(mut self, event: E) {
        self.last_words = Some(event);
    }
}

impl<E> Drop for Messenger<E> {
    fn drop(&mut self) {
        if let Some(event) = self.last_words.take() {
            let _ = self.events.send(event);
        }
    }
}

/// A fetch under way. However it ends, even by a panic inside, its ticket comes home.
struct FetchErrand {
    home: Sender<Work>,
    ticket: Option<Ticket>,
    lane: LaneId,
    begun: Instant,
}

impl FetchErrand {
    fn bring(&mut self, outcome: Outcome, at: i64) {
        if let Some(ticket) = self.ticket.take() {
            let latency = self.begun.elapsed().as_millis() as Millis;
            let fetched = Fetched { ticket, lane: self.lane, asked: asked(&outcome), outcome, latency, at };
            let _ = self.home.send(Work::Fetched(Box::new(fetched)));
        }
    }
}

/// When something that has just come home was asked for.
pub(crate) fn asked(outcome: &Outcome) -> Instant {
    let now = Instant::now();
    now.checked_sub(outcome.took()).unwrap_or(now)
}

impl Drop for FetchErrand {
    fn drop(&mut self) {
        self.bring(Outcome::Failed(Failure::BadAnswer("the fetch broke off inside".into())), epoch());
    }
}
