//! Work that is done elsewhere while the loop goes on. However it ends, even by a panic inside, the loop hears of it.

use crossbeam_channel::Sender;

/// Sends events of one piece of work; when it is dropped, its last words are sent.
pub(crate) struct Messenger<E> {
    events: Sender<E>,
    last_words: Option<E>,
}

impl<E> Messenger<E> {
    pub(crate) fn new(events: Sender<E>, last_words: E) -> Messenger<E> {
        Messenger { events, last_words: Some(last_words) }
    }

    /// Sends an event; the last words are still to come.
    pub(crate) fn say(&self, event: E) {
        let _ = self.events.send(event);
    }

    /// Sends this instead of the last words.
    pub(crate) fn conclude(mut self, event: E) {
        self.last_words = Some(event);
    }
}

impl<E> Drop for Messenger<E> {
    fn drop(&mut self) {
        if let Some(event) = self.last_words.take() {
            let _ = self.events.send(event);
        }
    }
}
