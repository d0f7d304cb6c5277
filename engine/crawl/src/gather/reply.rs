//! From an outcome to an answer that can be kept, or to another try.

use std::time::SystemTime;

use groma_url::Url;

use groma_fetch::retry_after;
use groma_model::outcome::Cut;
use groma_model::{Failure, Limits, Outcome, Reason, Response};
use groma_page::charset;
use groma_page::inflate::{inflate, true_coding};
use groma_store::gathers::AnswerRow;

use crate::epoch::epoch;
use crate::kernel::{Feedback, Millis};

/// What came of a request.
pub(super) enum Reply {
    /// An answer, or the certainty that there is none; still without its question.
    Done(Box<AnswerRow>),
    /// The server says that nothing has changed.
    Unchanged,
    /// A redirect: the status, and where it leads.
    Elsewhere(u16, Url),
    /// Nothing, for a passing reason; this long from now it may be otherwise.
    Again(Option<Millis>),
}

/// Reads an outcome; `last` if it will not be asked again, `asked` is the URL.
pub(super) fn read(outcome: Outcome, asked: &Url, last: bool, limits: &Limits, feedback: &mut Feedback) -> Reply {
    let response = match outcome {
        Outcome::Answer(response) => *response,
        Outcome::Failed(failure) => {
            feedback.strained = matches!(failure, Failure::TimeOut(_));
            // What the system has no more of for us says nothing about the form.
            if failure.passing() && (!last || matches!(failure, Failure::Scarce(_))) {
                return Reply::Again(None);
            }
            return Reply::Done(Box::new(nothing(asked, failure.reason(), 0)));
        }
    };
    match response.status {
        304 => Reply::Unchanged,
        301 | 302 | 303 | 307 | 308 => {
            let to = response.location().and_then(|place| asked.join(place.trim()).ok());
            match to.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host()) {
                Some(to) => Reply::Elsewhere(response.status, to),
                None => Reply::Done(Box::new(nothing(asked, Reason::BadRedirect, response.status))),
            }
        }
        200..=299 => body(response, asked, last, limits),
        status => {
            feedback.strained = matches!(status, 429 | 503);
            let wait = retry_after(&response, SystemTime::now()).map(|d| d.as_millis() as Millis);
            let bearable = wait.is_none_or(|ms| ms <= limits.retry_after_s * 1000);
            feedback.rest = if status == 429 { wait.or(Some(5_000)) } else { wait }.filter(|_| bearable);
            let passing = matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504) && bearable;
            if passing && !last {
                return Reply::Again(feedback.rest);
            }
            Reply::Done(Box::new(nothing(asked, Reason::of_status(status), status)))
        }
    }
}

fn body(response: Response, asked: &Url, last: bool, limits: &Limits) -> Reply {
    let mut cut = matches!(response.cut, Some(Cut::TooLarge | Cut::Broken | Cut::Late));
    let said = response.header("content-encoding").unwrap_or_default();
    let coding = true_coding(said, &response.body).to_owned();
    let text = |name: &str| response.header(name).unwrap_or_default().chars().take(400).collect::<String>();
    let mut answer = AnswerRow {
        media_type: response.media_type().chars().take(200).collect(),
        charset: charset::of_content_type(response.header("content-type").unwrap_or_default()).unwrap_or_default(),
        etag: text("etag"),
        last_modified: text("last-modified"),
        ..nothing(asked, Reason::Fetched, response.status)
    };
    let broken = response.cut.is_some_and(Cut::is_partial);
    let inflated = inflate(response.body, &coding, limits.page_bytes);
    if (broken || (inflated.broken && !cut)) && !last {
        return Reply::Again(None);
    }
    cut |= inflated.cut || inflated.broken;
    (answer.cut, answer.body) = (cut, inflated.bytes);
    Reply::Done(Box::new(answer))
}

/// No answer, for this reason.
pub(super) fn nothing(asked: &Url, reason: Reason, status: u16) -> AnswerRow {
    AnswerRow {
        key: String::new(),
        about: String::new(),
        at: epoch(),
        reason,
        status,
        address: asked.to_string(),
        media_type: String::new(),
        charset: String::new(),
        etag: String::new(),
        last_modified: String::new(),
        cut: false,
        unchanged: false,
        requests: 0,
        body: Vec::new(),
    }
}
