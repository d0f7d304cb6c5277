//! May something be fetched for a page that is being built, and when? Pages ask the loop, whose kernel knows hosts and lanes.

use std::time::Instant;

use groma_url::Url;
use tokio::sync::oneshot;

use crate::kernel::{Feedback, Kernel, Millis, Standing};

/// What is asked of the engine on behalf of a page.
pub(crate) enum Question {
    /// May this be fetched, and when?
    MayFetch(Url, oneshot::Sender<Leave>),
    /// When may a server be asked that is not part of the survey? Its lane, its pause, and when it was asked for its robots.txt.
    Book(String, Millis, Option<Instant>, oneshot::Sender<Millis>),
    /// How a server took it, and when it was asked.
    Felt(String, Feedback, Instant),
}

/// The answer: whether, in which lane, and after which wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// In this lane, after this wait.
    Granted(String, Millis),
    /// The host says no.
    Refused,
    /// It is no host of this survey, or has not been asked yet.
    Stranger,
}

/// Answers at once; whoever asked may have gone.
pub(crate) fn answer_for_page<T>(kernel: &mut Kernel<T>, question: Question) {
    let now = kernel.now();
    match question {
        Question::MayFetch(url, reply) => {
            let _ = reply.send(leave(kernel, &url, now));
        }
        Question::Book(lane, pause, asked, reply) => {
            let lane = kernel.frontier.lane(&lane, pause);
            if let Some(asked) = asked {
                kernel.hold_up(lane, asked);
            }
            let _ = reply.send(kernel.frontier.book(lane, now));
        }
        Question::Felt(lane, feedback, asked) => {
            let lane = kernel.frontier.lane(&lane, 0);
            let asked = kernel.clock(asked);
            kernel.frontier.feel(lane, Feedback { asked, ..feedback }, now);
        }
    }
}

fn leave<T>(kernel: &mut Kernel<T>, url: &Url, now: Millis) -> Leave {
    let lane = match kernel.hosts.by_url(url).map(|host| &host.standing) {
        Some(Standing::Open { robots, .. }) if !robots.allows(url) => return Leave::Refused,
        Some(Standing::Open { lane, .. }) => *lane,
        Some(Standing::Closed(..)) => return Leave::Refused,
        _ => return Leave::Stranger,
    };
    Leave::Granted(kernel.frontier.name(lane).to_owned(), kernel.frontier.book(lane, now))
}
