//! Deflate (RFC 1951) in a hurry: one block with the fixed codes, and the nearest earlier place that looks alike.
//!
//! ```text
//! at each place: the last place whose next 6 bytes fell into the same slot; if they are equal and at most 32 kB back,
//!                a reference as long as both go on alike, up to 258 bytes; otherwise a literal, and the longer nothing
//!                was found, the larger the steps: 1 + (bytes since the last reference) / 64
//! ```
//!
//! Pages are archived while they are crawled, on the threads that fetch, and compressing is the most of what that costs. What a library does at
//! its fastest looks for more and keeps tables (zlib reckons 2^17 + 2^17 bytes) for which others then miss the cache; here 16 kB are
//! enough, for bodies a little longer. Cost: linear; a chunk of 64 kB at a time, so memory is fixed. Not guaranteed: that it is shorter. What does not
//! repeat grows by up to an eighth; whoever calls looks at the length. Nothing refers to what lies in an earlier chunk or piece.

/// Read at a time; a place in it is a `u16`.
const CHUNK: usize = 1 << 16;
/// A reference leads no farther back.
const WINDOW: usize = 1 << 15;
/// Nor is it longer.
const LONGEST: usize = 258;
/// Nor shorter: a shorter one saves few bits, and takes as much time as a long one.
const SHORTEST: usize = 6;
/// Slots, as a power of two.
const SLOTS: u32 = 12;
/// The last bytes of a chunk are literals: so many can always be read at once.
const TAIL: usize = 16;
/// A chunk whose every byte is 9 bits long, and a few bits of its surroundings.
const ROOM: usize = CHUNK / 8 * 9 + 64;

/// Compresses piece after piece.
pub(crate) struct Deflate {
    /// Where the bytes of a slot were last seen: [`filed`].
    last: Box<[u32; 1 << SLOTS]>,
    room: Box<[u8; ROOM]>,
}

impl Deflate {
    pub(crate) fn new() -> Deflate {
        Deflate { last: Box::new([0; 1 << SLOTS]), room: Box::new([0; ROOM]) }
    }

    /// Appends these pieces, compressed, to `out`.
    pub(crate) fn compress(&mut self, pieces: &[&[u8]], out: &mut Vec<u8>) {
        let mut bits = Bits { waiting: 0, count: 0, bytes: &mut self.room, length: 0 };
        // The last block, with the fixed codes.
        bits.put(0b011, 3);
        for chunk in pieces.iter().flat_map(|piece| piece.chunks(CHUNK)) {
            chunk_bits(chunk, &mut self.last, &mut bits);
            bits.take(out);
        }
        // Its end, filled up to a whole byte.
        bits.put(0, 7 + 7);
        bits.flush();
        bits.take(out);
    }
}

/// Writes the bits of a chunk.
fn chunk_bits(text: &[u8], last: &mut [u32; 1 << SLOTS], bits: &mut Bits<'_>) {
    let end = text.len().saturating_sub(TAIL);
    if end > 0 {
        last.fill(0);
    }
    let (mut at, mut from) = (0, 0);
    while at < end {
        let (slot, new) = filed(text, at);
        let old = std::mem::replace(&mut last[slot], new);
        let before = usize::from(old as u16);
        // Most that are not alike are known by their marks: the text is not looked at. Nothing is 0 bytes back: that is an empty slot.
        if (old ^ new) >> 16 != 0 || at.wrapping_sub(before).wrapping_sub(1) >= WINDOW {
            at += 1 + ((at - from) >> 6);
            continue;
        }
        let length = match sixteen(text, before) ^ sixteen(text, at) {
            0 => 16 + alike(text, at + 16, before + 16),
            unlike => (unlike.trailing_zeros() / 8) as usize,
        };
        if length < SHORTEST {
            at += 1;
            continue;
        }
        literals(&text[from..], at - from, bits);
        refer(length, at - before, bits);
        at += length;
        from = at;
        if at < end {
            let (slot, new) = filed(text, at - 2);
            last[slot] = new;
        }
    }
    literals(&text[from..], text.len() - from, bits);
}

/// The slot of the bytes at a place, and what stands there for them: a mark of 16 bits more, and the place.
#[inline]
fn filed(text: &[u8], at: usize) -> (usize, u32) {
    let bytes = text[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mixed = (bytes << (64 - 8 * SHORTEST)).wrapping_mul(0x9e37_79b1_85eb_ca87);
    ((mixed >> (64 - SLOTS)) as usize, (mixed >> (32 - SLOTS)) as u32 & 0xffff_0000 | at as u32)
}

#[inline]
fn sixteen(text: &[u8], at: usize) -> u128 {
    text[at..].first_chunk().map_or(0, |bytes| u128::from_le_bytes(*bytes))
}

/// For how many bytes these places go on alike, up to what a reference may hold beside the sixteen that are known to be.
#[inline]
fn alike(text: &[u8], at: usize, before: usize) -> usize {
    let most = (text.len() - at).min(LONGEST - 16);
    let (here, there) = (&text[at..at + most], &text[before..before + most]);
    let mut length = 0;
    while length + 16 <= most {
        let unlike = sixteen(here, length) ^ sixteen(there, length);
        if unlike != 0 {
            return length + (unlike.trailing_zeros() / 8) as usize;
        }
        length += 16;
    }
    length + here[length..].iter().zip(&there[length..]).take_while(|(a, b)| a == b).count()
}

/// Writes the first bytes of a text as they are. Those of ASCII have codes of 8 bits, `0x30 + byte` with its first bit in front: seven
/// of them are made at once.
#[inline]
fn literals(text: &[u8], count: usize, bits: &mut Bits<'_>) {
    let mut from = 0;
    while from < count {
        let some = (count - from).min(7);
        let few = (1 << (8 * some)) - 1;
        let bytes = text[from..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes) & few);
        match bytes.filter(|bytes| bytes & 0x8080_8080_8080_8080 == 0) {
            Some(bytes) => {
                let codes = (bytes + (0x3030_3030_3030_3030 & few)).reverse_bits().swap_bytes();
                bits.put(codes, 8 * some as u32);
                from += some;
            }
            None => {
                match u32::from(text[from]) {
                    byte @ 0..144 => bits.put(reversed(0x30 + byte, 8), 8),
                    byte => bits.put(reversed(0x190 + byte - 144, 9), 9),
                }
                from += 1;
            }
        }
        bits.flush();
    }
}

/// Writes a reference: its length, and how far back it leads.
#[inline]
fn refer(length: usize, back: usize, bits: &mut Bits<'_>) {
    let (code, count) = LENGTHS[length];
    bits.put(u64::from(code), count);
    let back = back as u32 - 1;
    let (symbol, extra) = match back {
        0 | 1 => (back, 0),
        _ => {
            let top = back.ilog2();
            (2 * top + (back >> (top - 1) & 1), top - 1)
        }
    };
    bits.put(reversed(symbol, 5) | u64::from(back & ((1 << extra) - 1)) << 5, 5 + extra);
    bits.flush();
}

/// The code of every length with its extra bits, and how many bits that is (RFC 1951, 3.2.5 and 3.2.6).
const LENGTHS: [(u32, u32); LONGEST + 1] = {
    let mut codes = [(0, 0); LONGEST + 1];
    let (mut symbol, mut first, mut length) = (257, 3, 3);
    while length < LONGEST {
        let extra = if symbol < 265 { 0 } else { (symbol - 261) / 4 };
        let (code, count) = length_code(symbol);
        codes[length] = (code | ((length - first) as u32) << count, count + extra);
        length += 1;
        if length == first + (1 << extra) {
            (first, symbol) = (length, symbol + 1);
        }
    }
    // The longest has a code of its own.
    codes[LONGEST] = length_code(285);
    codes
};

const fn length_code(symbol: u32) -> (u32, u32) {
    match symbol {
        ..280 => (reversed(symbol - 256, 7) as u32, 7),
        _ => (reversed(symbol - 280 + 0xc0, 8) as u32, 8),
    }
}

/// Codes are written with their first bit in front, everything else with its last.
const fn reversed(code: u32, count: u32) -> u64 {
    (code.reverse_bits() >> (32 - count)) as u64
}

/// Bits on their way to bytes.
struct Bits<'a> {
    waiting: u64,
    count: u32,
    bytes: &'a mut [u8; ROOM],
    length: usize,
}

impl Bits<'_> {
    /// At most 57 between two calls of [`Bits::flush`].
    #[inline]
    fn put(&mut self, bits: u64, count: u32) {
        self.waiting |= bits << self.count;
        self.count += count;
    }

    /// Lets go of whole bytes.
    #[inline]
    fn flush(&mut self) {
        if let Some(room) = self.bytes.get_mut(self.length..self.length + 8) {
            room.copy_from_slice(&self.waiting.to_le_bytes());
        }
        self.length += (self.count / 8) as usize;
        self.waiting >>= self.count / 8 * 8;
        self.count %= 8;
    }

    /// Moves whole bytes to `out`.
    fn take(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes[..self.length]);
        self.length = 0;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    /// Every 64 bits of a sequence without a pattern.
    fn chance(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 27
    }

    fn there_and_back(deflate: &mut Deflate, pieces: &[&[u8]]) -> usize {
        let (mut out, mut back) = (b"before".to_vec(), Vec::new());
        deflate.compress(pieces, &mut out);
        let rest = flate2::read::DeflateDecoder::new(&out[6..]).read_to_end(&mut back);
        assert!(out.starts_with(b"before") && rest.is_ok() && back == pieces.concat());
        out.len() - 6
    }

    #[test]
    fn every_length_and_distance_comes_back() {
        let mut deflate = Deflate::new();
        let mut seed = 1;
        let noise: Vec<u8> = (0..CHUNK).map(|_| chance(&mut seed) as u8).collect();
        for length in 6..=600 {
            for back in [1, 2, 3, 4, 5, 6, 7, 8, 9, 33, 1024, 1025, 32_767, 32_768, 32_769] {
                let mut text = noise[..back].to_vec();
                (0..length).for_each(|n| text.push(text[n]));
                text.extend_from_slice(&noise[40_000..40_020]);
                there_and_back(&mut deflate, &[&text]);
            }
        }
    }

    #[test]
    fn whatever_it_is_it_comes_back() {
        let mut deflate = Deflate::new();
        let mut seed = 7;
        for round in 0..300 {
            let (size, letters) = (chance(&mut seed) % 200_000, 1 + chance(&mut seed) % (1 << (round % 9)));
            let shift = chance(&mut seed) % 256;
            let mut text = Vec::new();
            while (text.len() as u64) < size {
                let some = (chance(&mut seed) % 400) as usize;
                if text.len() > some && chance(&mut seed).is_multiple_of(2) {
                    let from = (chance(&mut seed) % (text.len() - some) as u64) as usize;
                    text.extend_from_within(from..from + some);
                } else {
                    text.extend((0..some).map(|_| (chance(&mut seed) % letters + shift) as u8));
                }
            }
            let (one, two) = text.split_at((chance(&mut seed) % (text.len() as u64 + 1)) as usize);
            let length = there_and_back(&mut deflate, &[one, &[], two, b"\r\n\r\n"]);
            assert!(length <= text.len() / 8 * 9 + 64, "{length} of {}", text.len());
        }
    }

    #[test]
    fn what_repeats_gets_short() {
        let mut deflate = Deflate::new();
        for size in (0..40).chain([CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
            let length = there_and_back(&mut deflate, &[&vec![b'a'; size]]);
            assert!(length <= size / 100 + 60, "{length} of {size}");
        }
        let rows: String = (0..2000).map(|n| format!("<tr><td class=\"number\">{n}</td></tr>\n")).collect();
        let length = there_and_back(&mut deflate, &[rows.as_bytes()]);
        assert!(length * 5 < rows.len(), "{length} of {}", rows.len());
    }
}
