//! A URL on its way: the right to ask it once.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Sender;
use groma_url::Url;

use groma_fetch::Fetcher;
use groma_model::outcome::Method;
use groma_model::{Failure, Outcome, Request, Validators};

use crate::kernel::{HostNews, LaneId, Millis, asked};

/// Read of a page that is only asked for to see whether it is there.
const ENOUGH: u64 = 64 * 1024;

/// What happens while links are asked.
pub(super) enum Event {
    Back(Box<Back>),
    /// Something is known of a host.
    Host(HostNews),
}

impl From<HostNews> for Event {
    fn from(news: HostNews) -> Event {
        Event::Host(news)
    }
}

/// The right to ask one URL once.
#[derive(Clone, Debug)]
pub(super) struct OutsideTask {
    /// The number of its host in the list.
    pub(super) host: usize,
    /// Under which its answer is kept: as the survey knows it.
    pub(super) known_as: Arc<str>,
    /// As it was linked.
    pub(super) url: Url,
    /// What an earlier answer is recognised by.
    pub(super) validators: Option<Validators>,
    /// Redirects that led here from what is linked.
    pub(super) hops: u64,
    /// By GET: the header alone was not believed.
    pub(super) whole: bool,
    /// Tries that failed for a passing reason.
    pub(super) tries: u32,
}

/// A task that came home.
pub(super) struct Back {
    pub(super) task: OutsideTask,
    pub(super) lane: LaneId,
    pub(super) outcome: Outcome,
    pub(super) asked: Instant,
    pub(super) latency: Millis,
}

impl OutsideTask {
    pub(super) async fn ask(&self, fetcher: &dyn Fetcher) -> Outcome {
        let method = if self.whole { Method::Get } else { Method::Head };
        let request = Request { method, validators: self.validators.clone(), ..Request::get(self.url.clone()) };
        fetcher.fetch_whole(request, ENOUGH).await
    }
}

/// A task under way. However it ends, even by a panic inside, it comes home.
pub(super) struct UnderWay {
    pub(super) back: Option<OutsideTask>,
    pub(super) lane: LaneId,
    pub(super) begun: Instant,
    pub(super) home: Sender<Event>,
}

impl UnderWay {
    pub(super) fn bring(&mut self, outcome: Outcome) {
        if let Some(task) = self.back.take() {
            let latency = self.begun.elapsed().as_millis() as Millis;
            let back = Back { task, lane: self.lane, asked: asked(&outcome), outcome, latency };
            let _ = self.home.send(Event::Back(Box::new(back)));
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.bring(Outcome::Failed(Failure::BadAnswer("the fetch broke off inside".into())));
    }
}
