//! From an outcome to what is known of a URL, or to another try.
//!
//! ```text
//! 2xx, 304          there
//! 301 302 303 307 308   leads elsewhere
//! 401 403 407 429 451 999, robots.txt   nobody knows: never broken
//! 408 425 429 5xx, time-out, reset   tried again, later; what remains is unreachable, not broken
//! other 4xx, 501 to HEAD, and redirects to nowhere   asked by GET: only that is believed
//! ```
//!
//! A name that cannot be looked up just now, or files that run out, say something of this machine and nothing of the URL.

use std::time::SystemTime;

use groma_url::Url;

use groma_fetch::retry_after;
use groma_model::{Failure, Limits, Outcome, Reason, Response};

use super::task::OutsideTask;
use crate::kernel::{Feedback, Millis};

/// A URL that fails for a passing reason is tried again so often, and no more than limits.retries.
const RETRIES: u32 = 2;

/// What came of asking.
pub(super) enum Verdict {
    /// This is how it is. Where a redirect leads.
    Known(Reason, Option<Url>),
    /// It is as it was last time.
    Unchanged,
    /// The header alone is not believed.
    AskWhole,
    /// It may be otherwise this long from now.
    Again(Option<Millis>),
    /// Nothing is known, and it is not the server's fault.
    OurTrouble,
}

/// Reads an outcome.
pub(super) fn read(outcome: &Outcome, task: &OutsideTask, limits: &Limits, feedback: &mut Feedback) -> Verdict {
    let last = task.tries >= RETRIES.min(u32::try_from(limits.retries).unwrap_or(u32::MAX));
    match outcome {
        Outcome::Answer(response) => answered(response, task, last, limits, feedback),
        Outcome::Failed(failure) => {
            feedback.strained = matches!(failure, Failure::TimeOut(_));
            failed(failure, task, last)
        }
    }
}

fn failed(failure: &Failure, task: &OutsideTask, last: bool) -> Verdict {
    match failure {
        Failure::Scarce(_) | Failure::DnsTrouble(_) | Failure::Proxy(_) if last => Verdict::OurTrouble,
        // Some servers break off, or say nothing, when they do not know HEAD.
        Failure::Reset | Failure::BadAnswer(_) | Failure::TimeOut("idle") if !task.whole => Verdict::AskWhole,
        failure if failure.passing() && !last => Verdict::Again(None),
        failure => Verdict::Known(failure.reason(), None),
    }
}

fn answered(response: &Response, task: &OutsideTask, last: bool, limits: &Limits, feedback: &mut Feedback) -> Verdict {
    match response.status {
        304 if task.validators.is_some() => Verdict::Unchanged,
        200..=300 => Verdict::Known(Reason::Fetched, None),
        301 | 302 | 303 | 307 | 308 => match redirect(response, &task.url, limits) {
            Ok(to) => Verdict::Known(Reason::Redirected, Some(to)),
            Err(_) if !task.whole => Verdict::AskWhole,
            Err(reason) => Verdict::Known(reason, None),
        },
        status => {
            feedback.strained = matches!(status, 429 | 503);
            let wait = retry_after(response, SystemTime::now()).map(|wait| wait.as_millis() as Millis);
            let bearable = wait.is_none_or(|ms| ms <= limits.retry_after_s.saturating_mul(1000));
            feedback.rest = if status == 429 { wait.or(Some(5_000)) } else { wait }.filter(|_| bearable);
            if matches!(status, 408 | 425 | 429 | 503) && bearable && !last {
                return Verdict::Again(feedback.rest);
            }
            // Who asks for a long rest is not asked again at once in another way.
            let sure = matches!(status, 401 | 407 | 429) || !bearable;
            if !task.whole && !sure {
                return Verdict::AskWhole;
            }
            if (500..600).contains(&status) && bearable && !last {
                return Verdict::Again(feedback.rest);
            }
            Verdict::Known(Reason::of_status(status), None)
        }
    }
}

/// Where a redirect leads, or why it leads nowhere.
fn redirect(response: &Response, url: &Url, limits: &Limits) -> Result<Url, Reason> {
    let to = response.location().and_then(|place| url.join(place.trim()).ok());
    let is_fine = |to: &Url| {
        matches!(to.scheme(), "http" | "https") && to.has_host() && to.as_str().len() as u64 <= limits.url_bytes
    };
    let mut to = to.filter(is_fine).ok_or(Reason::BadRedirect)?;
    to.set_fragment(None);
    if to == *url { Err(Reason::RedirectLoop) } else { Ok(to) }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn task(whole: bool, tries: u32) -> OutsideTask {
        let url = Url::parse("http://a.test/x").unwrap();
        OutsideTask { host: 0, known_as: "".into(), url, validators: None, hops: 0, whole, tries }
    }

    fn told(outcome: &Outcome, task: &OutsideTask) -> String {
        match read(outcome, task, &Limits::default(), &mut Feedback::default()) {
            Verdict::Known(reason, to) => format!("{reason}{}", to.map(|to| format!(" {to}")).unwrap_or_default()),
            Verdict::Unchanged => "unchanged".to_owned(),
            Verdict::AskWhole => "GET".to_owned(),
            Verdict::Again(wait) => format!("again {wait:?}"),
            Verdict::OurTrouble => "our trouble".to_owned(),
        }
    }

    fn answer(status: u16, fields: &[(&str, &str)]) -> Outcome {
        Outcome::Answer(Box::new(Response {
            status,
            headers: fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            body: Vec::new(),
            cut: None,
            remote: None,
            version: "HTTP/1.1",
            elapsed: Duration::ZERO,
        }))
    }

    #[test]
    fn only_a_whole_answer_says_that_something_is_not_there() {
        for (status, head, whole) in [
            (200, "fetched", "fetched"),
            (206, "fetched", "fetched"),
            (404, "GET", "not-found"),
            (410, "GET", "gone"),
            (400, "GET", "client-error"),
            (403, "GET", "forbidden"),
            (405, "GET", "client-error"),
            (501, "GET", "server-error"),
            (999, "GET", "forbidden"),
            (401, "unauthorized", "unauthorized"),
            (429, "asked-to-wait", "asked-to-wait"),
        ] {
            let last = |whole| task(whole, RETRIES);
            assert_eq!(told(&answer(status, &[]), &last(false)), head, "{status}");
            assert_eq!(told(&answer(status, &[]), &last(true)), whole, "{status}");
        }
    }

    #[test]
    fn redirects_lead_elsewhere_without_their_fragment() {
        let to = |place: &str| told(&answer(301, &[("location", place)]), &task(true, 0));
        assert_eq!(to("/y#z"), "redirected http://a.test/y");
        assert_eq!(to("https://b.test/"), "redirected https://b.test/");
        assert_eq!(to("/x#z"), "redirect-loop");
        assert_eq!(to("mailto:x@a.test"), "bad-redirect");
        assert_eq!(told(&answer(302, &[]), &task(true, 0)), "bad-redirect");
        assert_eq!(told(&answer(302, &[]), &task(false, 0)), "GET", "HEAD is not believed");
        assert_eq!(told(&answer(301, &[("location", "/x")]), &task(false, 0)), "GET");
    }

    #[test]
    fn what_may_pass_is_tried_again_and_then_only_unreachable() {
        assert_eq!(told(&answer(503, &[("retry-after", "2")]), &task(false, 0)), "again Some(2000)");
        assert_eq!(told(&answer(429, &[]), &task(false, 0)), "again Some(5000)");
        assert_eq!(told(&answer(429, &[("retry-after", "9999")]), &task(false, 0)), "asked-to-wait");
        assert_eq!(told(&answer(503, &[("retry-after", "9999")]), &task(false, 0)), "server-error");
        assert_eq!(told(&answer(500, &[]), &task(true, 0)), "again None");
        assert_eq!(told(&answer(500, &[]), &task(true, RETRIES)), "server-error");
        let failed = |failure: Failure, task: &OutsideTask| told(&Outcome::Failed(failure), task);
        assert_eq!(failed(Failure::Refused, &task(false, 0)), "again None");
        assert_eq!(failed(Failure::Refused, &task(false, RETRIES)), "refused");
        assert_eq!(failed(Failure::Reset, &task(false, 0)), "GET");
        assert_eq!(failed(Failure::TimeOut("idle"), &task(true, RETRIES)), "time-out");
        assert_eq!(failed(Failure::NoSuchHost, &task(false, 0)), "dns");
    }

    #[test]
    fn our_own_trouble_is_no_finding() {
        for failure in
            [Failure::DnsTrouble("try again".into()), Failure::Scarce("files"), Failure::Proxy("gone".into())]
        {
            assert_eq!(told(&Outcome::Failed(failure.clone()), &task(false, 0)), "again None");
            assert_eq!(told(&Outcome::Failed(failure), &task(false, RETRIES)), "our trouble");
        }
    }
}
