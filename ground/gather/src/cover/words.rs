//! Words for a text field that come while we ask: which questions are there for them?
//!
//! Whoever asks knows the records and chooses the words (`groma_strategy::forms`); a cover says when it has nothing left to split, and
//! puts a question with each new word below every question whose records are not known to be all. Words prove nothing: only the
//! total of a question above says that nothing is missing. Cost: a question for each word and each such question.

use super::Cover;
use super::node::State;
use super::space::{Axis, Part};

/// Questions below which words are asked at once.
const BELOW: usize = 64;

impl Cover {
    /// Is nothing left to ask but words?
    pub fn wants_words(&mut self, axis: usize) -> bool {
        let is_words = matches!(self.axes.get(axis), Some(Axis::Words { .. })) && !self.useless[axis];
        is_words
            && self.queue.is_empty()
            && self.waiting_for == 0
            && self.has_budget()
            && !self.is_filled(0)
            && !self.is_listed_whole(&self.nodes[0])
            && !self.points_for_words(axis).is_empty()
    }

    /// Queues questions for these words on an axis of words.
    pub fn add_words(&mut self, axis: usize, words: &[String]) {
        let points = self.points_for_words(axis);
        let Some(Axis::Words { values, .. }) = self.axes.get_mut(axis) else { return };
        let first = values.len();
        values.extend(words.iter().cloned());
        self.grown[axis] = true;
        for id in points {
            if self.nodes[id as usize].state != State::Split(axis) {
                self.nodes[id as usize].children.clear();
                self.nodes[id as usize].state = State::Split(axis);
            }
            let sample = std::mem::take(&mut self.nodes[id as usize].sample);
            for word in first..first + words.len() {
                self.add_part(id, axis, Part::Word(word), &[]);
            }
            self.nodes[id as usize].sample = sample;
        }
    }

    fn points_for_words(&self, axis: usize) -> Vec<u32> {
        // Many forms bring nothing as long as no word is given.
        if self.ledger.rows.is_empty() {
            return vec![0];
        }
        let proved = self.proved();
        let is_point = |id: &u32| {
            let node = &self.nodes[*id as usize];
            let is_open = match node.state {
                State::Heavy | State::Undecided | State::Failed => true,
                State::Split(along) => along == axis,
                _ => false,
            };
            is_open
                && node.question.parts.get(axis) == Some(&Part::Open)
                && !(proved[*id as usize] || node.slice || node.counted || self.is_abandoned(*id))
        };
        (0..self.nodes.len() as u32).filter(is_point).take(BELOW).collect()
    }
}
