//! Any web, but every plain answer comes late: for counting what is in flight and for stopping a crawl in the middle.

use std::time::Duration;

use crate::{Answer, Ask, Manner, Web};

/// A web whose plain answers are delayed.
#[derive(Clone, Debug)]
pub struct Slowed<W> {
    /// The web whose answers are delayed.
    pub web: W,
    /// The wait before each answer.
    pub delay: Duration,
}

impl<W: Web> Web for Slowed<W> {
    fn answer(&self, ask: &Ask) -> Answer {
        let answer = self.web.answer(ask);
        match answer.manner {
            Manner::Plain if !self.delay.is_zero() => answer.with_manner(Manner::Delay(self.delay)),
            _ => answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_answers_are_slowed() {
        let delay = Duration::from_millis(3);
        let plain = Slowed { web: |_: &Ask| Answer::text("x"), delay };
        assert_eq!(plain.answer(&Ask::get("/")).manner, Manner::Delay(delay));
        let reset = Slowed { web: |_: &Ask| Answer::text("x").with_manner(Manner::ResetMidBody), delay };
        assert_eq!(reset.answer(&Ask::get("/")).manner, Manner::ResetMidBody);
    }
}
