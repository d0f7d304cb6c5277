//! What went over the wire, as far as the heads of one exchange go.
//!
//! A tape hangs on a connection of HTTP/1.x, between the socket and whoever parses. It stops at the empty line of a head, so bodies
//! pass it by; the interim answers (1xx) before the real one are dropped.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps the heads of one exchange.
#[derive(Default)]
pub(crate) struct Tape {
    heads: Mutex<Heads>,
    /// No head is longer.
    most: usize,
}

#[derive(Default)]
struct Heads {
    sent: Head,
    came: Head,
}

#[derive(Default)]
struct Head {
    bytes: Vec<u8>,
    whole: bool,
}

impl Tape {
    /// One that keeps heads up to this length.
    pub(crate) fn new(most: usize) -> Tape {
        Tape { most, ..Tape::default() }
    }

    /// Drops the heads of the exchange before.
    pub(crate) fn rewind(&self) {
        *self.lock() = Heads::default();
    }

    /// The heads of the exchange; nothing of one that was not kept whole.
    pub(crate) fn take(&self) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        let heads = std::mem::take(&mut *self.lock());
        (heads.sent.finished(), heads.came.finished())
    }

    pub(crate) fn sent(&self, bytes: &[u8]) {
        self.lock().sent.add(bytes, self.most, false);
    }

    pub(crate) fn came(&self, bytes: &[u8]) {
        self.lock().came.add(bytes, self.most, true);
    }

    fn lock(&self) -> MutexGuard<'_, Heads> {
        self.heads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Head {
    fn finished(self) -> Option<Vec<u8>> {
        self.whole.then_some(self.bytes)
    }

    fn add(&mut self, mut piece: &[u8], most: usize, answer: bool) {
        while !self.whole && !piece.is_empty() && self.bytes.len() < most {
            // What follows a head, often all of a body, is not copied; the end of a head may stand across two pieces.
            let end = end_of(&self.bytes, piece);
            let kept = end.unwrap_or(piece.len()).min(most - self.bytes.len());
            self.bytes.extend_from_slice(&piece[..kept]);
            if end.is_none_or(|end| kept < end) {
                return;
            }
            piece = &piece[kept..];
            if answer && is_interim(&self.bytes) {
                self.bytes.clear();
            } else {
                self.whole = true;
            }
        }
    }
}

/// Behind the first empty line of a piece, after what was there before it.
fn end_of(before: &[u8], piece: &[u8]) -> Option<usize> {
    let is_end = |at: usize| {
        let byte = |back: usize| match at.checked_sub(back) {
            Some(here) => Some(piece[here]),
            None => before.len().checked_sub(back - at).map(|here| before[here]),
        };
        byte(1) == Some(b'\n') || (byte(1) == Some(b'\r') && byte(2) == Some(b'\n'))
    };
    memchr::memchr_iter(b'\n', piece).find(|&at| is_end(at)).map(|at| at + 1)
}

fn is_interim(head: &[u8]) -> bool {
    head.starts_with(b"HTTP/1.") && head.get(9) == Some(&b'1') && head.get(8) == Some(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_kept_to_their_end_however_they_come() {
        let whole = b"HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\n\r\nbody\r\n\r\nmore";
        for step in 1..whole.len() {
            let tape = Tape::new(1000);
            whole.chunks(step).for_each(|piece| tape.came(piece));
            assert_eq!(tape.take().1.as_deref(), Some(&b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n"[..]), "{step}");
        }
        let tape = Tape::new(10);
        tape.sent(b"GET / HTTP/1.1\r\n\r\n");
        assert_eq!(tape.take(), (None, None));
        tape.sent(b"GET / HTTP/1.0\n\n");
        tape.rewind();
        assert_eq!(tape.take(), (None, None));
    }
}
