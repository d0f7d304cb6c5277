//! A question on its way: the right to ask it once.

use groma_url::Url;

use groma_fetch::Fetcher;
use groma_model::outcome::Method;
use groma_model::{Failure, Outcome, Request};

use super::operate::Operating;
use crate::kernel::{Feedback, HostNews, LaneId, Millis, asked};
use crate::render::Question;

/// What happens while questions are asked.
pub(super) enum Event {
    /// A task came home.
    Back(Box<Back>),
    /// Something is known of a host.
    Host(HostNews),
    /// Something is to be fetched for a page whose search box is operated.
    ForPage(Question),
    /// A search box has been operated.
    Operated(Box<Operating<Held>>),
}

/// What a page holds while its search box is operated.
pub(super) type Held = (QuestionTask, LaneId, Feedback);

impl From<Question> for Event {
    fn from(question: Question) -> Event {
        Event::ForPage(question)
    }
}

impl From<HostNews> for Event {
    fn from(news: HostNews) -> Event {
        Event::Host(news)
    }
}

/// The right to ask one question once.
#[derive(Clone, Debug)]
pub(super) struct QuestionTask {
    /// The number of the question.
    pub(super) question: u64,
    /// What is sent next: after a redirect, to where that led.
    pub(super) request: Request,
    /// The URLs that redirected.
    pub(super) through: Vec<Url>,
    /// Tries that failed for a passing reason.
    pub(super) tries: u32,
    /// Requests made for it until now, redirects included.
    pub(super) requests: u32,
}

/// A task that came home.
pub(super) struct Back {
    pub(super) task: QuestionTask,
    pub(super) lane: LaneId,
    pub(super) outcome: Outcome,
    pub(super) asked: std::time::Instant,
    pub(super) latency: Millis,
}

impl QuestionTask {
    /// The same on to where a redirect leads, as the Fetch standard has it: what was posted is posted again only after 307 and 308.
    pub(super) fn redirected(mut self, status: u16, to: Url) -> QuestionTask {
        let keeps = matches!(status, 307 | 308);
        self.through.push(self.request.url.clone());
        self.request.validators = None;
        if !keeps && self.request.method != Method::Get {
            self.request.method = Method::Get;
        }
        self.request.url = to;
        self
    }

    /// Asks, up to `most` bytes.
    pub(super) async fn ask(&self, fetcher: &dyn Fetcher, most: u64) -> Outcome {
        fetcher.fetch_whole(self.request.clone(), most).await
    }
}

/// A task under way. However it ends, even by a panic inside, it comes home.
pub(super) struct UnderWay {
    pub(super) back: Option<QuestionTask>,
    pub(super) lane: LaneId,
    pub(super) begun: std::time::Instant,
    pub(super) home: crossbeam_channel::Sender<Event>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_posted_is_posted_again_only_where_the_standard_says_so() {
        let url = |text: &str| Url::parse(text).unwrap();
        let post = Request::post(url("http://a/1"), "text/plain", "x");
        let task = QuestionTask { question: 0, request: post.clone(), through: Vec::new(), tries: 0, requests: 0 };
        for (status, method) in [(302, Method::Get), (303, Method::Get), (307, post.method.clone())] {
            let next = task.clone().redirected(status, url("http://a/2"));
            assert_eq!((next.request.method, next.through), (method, vec![url("http://a/1")]));
        }
    }
}
