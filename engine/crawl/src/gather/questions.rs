//! Questions whose answers have not been told to the strategy, in the order in which it asked.

use std::collections::VecDeque;

use groma_store::StoreError;
use groma_strategy::Ask;

/// Questions of one gathering that may wait at once: a strategy that asks more has lost its way.
const WAITING: usize = 1_000_000;

/// A question that has not been answered, or whose answer has not been told.
struct Question {
    ask: Ask,
    /// Somebody has been sent with it and is not back.
    under_way: bool,
}

/// The queue of a gathering. Each question has a number; numbers rise.
#[derive(Default)]
pub(super) struct Questions {
    waiting: VecDeque<Question>,
    /// The number of the first of them.
    first: u64,
    /// Those before this number have been looked at.
    sent: u64,
}

impl Questions {
    pub(super) fn ask(&mut self, ask: Ask) -> Result<(), StoreError> {
        if self.waiting.len() >= WAITING {
            return Err(StoreError::Damaged(format!("{}: too many questions", ask.about)));
        }
        self.waiting.push_back(Question { ask, under_way: false });
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The question whose answer is told next, unless it is under way.
    pub(super) fn first(&self) -> Option<&Ask> {
        self.waiting.front().filter(|question| !question.under_way).map(|question| &question.ask)
    }

    /// The first question is answered: takes it out.
    pub(super) fn take_first(&mut self) -> Option<Ask> {
        let question = self.waiting.pop_front()?;
        self.first += 1;
        self.sent = self.sent.max(self.first);
        Some(question.ask)
    }

    /// The next question that nobody has looked at, if it is one of the first `ahead`.
    pub(super) fn next_unsent(&mut self, ahead: u64) -> Option<(u64, &Ask)> {
        let number = self.sent;
        let place = number - self.first;
        let question = self.waiting.get(usize::try_from(place).ok()?).filter(|_| place < ahead)?;
        self.sent += 1;
        Some((number, &question.ask))
    }

    /// Somebody is sent with this question, or is back (`under_way` false).
    pub(super) fn set_under_way(&mut self, number: u64, under_way: bool) {
        if let Some(question) = self.get(number) {
            question.under_way = under_way;
        }
    }

    /// What was asked under this number, as long as its answer has not been told.
    pub(super) fn asked(&mut self, number: u64) -> Option<&Ask> {
        self.get(number).map(|question| &question.ask)
    }

    fn get(&mut self, number: u64) -> Option<&mut Question> {
        let place = number.checked_sub(self.first)?;
        self.waiting.get_mut(usize::try_from(place).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_model::Request;
    use groma_url::Url;

    fn ask(key: &str) -> Ask {
        let request = Request::get(Url::parse("http://a.example/").unwrap());
        Ask { key: key.to_owned(), request, about: String::new(), operate: false }
    }

    #[test]
    fn answers_are_told_in_the_order_of_asking_and_a_few_are_sent_ahead() {
        let mut questions = Questions::default();
        for key in ["a", "b", "c"] {
            questions.ask(ask(key)).unwrap();
        }
        let sent = |questions: &mut Questions| questions.next_unsent(2).map(|(number, ask)| (number, ask.key.clone()));
        assert_eq!(sent(&mut questions), Some((0, "a".to_owned())));
        assert_eq!(sent(&mut questions), Some((1, "b".to_owned())));
        assert_eq!(sent(&mut questions), None, "only two ahead");
        questions.set_under_way(0, true);
        assert!(questions.first().is_none(), "the first is not back");
        questions.set_under_way(0, false);
        assert_eq!(questions.first().map(|ask| ask.key.as_str()), Some("a"));
        assert_eq!(questions.take_first().map(|ask| ask.key), Some("a".to_owned()));
        assert_eq!(sent(&mut questions), Some((2, "c".to_owned())));
        assert!(questions.asked(0).is_none() && questions.asked(2).is_some());
        assert_eq!(questions.len(), 2);
    }

    #[test]
    fn what_was_told_unsent_is_not_sent() {
        let mut questions = Questions::default();
        questions.ask(ask("known")).unwrap();
        assert!(questions.take_first().is_some());
        questions.ask(ask("new")).unwrap();
        assert_eq!(questions.next_unsent(1).map(|(number, _)| number), Some(1));
    }
}
