//! How records are compressed: each a gzip member or a zstd frame of its own, so that any of them can be read alone.
//!
//! A packer is used again and again: what it needs is allocated once. A record whose block is compressed already, or that is so short that
//! getting the compressor ready would cost more than it saves, is only wrapped: stored blocks (RFC 1951, 3.2.4), which need no compressor.

use std::convert::Infallible;
use std::io;

use flate2::{Compress, Crc, FlushCompress, Status};

use crate::record::Record;

/// How records are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// gzip (RFC 1952), at a level from 0 to 9: what every tool reads.
    Gzip(u32),
    /// zstd (RFC 8878) without a dictionary, at a level from 1 to 19.
    Zstd(i32),
}

impl Compression {
    /// How a file of such records ends.
    pub fn ending(self) -> &'static str {
        match self {
            Compression::Gzip(_) => "warc.gz",
            Compression::Zstd(_) => "warc.zst",
        }
    }
}

/// Compresses records.
pub struct Packer {
    how: Compression,
    deflate: Option<Compress>,
    zstd: Option<zstd::bulk::Compressor<'static>>,
    plain: Vec<u8>,
    /// What the compressor writes to: filled once, for ever.
    scratch: Box<[u8]>,
}

/// What is taken from the compressor at a time.
const SCRATCH: usize = 16 * 1024;
/// Shorter blocks are stored as they are.
const WORTH_PACKING: usize = 1024;
/// No name, no time, by whom does not matter.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

impl Packer {
    /// One that compresses so.
    pub fn new(how: Compression) -> Packer {
        Packer { how, deflate: None, zstd: None, plain: Vec::new(), scratch: vec![0; SCRATCH].into() }
    }

    /// Appends a record to `out`; `dense`: its block is compressed already. Gives the number of bytes.
    pub fn pack(&mut self, record: Record<'_>, media_type: &str, dense: bool, out: &mut Vec<u8>) -> io::Result<u64> {
        let before = out.len();
        match self.how {
            Compression::Gzip(level) if dense || level == 0 || record.length() < WORTH_PACKING => {
                stored(self.joined(record, media_type), out);
                self.let_go();
            }
            Compression::Gzip(level) => {
                let compress =
                    self.deflate.get_or_insert_with(|| Compress::new(flate2::Compression::new(level), false));
                compress.reset();
                out.extend_from_slice(&GZIP_HEAD);
                let (mut crc, scratch) = (Crc::new(), &mut self.scratch[..]);
                record.pieces(media_type, |piece| {
                    crc.update(piece);
                    deflate(compress, piece, FlushCompress::None, scratch, out)
                })?;
                deflate(compress, &[], FlushCompress::Finish, scratch, out)?;
                out.extend_from_slice(&crc.sum().to_le_bytes());
                out.extend_from_slice(&crc.amount().to_le_bytes());
            }
            Compression::Zstd(level) => {
                self.joined(record, media_type);
                let compressor = match &mut self.zstd {
                    Some(compressor) => compressor,
                    none => none.insert(zstd::bulk::Compressor::new(level)?),
                };
                out.extend_from_slice(&compressor.compress(&self.plain)?);
                self.let_go();
            }
        }
        Ok((out.len() - before) as u64)
    }

    /// A record in one piece.
    fn joined(&mut self, record: Record<'_>, media_type: &str) -> &[u8] {
        self.plain.clear();
        let plain = &mut self.plain;
        let done: Result<(), Infallible> = record.pieces(media_type, |piece| {
            plain.extend_from_slice(piece);
            Ok(())
        });
        done.unwrap_or_else(|never| match never {});
        plain
    }

    /// Room for one large record is not kept for many small ones.
    fn let_go(&mut self) {
        if self.plain.capacity() > 1 << 20 {
            self.plain = Vec::new();
        }
    }
}

/// A gzip member with everything as it is.
fn stored(plain: &[u8], out: &mut Vec<u8>) {
    out.reserve(plain.len() + 64);
    out.extend_from_slice(&GZIP_HEAD);
    let mut pieces = plain.chunks(usize::from(u16::MAX)).peekable();
    while let Some(piece) = pieces.next() {
        let length = piece.len() as u16;
        out.push(u8::from(pieces.peek().is_none()));
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(piece);
    }
    let mut crc = Crc::new();
    crc.update(plain);
    out.extend_from_slice(&crc.sum().to_le_bytes());
    out.extend_from_slice(&crc.amount().to_le_bytes());
}

/// Gives a piece to the compressor and takes all that comes out.
fn deflate(
    compress: &mut Compress,
    mut piece: &[u8],
    flush: FlushCompress,
    scratch: &mut [u8],
    out: &mut Vec<u8>,
) -> io::Result<()> {
    loop {
        let before = (compress.total_in(), compress.total_out());
        let status = compress.compress(piece, scratch, flush).map_err(io::Error::other)?;
        let came = (compress.total_out() - before.1) as usize;
        out.extend_from_slice(&scratch[..came]);
        piece = piece.get((compress.total_in() - before.0) as usize..).unwrap_or_default();
        let finishing = matches!(flush, FlushCompress::Finish);
        if status == Status::StreamEnd || (!finishing && piece.is_empty() && came < scratch.len()) {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_was_packed_comes_back_whatever_its_size() {
        for size in [0usize, 1, 4095, 4096, 65_535, 200_000] {
            let body: Vec<u8> = (0..size).map(|n| (n * 7919 % 251) as u8).collect();
            for how in [Compression::Gzip(0), Compression::Gzip(1), Compression::Gzip(6), Compression::Zstd(1)] {
                let mut packer = Packer::new(how);
                for dense in [false, true, false] {
                    let (mut out, mut back) = (Vec::new(), Vec::new());
                    let record = Record::new("resource", Some("http://a.test/"), 1, b"", [&body, b"end"]);
                    let length = packer.pack(record, "text/html", dense, &mut out).unwrap();
                    assert_eq!(length, out.len() as u64);
                    match how {
                        Compression::Gzip(_) => {
                            flate2::read::GzDecoder::new(out.as_slice()).read_to_end(&mut back).unwrap();
                        }
                        Compression::Zstd(_) => back = zstd::decode_all(out.as_slice()).unwrap(),
                    }
                    assert!(back.ends_with(b"end\r\n\r\n") && back.len() > size + 200, "{how:?} {size}");
                }
            }
        }
    }
}
