//! A file of records, read one by one. Nothing in it is trusted.
//!
//! A member (gzip), a frame (zstd) or the whole file (plain) is read as a stream; the head of a record is kept up to a limit, its block
//! up to what the caller wants, and its digest is checked over the whole. Where a record cannot be read, that is a [`Finding`] with its
//! place, and the next one is looked for from the byte after its beginning on: behind each sign that a member could begin there, the
//! first bytes must unpack to `WARC/`. Cost: linear in what is unpacked, which the limits bound per record; looking for the next
//! member reads each byte of the bad stretch once.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use data_encoding::BASE32;
use flate2::bufread::GzDecoder;
use sha1::{Digest, Sha1};

use crate::arc;
use crate::http;
use crate::record::{Fields, other_version};

/// How much of a record is read.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Longest head, in bytes; a longer one is an error.
    pub head: u64,
    /// The longest block: a longer one is passed over.
    pub block: u64,
    /// What is kept of a block.
    pub keep: u64,
}

/// A record as it was read.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Where its member begins.
    pub offset: u64,
    /// Where it begins in its member once that is unpacked.
    pub inner: u64,
    /// The bytes of its member, where it is alone in it.
    pub length: Option<u64>,
    /// The fields of its head.
    pub fields: Fields,
    /// Its block, as far as it was wanted.
    pub block: Vec<u8>,
    /// The length of the whole block.
    pub block_length: u64,
    /// The block is shorter than its head says.
    pub short: bool,
    /// The block is not what its digest says.
    pub wrong_digest: bool,
    /// The version it is of, if that is none we know.
    pub other_version: Option<String>,
}

impl Record {
    /// WARC type, such as `response`.
    pub fn kind(&self) -> &str {
        self.fields.get("WARC-Type").unwrap_or_default()
    }

    /// The URL it is about, without the angle brackets some writers put around it.
    pub fn url(&self) -> Option<&str> {
        self.fields.get("WARC-Target-URI").map(|url| url.trim_start_matches('<').trim_end_matches('>'))
    }

    /// When it was made, in seconds since 1970.
    pub fn at(&self) -> Option<i64> {
        self.fields.get("WARC-Date").and_then(crate::record::moment_of)
    }
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where the record begins, in bytes.
    pub offset: u64,
    /// What is wrong there.
    pub what: &'static str,
}

/// How records are wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrapping {
    Plain,
    Gzip,
    Zstd,
}

/// Reads the records of a WARC file one after the other.
pub struct Reader<R> {
    input: Tracked<R>,
    bounds: Bounds,
    /// It begins as ARC files do.
    arc: bool,
}

/// Go on or stop; and if on, what was wrong with what was read, and where.
type ReadFlow = ControlFlow<(), Option<(u64, &'static str)>>;

/// What came of one record.
enum Got {
    Record(Box<Record>),
    /// The member has no more.
    End,
    Bad(&'static str),
}

const BROKEN: &str = "cannot be unpacked";
const TORN: &str = "breaks off";
const OTHER_VERSION: &str = "a record of an unknown version cannot be read";
const NO_RECORD: &str = "no record begins here";
const LONG_HEAD: &str = "the head of a record is too long";
const NO_LENGTH: &str = "a record does not say how long it is";
const LONG_BLOCK: &str = "a record is larger than the limit";
const GIVEN_UP: &str = "too much is wrong with the file, the rest is not read";
/// So many bad records are passed over in one file, and so many signs of a record that are none behind one of them.
const BAD_AT_MOST: usize = 1000;
/// Bytes of empty lines between two records: there are two lines as a rule.
const EMPTY: u64 = 1 << 20;
const DICTIONARY: &str = "is compressed with a dictionary, which is not read";

impl<R: Read + Seek> Reader<R> {
    pub fn new(input: R, bounds: Bounds) -> Reader<R> {
        let input = Tracked { inner: BufReader::with_capacity(1 << 16, input), at: 0, length: None };
        Reader { input, bounds, arc: false }
    }

    /// Shows every record and every finding, in order, until told to stop.
    pub fn each(&mut self, show: &mut dyn FnMut(Result<Record, Finding>) -> ControlFlow<()>) -> io::Result<()> {
        let Some(wrapping) = self.wrapping()? else {
            if !self.input.fill_buf()?.is_empty() {
                let _ = show(Err(Finding { offset: 0, what: "is neither a WARC nor an ARC file" }));
            }
            return Ok(());
        };
        self.arc = wrapping == Wrapping::Plain && self.input.peek(5)? != b"WARC/";
        let mut bad = 0;
        loop {
            let offset = self.input.at;
            if self.input.fill_buf()?.is_empty() {
                return Ok(());
            }
            match self.member(wrapping, offset, show)? {
                ControlFlow::Break(()) => return Ok(()),
                ControlFlow::Continue(None) => {}
                ControlFlow::Continue(Some((from, what))) => {
                    bad += 1;
                    let what = if bad < BAD_AT_MOST { what } else { GIVEN_UP };
                    let told = show(Err(Finding { offset: from, what }));
                    if told.is_break() || bad == BAD_AT_MOST || !self.find_next(wrapping, from + 1)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// The record at a place that [`each`](Self::each) has shown.
    pub fn at(&mut self, offset: u64, inner: u64) -> io::Result<Option<Record>> {
        self.input.go_to(offset)?;
        let Some(wrapping) = self.wrapping()? else { return Ok(None) };
        let bounds = self.bounds;
        let one = |stream: &mut dyn BufRead| -> io::Result<Got> {
            let skipped = io::copy(&mut stream.take(inner), &mut io::sink())?;
            if skipped < inner { Ok(Got::End) } else { record(stream, bounds) }
        };
        let got = match wrapping {
            Wrapping::Plain => one(&mut self.input),
            Wrapping::Gzip => one(&mut BufReader::new(GzDecoder::new(&mut self.input))),
            Wrapping::Zstd => {
                one(&mut BufReader::new(zstd::stream::read::Decoder::with_buffer(&mut self.input)?.single_frame()))
            }
        };
        match got? {
            Got::Record(mut record) => {
                (record.offset, record.inner) = (offset, inner);
                Ok(Some(*record))
            }
            Got::End | Got::Bad(_) => Ok(None),
        }
    }

    fn wrapping(&mut self) -> io::Result<Option<Wrapping>> {
        let begins = self.input.peek(5)?;
        Ok(match begins {
            [0x1f, 0x8b, ..] => Some(Wrapping::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Wrapping::Zstd),
            [b'W', b'A', b'R', b'C', b'/', ..] => Some(Wrapping::Plain),
            _ => arc::is_head(self.input.peek(arc::HEAD)?).then_some(Wrapping::Plain),
        })
    }

    /// Reads one member. Gives where it went wrong, if it did.
    fn member(
        &mut self,
        wrapping: Wrapping,
        offset: u64,
        show: &mut dyn FnMut(Result<Record, Finding>) -> ControlFlow<()>,
    ) -> io::Result<ReadFlow> {
        let bounds = self.bounds;
        match wrapping {
            Wrapping::Plain => {
                self.input.skip_empty_lines()?;
                let offset = self.input.at;
                if self.input.fill_buf()?.is_empty() {
                    return Ok(ControlFlow::Continue(None));
                }
                // What cannot be there is not looked for: many records that lie about their length would cost the file each.
                let left = self.input.length()?.saturating_sub(offset);
                let bounds = Bounds { block: bounds.block.min(left), ..bounds };
                match record(&mut self.input, bounds)? {
                    Got::Record(record) if record.short => Ok(ControlFlow::Continue(Some((offset, TORN)))),
                    Got::Record(mut record) => {
                        self.input.skip_empty_lines()?;
                        (record.offset, record.length) = (offset, Some(self.input.at - offset));
                        if show(Ok(*record)).is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                        Ok(ControlFlow::Continue(None))
                    }
                    Got::Bad(LONG_BLOCK) if bounds.block == left => Ok(ControlFlow::Continue(Some((offset, TORN)))),
                    Got::End => Ok(ControlFlow::Continue(None)),
                    Got::Bad(what) => Ok(ControlFlow::Continue(Some((offset, what)))),
                }
            }
            Wrapping::Gzip => {
                let mut stream = Unpacked::new(GzDecoder::new(&mut self.input));
                let result = unpacked(&mut stream, offset, bounds, show);
                self.finished(offset, result, show)
            }
            Wrapping::Zstd if matches!(self.input.peek(4)?, [0x50..=0x5f, 0x2a, 0x4d, 0x18]) => {
                let mut head = [0; 8];
                if self.input.read_exact(&mut head).is_err() {
                    return Ok(ControlFlow::Continue(Some((offset, TORN))));
                }
                let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
                self.input.go_to(offset + 8 + u64::from(length))?;
                Ok(ControlFlow::Continue((head[0] == 0x5d).then_some((offset, DICTIONARY))))
            }
            Wrapping::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(&mut self.input)?.single_frame();
                let mut stream = Unpacked::new(decoder);
                let result = unpacked(&mut stream, offset, bounds, show);
                self.finished(offset, result, show)
            }
        }
    }

    /// After a member: what is left to be shown of it.
    fn finished(
        &mut self,
        offset: u64,
        result: Result<Option<Box<Record>>, Stop>,
        show: &mut dyn FnMut(Result<Record, Finding>) -> ControlFlow<()>,
    ) -> io::Result<ReadFlow> {
        match result {
            Err(Stop::Told) => Ok(ControlFlow::Break(())),
            Err(Stop::Bad(what)) => Ok(ControlFlow::Continue(Some((offset, what)))),
            Ok(last) => {
                if let Some(mut record) = last {
                    if record.inner == 0 {
                        record.length = Some(self.input.at - offset);
                    }
                    if show(Ok(*record)).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(None))
            }
        }
    }

    /// Goes to the next place, from `from` on, where a record begins; false if there is none.
    fn find_next(&mut self, wrapping: Wrapping, from: u64) -> io::Result<bool> {
        let sign: &[u8] = match wrapping {
            Wrapping::Plain if self.arc => b"\nhttp",
            Wrapping::Plain => b"WARC/",
            Wrapping::Gzip => &[0x1f, 0x8b, 8],
            Wrapping::Zstd => &[0x28, 0xb5, 0x2f, 0xfd],
        };
        self.input.go_to(from)?;
        let mut tries = 0;
        while tries < BAD_AT_MOST && self.input.find(sign)? {
            tries += 1;
            let at = self.input.at;
            let mut begins = [0; 5];
            let read = match wrapping {
                Wrapping::Plain if self.arc => {
                    self.input.go_to(at + 1)?;
                    if arc::is_head(self.input.peek(arc::HEAD)?) {
                        return Ok(true);
                    }
                    continue;
                }
                Wrapping::Plain => {
                    if matches!(self.input.peek(8)?, [.., b'0'..=b'9', b'.', b'0'..=b'9']) {
                        return Ok(true);
                    }
                    self.input.go_to(at + 1)?;
                    continue;
                }
                Wrapping::Gzip => GzDecoder::new(&mut self.input).read_exact(&mut begins),
                Wrapping::Zstd => zstd::stream::read::Decoder::with_buffer(&mut self.input)
                    .and_then(|decoder| decoder.single_frame().read_exact(&mut begins)),
            };
            if read.is_ok() && (&begins == b"WARC/" || arc::begins(&begins)) {
                self.input.go_to(at)?;
                return Ok(true);
            }
            self.input.go_to(at + 1)?;
        }
        Ok(false)
    }
}

/// Why a member was left.
enum Stop {
    /// The caller has seen enough.
    Told,
    Bad(&'static str),
}

/// Shows the records of a member but for the last, which is given back: only when the member is done is its length known.
fn unpacked<D: Read>(
    stream: &mut Unpacked<D>,
    offset: u64,
    bounds: Bounds,
    show: &mut dyn FnMut(Result<Record, Finding>) -> ControlFlow<()>,
) -> Result<Option<Box<Record>>, Stop> {
    let broken = |error: io::Error| {
        let torn = error.kind() == io::ErrorKind::UnexpectedEof;
        Stop::Bad(if torn { TORN } else { BROKEN })
    };
    let mut last: Option<Box<Record>> = None;
    loop {
        if skip_empty_lines(stream).map_err(broken)? > EMPTY {
            return Err(Stop::Bad(NO_RECORD));
        }
        if stream.fill_buf().map_err(broken)?.is_empty() {
            return Ok(last);
        }
        if let Some(before) = last.take()
            && show(Ok(*before)).is_break()
        {
            return Err(Stop::Told);
        }
        let inner = stream.given;
        match record(stream, bounds).map_err(broken)? {
            Got::Record(mut record) => {
                (record.offset, record.inner) = (offset, inner);
                last = Some(record);
            }
            Got::End => return Ok(last),
            Got::Bad(what) => return Err(Stop::Bad(what)),
        }
    }
}

/// Reads a record from a stream that stands at its first byte.
fn record(stream: &mut (impl BufRead + ?Sized), bounds: Bounds) -> io::Result<Got> {
    let mut head = Vec::new();
    let mut lines = 0;
    loop {
        let before = head.len();
        let left = bounds.head.saturating_sub(before as u64);
        stream.take(left).read_until(b'\n', &mut head)?;
        let line = &head[before..];
        if line.is_empty() && left > 0 {
            return Ok(if lines == 0 { Got::End } else { Got::Bad(TORN) });
        }
        if lines == 0 && !line.starts_with(b"WARC/") {
            let Some(head) = arc::head(line) else { return Ok(Got::Bad(NO_RECORD)) };
            return body_of_arc(head, stream, bounds);
        }
        if !line.ends_with(b"\n") {
            return Ok(Got::Bad(if left == line.len() as u64 { LONG_HEAD } else { TORN }));
        }
        lines += 1;
        if line == b"\r\n" || line == b"\n" {
            break;
        }
    }
    let first = head.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let fields = Fields::read(&head[first..]);
    let other_version = other_version(&head[..first]);
    let Some(length) = fields.get("Content-Length").and_then(|text| text.parse::<u64>().ok()) else {
        return Ok(Got::Bad(if other_version.is_some() { OTHER_VERSION } else { NO_LENGTH }));
    };
    if length > bounds.block {
        return Ok(Got::Bad(LONG_BLOCK));
    }
    let said = fields.get("WARC-Block-Digest").and_then(sha1_of);
    let mut hash = said.is_some().then(Sha1::new);
    let mut record = Record { fields, block_length: length, other_version, ..Record::default() };
    read_block(stream, &mut record, bounds, hash.as_mut())?;
    record.wrong_digest = match (said, hash) {
        _ if record.short => false,
        (Some(said), Some(hash)) => said != hash.finalize().as_slice(),
        _ => has_other_payload(&record),
    };
    Ok(Got::Record(Box::new(record)))
}

/// Reads the rest of a record of an ARC file, whose head is one line.
fn body_of_arc(head: arc::Head, stream: &mut (impl BufRead + ?Sized), bounds: Bounds) -> io::Result<Got> {
    if head.length > bounds.block {
        return Ok(Got::Bad(LONG_BLOCK));
    }
    let mut record = Record { fields: head.fields, block_length: head.length, ..Record::default() };
    read_block(stream, &mut record, bounds, None)?;
    record.other_version = arc::other_version(&record);
    Ok(Got::Record(Box::new(record)))
}

/// Reads the block of a record, and keeps as much of it as is wanted.
fn read_block(
    stream: &mut (impl BufRead + ?Sized),
    record: &mut Record,
    bounds: Bounds,
    mut hash: Option<&mut Sha1>,
) -> io::Result<()> {
    let mut left = record.block_length;
    while left > 0 {
        let piece = stream.fill_buf()?;
        if piece.is_empty() {
            record.short = true;
            break;
        }
        let taken = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if let Some(hash) = &mut hash {
            hash.update(&piece[..taken]);
        }
        let room = usize::try_from(bounds.keep).unwrap_or(usize::MAX).saturating_sub(record.block.len());
        let kept = &piece[..taken.min(room)];
        if record.block.capacity() - record.block.len() < kept.len() {
            // Twice as much each time, but no more than will be kept, nor than there can be.
            let most = room.min(usize::try_from(left).unwrap_or(usize::MAX));
            record.block.reserve_exact(record.block.len().max(1 << 16).min(most).max(kept.len()));
        }
        record.block.extend_from_slice(kept);
        stream.consume(taken);
        left -= taken as u64;
    }
    Ok(())
}

/// Is the body of this answer another than its digest says? Of one that is still in chunks nobody knows whether they were counted.
fn has_other_payload(record: &Record) -> bool {
    let is_whole = record.block.len() as u64 == record.block_length && record.fields.get("WARC-Truncated").is_none();
    let said = record.fields.get("WARC-Payload-Digest").and_then(sha1_of);
    let (Some(said), Some("response"), true) = (said, record.fields.get("WARC-Type"), is_whole) else { return false };
    let Some(end) = http::head_end(&record.block) else { return false };
    let (head, body) = record.block.split_at(end);
    let chunked = Fields::read(head).get("Transfer-Encoding").is_some();
    !chunked && said != Sha1::digest(body).as_slice()
}

/// The bytes of a digest by SHA-1; nothing for other methods, and for what cannot be one.
fn sha1_of(text: &str) -> Option<Vec<u8>> {
    let (method, digest) = text.split_once(':')?;
    let is_sha1 = method.eq_ignore_ascii_case("sha1") || method.eq_ignore_ascii_case("sha-1");
    let bytes = match digest.len() {
        32 => BASE32.decode(digest.to_ascii_uppercase().as_bytes()).ok()?,
        40 => data_encoding::HEXLOWER_PERMISSIVE.decode(digest.as_bytes()).ok()?,
        _ => return None,
    };
    is_sha1.then_some(bytes)
}

/// Passes over the ends of lines; gives how many bytes they were. More than [`EMPTY`] are not looked at.
fn skip_empty_lines(stream: &mut impl BufRead) -> io::Result<u64> {
    let mut passed = 0;
    loop {
        let blank = stream.fill_buf()?.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        if blank == 0 || passed > EMPTY {
            return Ok(passed);
        }
        passed += blank as u64;
        stream.consume(blank);
    }
}

/// What comes out of a decoder, and how much of it has been taken.
struct Unpacked<D> {
    inner: BufReader<D>,
    given: u64,
}

impl<D: Read> Unpacked<D> {
    fn new(decoder: D) -> Unpacked<D> {
        Unpacked { inner: BufReader::with_capacity(1 << 15, decoder), given: 0 }
    }
}

impl<D: Read> Read for Unpacked<D> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(room)?;
        self.given += read as u64;
        Ok(read)
    }
}

impl<D: Read> BufRead for Unpacked<D> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.given += amount as u64;
        self.inner.consume(amount);
    }
}

/// A file that knows where it is read.
struct Tracked<R> {
    inner: BufReader<R>,
    at: u64,
    length: Option<u64>,
}

impl<R: Read + Seek> Tracked<R> {
    fn go_to(&mut self, place: u64) -> io::Result<()> {
        let forward = place.checked_sub(self.at).and_then(|far| i64::try_from(far).ok());
        match forward {
            Some(far) => self.inner.seek_relative(far)?,
            None => drop(self.inner.seek(SeekFrom::Start(place))?),
        }
        self.at = place;
        Ok(())
    }

    /// The length of the file.
    fn length(&mut self) -> io::Result<u64> {
        if self.length.is_none() {
            self.length = Some(self.inner.get_mut().seek(SeekFrom::End(0))?);
            self.inner.seek(SeekFrom::Start(self.at))?;
        }
        Ok(self.length.unwrap_or_default())
    }

    /// The next bytes, up to so many, without taking them. A read may give less than there is: then the buffer is filled anew.
    fn peek(&mut self, most: usize) -> io::Result<&[u8]> {
        if self.inner.buffer().len() < most {
            self.inner.seek(SeekFrom::Start(self.at))?;
        }
        let buffer = self.inner.fill_buf()?;
        Ok(&buffer[..most.min(buffer.len())])
    }

    fn skip_empty_lines(&mut self) -> io::Result<u64> {
        skip_empty_lines(self)
    }

    /// Goes to the next place where these bytes stand; false if there is none.
    fn find(&mut self, sign: &[u8]) -> io::Result<bool> {
        loop {
            if self.inner.buffer().len() < sign.len() {
                self.inner.seek(SeekFrom::Start(self.at))?;
            }
            let buffer = self.inner.fill_buf()?;
            if buffer.len() < sign.len() {
                return Ok(false);
            }
            let found = buffer.windows(sign.len()).position(|window| window == sign);
            let step = found.unwrap_or(buffer.len() - sign.len() + 1);
            self.consume(step);
            if found.is_some() {
                return Ok(true);
            }
        }
    }
}

impl<R: Read> Read for Tracked<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(room)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R: Read> BufRead for Tracked<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount as u64;
        self.inner.consume(amount);
    }
}
