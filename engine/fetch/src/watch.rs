//! Two clocks over one fetch: silence and the total deadline.
//!
//! One timer for both: it is set once and looked at only when it rings; then it either names the clock that ran out or is
//! set to the moment at which one could. A fetch that goes well pays for one timer, however many pieces its body has.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

/// What a wait that was too long is called.
pub(crate) type Late = &'static str;

/// The clocks of one fetch.
pub(crate) struct Watch {
    /// When the fetch must be over.
    pub(crate) deadline: Instant,
    idle: Duration,
    heard: Instant,
    timer: Pin<Box<Sleep>>,
}

impl Watch {
    /// Starts the clocks for silence and for the whole exchange.
    pub(crate) fn start(idle_ms: u64, total_ms: u64) -> Watch {
        let heard = Instant::now();
        let (idle, total) = (bounded(idle_ms), bounded(total_ms));
        let deadline = heard + total;
        Watch { deadline, idle, heard, timer: Box::pin(sleep_until(deadline.min(heard + idle))) }
    }

    /// The silence before this moment does not count.
    pub(crate) fn heard(&mut self) {
        self.heard = Instant::now();
    }

    /// Waits for something, but no longer than the clocks allow.
    pub(crate) async fn over<F: Future>(&mut self, work: F) -> Result<F::Output, Late> {
        let mut work = pin!(work);
        poll_fn(|cx| {
            if let Poll::Ready(done) = work.as_mut().poll(cx) {
                self.heard = Instant::now();
                return Poll::Ready(Ok(done));
            }
            while self.timer.as_mut().poll(cx).is_ready() {
                let now = Instant::now();
                if now >= self.deadline {
                    return Poll::Ready(Err("total"));
                }
                if now >= self.heard + self.idle {
                    return Poll::Ready(Err("idle"));
                }
                self.timer.as_mut().reset(self.deadline.min(self.heard + self.idle));
            }
            Poll::Pending
        })
        .await
    }
}

/// A limit as a length of time; a limit set to "for ever" is a year, so that sums cannot overflow.
pub(crate) fn bounded(ms: u64) -> Duration {
    Duration::from_millis(ms.min(365 * 24 * 3_600_000))
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::sleep;

    use super::*;

    #[tokio::test]
    async fn silence_and_deadline_are_told_apart() {
        let mut watch = Watch::start(30, 10_000);
        assert_eq!(watch.over(pending::<()>()).await, Err("idle"));
        let mut watch = Watch::start(10_000, 30);
        assert_eq!(watch.over(pending::<()>()).await, Err("total"));
    }

    #[tokio::test]
    async fn a_steady_drip_is_not_silence_but_ends_at_the_deadline() {
        let mut watch = Watch::start(150, 400);
        let mut drops = 0;
        let late = loop {
            match watch.over(sleep(Duration::from_millis(20))).await {
                Ok(()) => drops += 1,
                Err(late) => break late,
            }
        };
        assert_eq!(late, "total");
        assert!(drops > 3, "{drops}");
    }

    #[tokio::test]
    async fn no_limit_is_too_large() {
        let mut watch = Watch::start(u64::MAX, u64::MAX);
        assert_eq!(watch.over(std::future::ready(7)).await, Ok(7));
    }
}
