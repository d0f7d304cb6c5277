//! Bits on their way to bytes, least significant first (RFC 1951, 3.1.1).

use crate::codes::{Code, Codes, back_symbol};
use crate::deflate::{CHUNK, Tokens};

/// A chunk whose every byte has the longest code, and a few bits of its surroundings.
pub(crate) const ROOM: usize = CHUNK / 8 * crate::codes::MOST_BITS as usize + 64;

/// Writes what was found in a text in some codes.
pub(crate) struct Bits<'a> {
    codes: &'a Codes,
    waiting: u64,
    count: u32,
    room: &'a mut [u8; ROOM],
    length: usize,
}

impl<'a> Bits<'a> {
    /// Begins a block, the last one.
    pub(crate) fn begin(codes: &'a Codes, room: &'a mut [u8; ROOM], out: &mut Vec<u8>) -> Bits<'a> {
        let mut bits = Bits { codes, waiting: 0, count: 0, room, length: 0 };
        out.extend_from_slice(&codes.opening.0);
        bits.put(codes.opening.1);
        bits
    }

    /// Ends the block, filled up to a whole byte.
    pub(crate) fn end(mut self, out: &mut Vec<u8>) {
        self.put(self.codes.end);
        self.count += 7;
        self.flush();
        self.take(out);
    }

    /// At most 57 between two calls of [`Bits::flush`].
    #[inline]
    fn put(&mut self, code: Code) {
        self.waiting |= code.bits() << self.count;
        self.count += code.count();
    }

    /// Lets go of whole bytes.
    #[inline]
    fn flush(&mut self) {
        if let Some(room) = self.room.get_mut(self.length..self.length + 8) {
            room.copy_from_slice(&self.waiting.to_le_bytes());
        }
        self.length += (self.count / 8) as usize;
        self.waiting >>= self.count / 8 * 8;
        self.count %= 8;
    }

    /// Moves whole bytes to `out`.
    pub(crate) fn take(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.room[..self.length]);
        self.length = 0;
    }
}

impl Tokens for Bits<'_> {
    #[inline]
    fn literals(&mut self, bytes: &[u8]) {
        let (fours, rest) = bytes.as_chunks::<4>();
        for four in fours {
            four.iter().for_each(|&byte| self.put(self.codes.bytes[usize::from(byte)]));
            self.flush();
        }
        rest.iter().for_each(|&byte| self.put(self.codes.bytes[usize::from(byte)]));
        self.flush();
    }

    #[inline]
    fn reference(&mut self, length: usize, back: usize) {
        self.put(self.codes.lengths[length]);
        let back = back as u32 - 1;
        let (symbol, extra) = back_symbol(back);
        self.put(self.codes.backs[symbol as usize % 32]);
        self.waiting |= u64::from(back & ((1 << extra) - 1)) << self.count;
        self.count += extra;
        self.flush();
    }
}
