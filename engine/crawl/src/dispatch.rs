//! From a slot to a fetch: requests go out as far as politeness, the number of connections and the page limit allow.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Sender;
use groma_url::Url;

use groma_model::{Failure, Outcome, PageId, Request, Trail, Validators};
use groma_store::FetchFacts;

use crate::digest::is_list_name;
use crate::epoch::epoch;
use crate::harvest::{Fetched, Work};
use crate::kernel::{LaneId, Millis, asked};
use crate::render::Studio;
use crate::slot::Slot;
use crate::survey::OpenSurvey;

/// Hands slots to the threads that fetch.
pub(crate) struct Dispatch {
    /// Where what was fetched goes: to the readers.
    fetched: Sender<Work>,
    /// The page that the last URL asked for was found on, with its URL: many in a row are found on the same.
    last_via: (Option<PageId>, Option<Arc<str>>),
}

impl Dispatch {
    pub(crate) fn new(fetched: Sender<Work>) -> Dispatch {
        Dispatch { fetched, last_via: (None, None) }
    }

    /// Begins all fetches that may be begun now.
    pub(crate) fn dispatch(&mut self, survey: &mut OpenSurvey<'_>) {
        let mut fetches = Vec::new();
        while survey.has_room() {
            let Some((lane, slot)) = survey.kernel.frontier.ready(survey.kernel.now()) else { break };
            let trail = survey.kernel.fetcher.records().then(|| self.trail(survey, &slot));
            let request = Request { validators: validators(survey, &slot), trail, ..Request::get(slot.asks().clone()) };
            let fetcher = Arc::clone(&survey.kernel.fetcher);
            let list = survey.lens.may_list(&slot) && is_list_name(&request.url);
            let whole = list.then_some(survey.settings.limits.sitemap_bytes);
            let mut fetch = PageFetch { home: self.fetched.clone(), slot: Some(slot), lane, begun: Instant::now() };
            fetches.push(async move {
                // It may have waited for the thread.
                fetch.begun = Instant::now();
                let url = request.url.clone();
                let outcome = match whole {
                    Some(most) => fetcher.fetch_whole(request, most).await,
                    None => fetcher.fetch(request).await,
                };
                let at = fetcher.as_of(&url).unwrap_or_else(epoch);
                fetch.bring(outcome, at);
            });
        }
        if !fetches.is_empty() {
            // Begun from inside: the threads that fetch are woken once for all of them.
            survey.kernel.runtime.spawn(async move { fetches.into_iter().for_each(|fetch| drop(tokio::spawn(fetch))) });
        }
    }

    /// How a URL was come by, for whoever keeps a record.
    fn trail(&mut self, survey: &mut OpenSurvey<'_>, slot: &Slot) -> Arc<Trail> {
        if slot.via != self.last_via.0 {
            let url = slot.via.and_then(|via| url_fetched(survey, via));
            self.last_via = (slot.via, url);
        }
        Arc::new(Trail { via: self.last_via.1.clone(), hops: slot.depth.known() })
    }
}

/// What the last visit told, to be sent the page only if it has changed. Who reads pages needs them whole, not the word that they are as
/// they were.
fn validators(survey: &OpenSurvey<'_>, slot: &Slot) -> Option<Validators> {
    let studio = survey.lens.studio.as_deref();
    let conditional =
        |last: &&FetchFacts| last.status == 200 && !survey.settings.reads && Studio::takes_unchanged(last, studio);
    slot.last.as_deref().filter(conditional).map(|last| {
        let given = |text: &String| Some(text.clone()).filter(|t| !t.is_empty());
        Validators { etag: given(&last.etag), last_modified: given(&last.last_modified) }
    })
}

/// The URL by which a page was fetched.
fn url_fetched(survey: &mut OpenSurvey<'_>, page: PageId) -> Option<Arc<str>> {
    let linked = survey.ledger.store.linked(page).ok()?;
    match linked.and_then(|urls| Url::parse(urls.lines().next()?).ok()) {
        Some(linked) => Some(survey.lens.canonizer.as_fetched(&linked).as_str().into()),
        None => survey.ledger.store.address(page).ok()?.map(|row| row.url.into()),
    }
}

/// A fetch under way. However it ends, even by a panic inside, its slot comes home.
struct PageFetch {
    home: Sender<Work>,
    slot: Option<Slot>,
    lane: LaneId,
    begun: Instant,
}

impl PageFetch {
    fn bring(&mut self, outcome: Outcome, at: i64) {
        if let Some(slot) = self.slot.take() {
            let latency = self.begun.elapsed().as_millis() as Millis;
            let fetched = Fetched { slot, lane: self.lane, asked: asked(&outcome), outcome, latency, at };
            let _ = self.home.send(Work::Fetched(Box::new(fetched)));
        }
    }
}

impl Drop for PageFetch {
    fn drop(&mut self) {
        self.bring(Outcome::Failed(Failure::BadAnswer("the fetch broke off inside".into())), epoch());
    }
}
