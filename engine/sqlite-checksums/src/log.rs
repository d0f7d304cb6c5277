//! What SQLite does not say of a damaged write-ahead log: how much of it was committed and is lost.
//!
//! A log is a header and frames; a frame is a page, the number of pages after it if it ends a commit, two salts that are those of the
//! header, and a checksum over everything before it. Recovery reads up to the first frame that does not fit. After a kill that is
//! the end of what was written. If the frame was changed later, committed frames stand behind it, and they are lost.
//!
//! The two cases are told apart by two signs. A commit behind the place whose checksum fits that of the frame before it was once part of
//! an unbroken log. And a frame that fits if a single bit of it is taken for another was whole once: the sum is
//! linear in its words, so which bit that would be is found in one pass, `O(words · 32)`.
//!
//! Source: "The WAL File Format" in SQLite's documentation. Not guaranteed: of a last commit with more than one wrong bit in one frame
//! nothing is noticed, since a kill in the middle of writing it can look the same.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::Path;

const HEADER: usize = 32;
const FRAME: usize = 24;
const MAGIC: u32 = 0x377f_0682;
const VERSION: u32 = 3_007_000;

/// What was found in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Frames that can be read.
    pub readable: u64,
    /// Commits that cannot be read any more.
    pub commits: u64,
}

/// Looks at the log of a database, and notes it beside the file if commits are lost. For a moment in which nobody writes to the log.
pub(crate) fn note_what_is_lost(database: &Path) {
    let Ok(file) = File::open(crate::beside(database, "-wal")) else { return };
    let Some(lost) = lost(&mut BufReader::with_capacity(1 << 17, file)) else { return };
    let Lost { readable, commits } = lost;
    let line = format!("the write-ahead log was damaged behind frame {readable}: {commits} commits were lost\n");
    // Where nothing can be written the log stays as it is, and is found damaged again.
    if let Ok(mut note) = OpenOptions::new().create(true).append(true).open(crate::note_of(database)) {
        let _ = note.write_all(line.as_bytes());
    }
}

/// Which commits a log holds that SQLite will not read; nothing if there are none.
pub fn lost(log: &mut dyn Read) -> Option<Lost> {
    let mut header = [0; HEADER];
    log.read_exact(&mut header).ok()?;
    if header.iter().all(|byte| *byte == 0) {
        return None;
    }
    if let Some(start) = Start::read(&header) {
        return Scan::new(start, false).whole(log);
    }
    // Nothing of it is read. More than one bit may fit: that one counts with which there are commits behind.
    let mut rest = Vec::new();
    log.read_to_end(&mut rest).ok()?;
    Start::fixed(header).iter().find_map(|start| Scan::new(*start, true).whole(&mut rest.as_slice()))
}

fn number(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()).map_or(0, |four| u32::from_be_bytes(*four))
}

fn pair(bytes: &[u8], at: usize) -> [u32; 2] {
    [number(bytes, at), number(bytes, at + 4)]
}

/// What a header says.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// The words of the sums have their first byte first.
    big: bool,
    page: usize,
    salts: [u32; 2],
    sum: Sum,
}

impl Start {
    fn read(header: &[u8; HEADER]) -> Option<Start> {
        let big = number(header, 0) & 1 == 1;
        let page = number(header, 8) as usize;
        let sum = Sum([0, 0]).over(&header[..24], big);
        let fits = number(header, 0) & !1 == MAGIC
            && number(header, 4) == VERSION
            && page.is_power_of_two()
            && (512..=65_536).contains(&page)
            && sum.0 == pair(header, 24);
        fits.then(|| Start { big, page, salts: pair(header, 16), sum })
    }

    /// What the header says with one bit fixed, for each bit with which it fits.
    fn fixed(mut header: [u8; HEADER]) -> Vec<Start> {
        let mut found = Vec::new();
        for bit in 0..HEADER * 8 {
            header[bit / 8] ^= 1 << (bit % 8);
            found.extend(Start::read(&header));
            header[bit / 8] ^= 1 << (bit % 8);
        }
        found
    }
}

/// The running checksum of SQLite's write-ahead log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum([u32; 2]);

impl Sum {
    fn over(self, bytes: &[u8], big: bool) -> Sum {
        let [mut first, mut second] = self.0;
        for two in bytes.as_chunks::<8>().0 {
            let [a, b] = words(two, big);
            first = first.wrapping_add(a).wrapping_add(second);
            second = second.wrapping_add(b).wrapping_add(first);
        }
        Sum([first, second])
    }
}

fn words(two: &[u8; 8], big: bool) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = *two;
    match big {
        true => [u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])],
        false => [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])],
    }
}

/// Goes through the frames of a log.
struct Scan {
    start: Start,
    /// The checksum of the frame before; two where it cannot be known which is right.
    before: [Sum; 2],
    readable: u64,
    lost: u64,
    /// SQLite does not read on from here.
    broken: bool,
}

impl Scan {
    fn new(start: Start, broken: bool) -> Scan {
        Scan { start, before: [start.sum; 2], readable: 0, lost: 0, broken }
    }

    fn whole(mut self, log: &mut dyn Read) -> Option<Lost> {
        let mut frame = vec![0; FRAME + self.start.page];
        while log.read_exact(&mut frame).is_ok() {
            self.frame(&frame);
        }
        (self.lost > 0).then_some(Lost { readable: self.readable, commits: self.lost })
    }

    fn frame(&mut self, frame: &[u8]) {
        let (head, page) = frame.split_at(FRAME);
        let stored = Sum(pair(head, 16));
        let salts = pair(head, 8);
        let over = |before: Sum| before.over(&head[..8], self.start.big).over(page, self.start.big);
        let sum = match self.before {
            [first, second] if first == second => over(first),
            both => both.map(over).into_iter().find(|sum| *sum == stored).unwrap_or_else(|| over(both[0])),
        };
        let own = salts == self.start.salts;
        let ends = number(head, 4) > 0;
        let fits = own && sum == stored && number(head, 0) > 0;
        if !fits && !self.broken {
            self.broken = true;
            let [a, b] = [0, 1].map(|at| (salts[at] ^ self.start.salts[at]).count_ones());
            let [c, d] = [0, 1].map(|at| (sum.0[at] ^ stored.0[at]).count_ones());
            // Whole once, but for one bit?
            let (ends, before) = match (a + b, c + d) {
                (1, 0) => (ends, [stored; 2]),
                // A sum that was changed itself is not what the next frame went on from. But the last word of the page may be what
                // was changed.
                (0, 1) => (ends, [sum, stored]),
                (0, _) => match self.odd_bit(head, page, sum, stored) {
                    Some((1, bit)) => (number(head, 4) ^ self.swapped(1 << bit) > 0, [stored; 2]),
                    Some(_) => (ends, [stored; 2]),
                    None => (false, [stored; 2]),
                },
                _ => (false, [stored; 2]),
            };
            self.lost += u64::from(ends);
            self.before = before;
            return;
        }
        if !self.broken {
            self.readable += 1;
        } else if fits && ends {
            self.lost += 1;
        }
        self.before = [stored; 2];
    }

    /// A bit of a word as the sums see it, as a bit of a number of the frame's head.
    fn swapped(&self, bit: u32) -> u32 {
        if self.start.big { bit } else { bit.swap_bytes() }
    }

    /// The word and the bit of it that would have to be another for the sum to fit.
    fn odd_bit(&self, head: &[u8], page: &[u8], sum: Sum, stored: Sum) -> Option<(usize, u32)> {
        let [first, second] = [0, 1].map(|at| stored.0[at].wrapping_sub(sum.0[at]));
        let all = || head[..8].as_chunks::<8>().0.iter().chain(page.as_chunks::<8>().0);
        let count = all().count();
        // What a word counts in the two sums at the end: multiplied by (1 1 / 1 2) for every pair of words behind it.
        let mut power = [1u32, 0, 0, 1];
        for (behind, two) in all().rev().enumerate() {
            let [a, b, c, d] = power;
            let counts = [[a.wrapping_add(b), c.wrapping_add(d)], [b, d]];
            for (at, (word, [in_first, in_second])) in words(two, self.start.big).into_iter().zip(counts).enumerate() {
                for bit in 0..32 {
                    let by = if word >> bit & 1 == 1 { (1u32 << bit).wrapping_neg() } else { 1 << bit };
                    if by.wrapping_mul(in_first) == first && by.wrapping_mul(in_second) == second {
                        return Some(((count - 1 - behind) * 2 + at, bit));
                    }
                }
            }
            power = [a.wrapping_add(b), a.wrapping_add(b << 1), c.wrapping_add(d), c.wrapping_add(d << 1)];
        }
        None
    }
}
