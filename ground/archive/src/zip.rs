//! The container of WACZ: a zip file whose files are stored as they are, so that a record in one of them can be read in place.
//!
//! Written with the 64-bit fields (APPNOTE 4.5.3) for every file, since how long it gets is known only at its end: sizes stand in a
//! data descriptor behind it and in the directory. Read: the directory at the end, names and places. Nothing is ever unpacked to a path;
//! a name is a name.

use std::io::{self, Read, Seek, SeekFrom, Write};

use flate2::Crc;

const LOCAL: u32 = 0x0403_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
const END: u32 = 0x0605_4b50;
/// Sizes follow, names are UTF-8.
const FLAGS: u16 = 0x0808;
/// 1 January 1980: when a file was put in says nothing about it.
const DATE: u32 = 0x0021_0000;
const FULL: u32 = u32::MAX;

/// A file in the container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    /// How it is kept: 0 for as it is, 8 for deflate.
    pub method: u16,
    /// Its bytes in the container.
    pub kept: u64,
    /// Bytes before compression.
    pub size: u64,
    /// Where its head begins.
    head: u64,
    crc: u32,
}

/// Writes a container, file after file.
pub struct Writer<W: Write> {
    out: W,
    at: u64,
    entries: Vec<Entry>,
}

impl<W: Write> Writer<W> {
    /// A container without files yet.
    pub fn new(out: W) -> Writer<W> {
        Writer { out, at: 0, entries: Vec::new() }
    }

    /// Puts a file in. Gives its length.
    pub fn put(&mut self, name: &str, from: &mut dyn Read) -> io::Result<u64> {
        let head = self.at;
        let mut bytes = Vec::new();
        numbers(&mut bytes, &[LOCAL], &[45, FLAGS, 0], &[DATE, 0, FULL, FULL]);
        numbers(&mut bytes, &[], &[name_length(name)?, 20], &[]);
        bytes.extend_from_slice(name.as_bytes());
        // Room for the sizes, which the descriptor says.
        numbers(&mut bytes, &[], &[1, 16], &[0, 0, 0, 0]);
        self.say(&bytes)?;
        let (mut crc, mut size) = (Crc::new(), 0u64);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = from.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            crc.update(&buffer[..read]);
            size += read as u64;
            self.say(&buffer[..read])?;
        }
        let mut bytes = Vec::new();
        numbers(&mut bytes, &[DESCRIPTOR, crc.sum()], &[], &[]);
        bytes.extend_from_slice(&size.to_le_bytes());
        bytes.extend_from_slice(&size.to_le_bytes());
        self.say(&bytes)?;
        self.entries.push(Entry { name: name.to_owned(), method: 0, kept: size, size, head, crc: crc.sum() });
        Ok(size)
    }

    /// Writes the directory, which ends the container.
    pub fn finish(mut self) -> io::Result<W> {
        let start = self.at;
        for entry in std::mem::take(&mut self.entries) {
            let mut bytes = Vec::new();
            numbers(&mut bytes, &[CENTRAL], &[45, 45, FLAGS, 0], &[DATE, entry.crc, FULL, FULL]);
            numbers(&mut bytes, &[], &[name_length(&entry.name)?, 28, 0, 0, 0], &[0, FULL]);
            bytes.extend_from_slice(entry.name.as_bytes());
            numbers(&mut bytes, &[], &[1, 24], &[]);
            for number in [entry.size, entry.kept, entry.head] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            self.say(&bytes)?;
            self.entries.push(entry);
        }
        let (end, count) = (self.at, self.entries.len() as u64);
        let mut bytes = Vec::new();
        numbers(&mut bytes, &[END64], &[], &[]);
        bytes.extend_from_slice(&44u64.to_le_bytes());
        numbers(&mut bytes, &[], &[45, 45], &[0, 0]);
        for number in [count, count, end - start, start] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        numbers(&mut bytes, &[LOCATOR64, 0], &[], &[]);
        bytes.extend_from_slice(&end.to_le_bytes());
        numbers(&mut bytes, &[1, END], &[0, 0, u16::MAX, u16::MAX], &[FULL, FULL]);
        numbers(&mut bytes, &[], &[0], &[]);
        self.say(&bytes)?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

fn numbers(bytes: &mut Vec<u8>, first: &[u32], short: &[u16], long: &[u32]) {
    first.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    short.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    long.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}

fn name_length(name: &str) -> io::Result<u16> {
    u16::try_from(name.len()).map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "the name of a file is too long"))
}

/// Most that is read of a directory: a million files with ordinary names.
const DIRECTORY: u64 = 128 << 20;

fn bad(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// Reads the directory of a container.
pub fn entries(input: &mut (impl Read + Seek)) -> io::Result<Vec<Entry>> {
    let length = input.seek(SeekFrom::End(0))?;
    let tail_length = length.min(22 + 65_535 + 20);
    let tail = bytes_at(input, length - tail_length, tail_length)?;
    let sign = END.to_le_bytes();
    let end =
        tail.windows(4).rposition(|window| window == sign).ok_or_else(|| bad("has no directory of a zip file"))?;
    let record = &tail[end..];
    let (mut size, mut start) = (u64::from(long(record, 12)?), u64::from(long(record, 16)?));
    let locator = end.checked_sub(20).map(|at| &tail[at..end]);
    if let Some(locator) = locator.filter(|locator| locator.starts_with(&LOCATOR64.to_le_bytes())) {
        let record = bytes_at(input, wide(locator, 8)?, 56)?;
        if long(&record, 0)? != END64 {
            return Err(bad("the directory of the zip file is damaged"));
        }
        (size, start) = (wide(&record, 40)?, wide(&record, 48)?);
    }
    if size > DIRECTORY || start.checked_add(size).is_none_or(|end| end > length) {
        return Err(bad("the directory of the zip file is damaged"));
    }
    let directory = bytes_at(input, start, size)?;
    let (mut rest, mut found) = (directory.as_slice(), Vec::new());
    while rest.len() >= 46 && long(rest, 0)? == CENTRAL {
        let lengths = [28, 30, 32].map(|at| short(rest, at).map(usize::from));
        let [name_length, extra_length, comment] = lengths;
        let (name_length, extra_length, comment) = (name_length?, extra_length?, comment?);
        let whole = 46 + name_length + extra_length + comment;
        let Some(record) = rest.get(..whole) else { return Err(bad("the directory of the zip file is damaged")) };
        let name = String::from_utf8_lossy(&record[46..46 + name_length]).into_owned();
        let mut wanted = [u64::from(long(record, 24)?), u64::from(long(record, 20)?), u64::from(long(record, 42)?)];
        let mut extra = &record[46 + name_length..46 + name_length + extra_length];
        while extra.len() >= 4 {
            let (kind, length) = (short(extra, 0)?, usize::from(short(extra, 2)?));
            let Some(body) = extra.get(4..4 + length) else { break };
            if kind == 1 {
                let mut values = body.chunks_exact(8).map(|eight| wide(eight, 0));
                for number in wanted.iter_mut().filter(|number| **number == u64::from(FULL)) {
                    *number = values.next().unwrap_or_else(|| Err(bad("the directory of the zip file is damaged")))?;
                }
            }
            extra = &extra[4 + length..];
        }
        let [size, kept, head] = wanted;
        found.push(Entry { name, method: short(record, 10)?, kept, size, head, crc: long(record, 16)? });
        rest = &rest[whole..];
    }
    Ok(found)
}

impl Entry {
    /// Where its bytes begin.
    pub fn start(&self, input: &mut (impl Read + Seek)) -> io::Result<u64> {
        let head = bytes_at(input, self.head, 30)?;
        if long(&head, 0)? != LOCAL {
            return Err(bad("the zip file is damaged"));
        }
        let start = self.head + 30 + u64::from(short(&head, 26)?) + u64::from(short(&head, 28)?);
        let length = input.seek(SeekFrom::End(0))?;
        if start.checked_add(self.kept).is_none_or(|end| end > length) {
            return Err(bad("the zip file breaks off"));
        }
        Ok(start)
    }

    /// Its bytes, at most so many, unpacked.
    pub fn read(&self, input: &mut (impl Read + Seek), most: u64) -> io::Result<Vec<u8>> {
        let start = self.start(input)?;
        input.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        match self.method {
            0 => input.take(self.kept.min(most)).read_to_end(&mut bytes)?,
            8 => flate2::read::DeflateDecoder::new(input.take(self.kept)).take(most).read_to_end(&mut bytes)?,
            _ => return Err(bad("is compressed in a way that is not read")),
        };
        Ok(bytes)
    }
}

fn bytes_at(input: &mut (impl Read + Seek), at: u64, length: u64) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    input.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(bad("the zip file breaks off")) }
}

fn short(bytes: &[u8], at: usize) -> io::Result<u16> {
    let two = bytes.get(at..at + 2).ok_or_else(|| bad("the zip file breaks off"))?;
    Ok(u16::from_le_bytes([two[0], two[1]]))
}

fn long(bytes: &[u8], at: usize) -> io::Result<u32> {
    Ok(u32::from(short(bytes, at)?) | u32::from(short(bytes, at + 2)?) << 16)
}

fn wide(bytes: &[u8], at: usize) -> io::Result<u64> {
    Ok(u64::from(long(bytes, at)?) | u64::from(long(bytes, at + 4)?) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn what_was_put_in_is_found_again() {
        let mut zip = Writer::new(Vec::new());
        zip.put("a/b.txt", &mut &b"hello"[..]).unwrap();
        zip.put("../c", &mut &[7u8; 100_000][..]).unwrap();
        let bytes = zip.finish().unwrap();
        let mut input = Cursor::new(&bytes);
        let found = entries(&mut input).unwrap();
        assert_eq!(
            found.iter().map(|e| (e.name.as_str(), e.size)).collect::<Vec<_>>(),
            [("a/b.txt", 5), ("../c", 100_000)]
        );
        assert_eq!(found[0].read(&mut input, 99).unwrap(), b"hello");
        assert_eq!(found[1].read(&mut input, 3).unwrap(), [7; 3]);
        for cut in 0..bytes.len().min(400) {
            // Any piece of it is refused or read, and nothing else.
            let _ = entries(&mut Cursor::new(&bytes[..cut]));
            let _ = entries(&mut Cursor::new(&bytes[cut..]));
        }
    }
}
