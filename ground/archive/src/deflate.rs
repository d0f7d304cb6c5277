//! Deflate (RFC 1951) in a hurry: one block with codes found long ago, and the nearest earlier place that looks alike.
//!
//! ```text
//! of seven places, at 0, 1 and 5: the last such place whose next 8 bytes fell into the same slot; if they are equal and at most 32 kB
//!                back, a reference as long as both are alike, backward too, up to 258 bytes; if none of them is, seven literals, and
//!                the longer nothing was found, the more: 7 + (bytes since the last reference) / 64
//! ```
//!
//! Where nothing was passed over, what repeats over 14 bytes is seen: 0, 1 and 5 are a difference set of 7, so of seven places in a row,
//! however far back their like, there is one that was filed there and is looked up here. Shorter things are seen by chance. To look at
//! every place finds more and takes longer. A processor that guesses wrong how to go on loses the time of a dozen look-ups: so which of
//! the three places it is and how far it is alike are chosen, not branched to, as far as can be.
//!
//! Pages are archived while they are crawled, on the threads that fetch, and compressing is the most of what that costs. What a
//! library does at its fastest looks for more and keeps tables (zlib estimates 2^17 + 2^17 bytes) for which others then miss the cache;
//! here 16 kB are enough, and the codes ([`crate::codes`]) make up for what is not found. Cost: linear; a chunk of 64 kB at a time, so
//! memory is fixed. Not guaranteed: that it is shorter. What does not repeat grows by up to an eighth; whoever calls looks at the
//! length. Nothing refers to what lies in an earlier chunk or piece.

use crate::bits::{Bits, ROOM};
use crate::codes::{Codes, END, LONGEST, PLAIN, SYMBOLS, TEXT, back_symbol, length_symbol};

/// Read at a time; a place in it is a `u16`.
pub(crate) const CHUNK: usize = 1 << 16;
/// A reference leads no farther back.
const WINDOW: usize = 1 << 15;
/// A reference is no shorter: a shorter one saves few bits, and takes as much time as a long one.
const SHORTEST: usize = 8;
/// Places taken at a time.
const STRIDE: usize = 7;
/// Those of them that are filed and looked up: whatever a distance leaves when divided by 7 is the difference of two of them.
const PLACES: [usize; 3] = [0, 1, 5];
/// Slots, as a power of two.
const SLOTS: u32 = 12;
/// Bytes compared at a time.
const STEP: usize = 32;
/// The last bytes of a chunk are literals: from each of the [`PLACES`] on, a step can always be compared.
const TAIL: usize = STEP + 8;
/// What is shorter does not win back what it takes to say which codes it is in.
const WORTH_SAYING: usize = 3000;
/// What has a zero among its first bytes is no text.
const LOOKED_AT: usize = 1000;

/// Compresses piece after piece.
pub(crate) struct Deflate {
    last: Box<Slots>,
    room: Box<[u8; ROOM]>,
}

/// Where the bytes of a slot were last seen: [`filed`].
type Slots = [u32; 1 << SLOTS];

/// Who takes what was found in a text: bytes that are new, and that so many are as they were so far back.
pub(crate) trait Tokens {
    fn literals(&mut self, bytes: &[u8]);
    fn reference(&mut self, length: usize, back: usize);
}

impl Deflate {
    pub(crate) fn new() -> Deflate {
        Deflate { last: Box::new([0; 1 << SLOTS]), room: Box::new([0; ROOM]) }
    }

    /// Appends these pieces, compressed, to `out`.
    pub(crate) fn compress(&mut self, pieces: &[&[u8]], out: &mut Vec<u8>) {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        if length >= WORTH_SAYING && pieces.iter().all(|piece| is_text(piece)) {
            let begun = out.len();
            self.compress_in(&TEXT, pieces, out);
            // Those codes save a seventh, unless it only looked like a text, or is hardly more than a few things over and over.
            let least = (7 * TEXT.opening.0.len()).max(length / 64);
            if (least..=length).contains(&(out.len() - begun)) {
                return;
            }
            out.truncate(begun);
        }
        self.compress_in(&PLAIN, pieces, out);
    }

    fn compress_in(&mut self, codes: &Codes, pieces: &[&[u8]], out: &mut Vec<u8>) {
        let mut bits = Bits::begin(codes, &mut self.room, out);
        for chunk in pieces.iter().flat_map(|piece| piece.chunks(CHUNK)) {
            read(chunk, &mut self.last, &mut bits);
            bits.take(out);
        }
        bits.end(out);
    }
}

fn is_text(body: &[u8]) -> bool {
    memchr::memchr(0, &body[..body.len().min(LOOKED_AT)]).is_none()
}

/// Finds what is in a chunk.
fn read(text: &[u8], last: &mut Slots, tokens: &mut impl Tokens) {
    let end = text.len().saturating_sub(TAIL);
    if end > 0 {
        last.fill(0);
    }
    let (mut at, mut from) = (0, 0);
    while at < end {
        let Some((here, there)) = seek(text, at, last) else {
            at += STRIDE + ((at - from) >> 6);
            continue;
        };
        let ahead = ahead(text, here, there);
        let behind = behind(text, here, there).min(here - from).min(LONGEST - ahead);
        if behind + ahead < SHORTEST {
            at += STRIDE;
            continue;
        }
        tokens.literals(&text[from..here - behind]);
        tokens.reference(behind + ahead, here - there);
        at = here + ahead;
        from = at;
    }
    tokens.literals(&text[from..]);
}

/// Files the places from here on and looks them up: the first that looks like an earlier one, and that one.
#[inline(always)]
fn seek(text: &[u8], at: usize, last: &mut Slots) -> Option<(usize, usize)> {
    let bytes: &[u8; 16] = text[at..].first_chunk()?;
    // One by one: the compiler does not always see through a loop over them.
    let one = look_up(eight(bytes, PLACES[0]), at + PLACES[0], last);
    let two = look_up(eight(bytes, PLACES[1]), at + PLACES[1], last);
    let three = look_up(eight(bytes, PLACES[2]), at + PLACES[2], last);
    if !(one.0 | two.0 | three.0) {
        return None;
    }
    let (_, here, there) = if one.0 {
        one
    } else if two.0 {
        two
    } else {
        three
    };
    Some((here, there))
}

/// Files the bytes of a place in their slot, with 16 bits more of their mark. May the place that was filed there be alike? Most that are not
/// are known by their marks, and the text is not looked at. Nothing is 0 bytes back: that is an empty slot.
#[inline(always)]
fn look_up(bytes: u64, at: usize, last: &mut Slots) -> (bool, usize, usize) {
    let mixed = bytes.wrapping_mul(0x9e37_79b1_85eb_ca87);
    let new = (mixed >> (32 - SLOTS)) as u32 & 0xffff_0000 | at as u32;
    let old = std::mem::replace(&mut last[(mixed >> (64 - SLOTS)) as usize], new);
    let there = usize::from(old as u16);
    (((old ^ new) >> 16 == 0) & (at.wrapping_sub(there).wrapping_sub(1) < WINDOW), at, there)
}

#[inline(always)]
fn eight(text: &[u8], at: usize) -> u64 {
    text[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// For how many bytes these places go on alike, as far as a reference may lead.
#[inline(always)]
fn ahead(text: &[u8], here: usize, there: usize) -> usize {
    let next = |at: usize| text[at..].first_chunk::<STEP>();
    let (Some(ours), Some(theirs)) = (next(here), next(there)) else { return 0 };
    let unlike = |at: usize| (eight(ours, at) ^ eight(theirs, at), at);
    let first = |one: (u64, usize), other| if one.0 != 0 { one } else { other };
    let (unlike, before) = first(first(unlike(0), unlike(8)), first(unlike(16), unlike(24)));
    if unlike == 0 {
        return STEP + alike(text, here + STEP, there + STEP);
    }
    before + (unlike.trailing_zeros() / 8) as usize
}

/// How many of the eight bytes before these places are alike.
#[inline(always)]
fn behind(text: &[u8], here: usize, there: usize) -> usize {
    let before = |at: usize| text[..at].last_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    before(here).zip(before(there)).map_or(0, |(here, there)| ((here ^ there).leading_zeros() / 8) as usize)
}

/// For how many bytes these places go on alike, up to what a reference may hold beside those that are known to be.
fn alike(text: &[u8], at: usize, before: usize) -> usize {
    let most = (text.len() - at).min(LONGEST - STEP);
    let (here, there) = (&text[at..at + most], &text[before..before + most]);
    let mut length = 0;
    while let (Some(ours), Some(theirs)) = (here[length..].first_chunk(), there[length..].first_chunk()) {
        let unlike = u128::from_le_bytes(*ours) ^ u128::from_le_bytes(*theirs);
        if unlike != 0 {
            return length + (unlike.trailing_zeros() / 8) as usize;
        }
        length += 16;
    }
    length + here[length..].iter().zip(&there[length..]).take_while(|(a, b)| a == b).count()
}

/// How often every symbol comes up: what codes are found by.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Bytes, the end, and lengths.
    pub words: [u64; SYMBOLS.0],
    /// How often each distance code occurs.
    pub backs: [u64; SYMBOLS.1],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { words: [0; SYMBOLS.0], backs: [0; SYMBOLS.1] }
    }
}

impl Tally {
    /// Counts what is found in a body, if it is a text.
    pub fn add(&mut self, body: &[u8]) {
        if !is_text(body) {
            return;
        }
        let mut last = [0; 1 << SLOTS];
        body.chunks(CHUNK).for_each(|chunk| read(chunk, &mut last, self));
        self.words[END] += 1;
    }
}

impl Tokens for Tally {
    fn literals(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.words[usize::from(byte)] += 1);
    }

    fn reference(&mut self, length: usize, back: usize) {
        self.words[length_symbol(length).0] += 1;
        self.backs[back_symbol(back as u32 - 1).0 as usize] += 1;
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
    fn what_repeats_over_fourteen_bytes_is_seen() {
        let mut seed = 3;
        let mut noise = |length: usize| -> Vec<u8> { (0..length).map(|_| chance(&mut seed) as u8).collect() };
        let mut is_seen = |before: usize, between: usize| {
            let again = noise(14);
            let text = [noise(before), again.clone(), noise(between), again, noise(TAIL)].concat();
            let (mut tally, mut last) = (Tally::default(), [0; 1 << SLOTS]);
            read(&text, &mut last, &mut tally);
            tally.words[END + 1..].iter().sum::<u64>() == 1
        };
        for (before, between) in (0..20).flat_map(|before| (0..20).map(move |between| (before, between))) {
            // What lies between may have taken its slot, but not every time.
            assert!((0..5).any(|_| is_seen(before, between)), "{before} {between}");
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
