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

    /// Another exchange begins.
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
            // The end may stand across two pieces.
            let from = self.bytes.len().saturating_sub(3);
            let before = self.bytes.len();
            let room = most - before;
            self.bytes.extend_from_slice(&piece[..piece.len().min(room)]);
            let Some(end) = end_of(&self.bytes[from..]).map(|end| from + end) else { return };
            piece = &piece[(end - before).min(piece.len())..];
            self.bytes.truncate(end);
            if answer && is_interim(&self.bytes) {
                self.bytes.clear();
            } else {
                self.whole = true;
            }
        }
    }
}

/// Behind the first empty line.
fn end_of(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == b'\n') {
        at += found + 1;
        match &bytes[at..] {
            [b'\n', ..] => return Some(at + 1),
            [b'\r', b'\n', ..] => return Some(at + 2),
            _ => {}
        }
    }
    None
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
