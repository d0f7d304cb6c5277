//! The files of a zip file that lies in memory.
//!
//! The central directory counts (APPNOTE 4.3.12); of the local headers only their lengths are used. Stored and deflated
//! files are unpacked, up to a bound; sizes that are stated are not believed, checksums not computed. Files that are
//! encrypted, or packed in another way, are not there. Total, and linear in the file and in what is unpacked; not read are
//! archives of several volumes and those beyond 4 GB.

use std::io::Read;

use flate2::read::DeflateDecoder;

/// A directory has so many entries at most: more than any document.
const ENTRIES: usize = 65_536;
/// The record at the end, and the longest comment behind it.
const END: usize = 22;
const COMMENT: usize = 65_535;

pub(super) struct Zip<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    name: &'a [u8],
    deflated: bool,
    packed: usize,
    header: usize,
}

fn number16(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk::<2>().map(|two| usize::from(u16::from_le_bytes(*two)))
}

fn number32(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk::<4>().map(|four| u32::from_le_bytes(*four) as usize)
}

impl<'a> Zip<'a> {
    /// Nothing if there is no directory.
    pub(super) fn open(bytes: &'a [u8]) -> Option<Zip<'a>> {
        let tail = bytes.len().saturating_sub(END + COMMENT);
        let end = tail + memchr::memmem::rfind(&bytes[tail..], b"PK\x05\x06")?;
        let mut at = number32(bytes, end + 16)?;
        let mut entries = Vec::new();
        while entries.len() < ENTRIES && bytes.get(at..at + 4) == Some(b"PK\x01\x02") {
            let Some((entry, next)) = entry(bytes, at) else { break };
            entries.extend(entry);
            at = next;
        }
        Some(Zip { bytes, entries })
    }

    /// The names of its files, those that are text.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|entry| str::from_utf8(entry.name).ok())
    }

    /// Is there a file of this name?
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name.as_bytes())
    }

    /// The first `most` bytes of a file; those before a break if it is broken.
    pub(super) fn unpack(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let entry = self.entries.iter().find(|entry| entry.name == name.as_bytes())?;
        (self.bytes.get(entry.header..entry.header + 4)? == b"PK\x03\x04").then_some(())?;
        let names = number16(self.bytes, entry.header + 26)? + number16(self.bytes, entry.header + 28)?;
        let packed = self.bytes.get(entry.header + 30 + names..)?;
        let packed = &packed[..packed.len().min(entry.packed)];
        let mut bytes = Vec::new();
        let _ = match entry.deflated {
            true => DeflateDecoder::new(packed).take(most).read_to_end(&mut bytes),
            false => packed.take(most).read_to_end(&mut bytes),
        };
        Some(bytes)
    }
}

/// The entry of a directory at this place, if it can be unpacked, and where the next begins.
fn entry(bytes: &[u8], at: usize) -> Option<(Option<Entry<'_>>, usize)> {
    let (flags, method) = (number16(bytes, at + 8)?, number16(bytes, at + 10)?);
    let lengths = [28, 30, 32].map(|field| number16(bytes, at + field));
    let [Some(name), Some(extra), Some(comment)] = lengths else { return None };
    let entry = Entry {
        name: bytes.get(at + 46..at + 46 + name)?,
        deflated: method == 8,
        packed: number32(bytes, at + 20)?,
        header: number32(bytes, at + 42)?,
    };
    let readable = flags & 1 == 0 && matches!(method, 0 | 8);
    Some((readable.then_some(entry), at + 46 + name + extra + comment))
}
