//! How records are compressed: each a gzip member or a zstd frame of its own, so that any of them can be read alone.
//!
//! A packer is used again and again: what it needs is allocated once. A record whose block is compressed already, or that is so short that
//! getting the compressor ready would cost more than it saves, is only wrapped: stored blocks (RFC 1951, 3.2.4), which need no compressor.
//! So is one that compressing makes longer, and at the first level of gzip the head of any: numbers and digests do not get shorter.

use std::io;

use crc32fast::Hasher;
use flate2::{Compress, FlushCompress, Status};

use crate::deflate::Deflate;
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

/// Compresses records one by one, reusing its buffers.
pub struct Packer {
    how: Compression,
    /// For the first level of gzip.
    quick: Option<Deflate>,
    /// For higher levels of gzip.
    thorough: Option<Compress>,
    zstd: Option<zstd::bulk::Compressor<'static>>,
    /// Buffer for the heads of records.
    opening: Vec<u8>,
    /// What a compressor writes to: filled once, for ever. (It would fill the room in a `Vec` with zeros every time.)
    scratch: Box<[u8]>,
}

/// What is taken from a compressor at a time.
const SCRATCH: usize = 16 * 1024;
/// Shorter blocks are stored as they are.
const WORTH_PACKING: usize = 1024;
/// No name, no time, by whom does not matter.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

impl Packer {
    /// One that compresses so.
    pub fn new(how: Compression) -> Packer {
        Packer { how, quick: None, thorough: None, zstd: None, opening: Vec::new(), scratch: vec![0; SCRATCH].into() }
    }

    /// Appends a record to `out`; `dense`: its block is compressed already. Gives the number of bytes.
    pub(crate) fn pack(
        &mut self,
        record: Record<'_>,
        media_type: &str,
        dense: bool,
        out: &mut Vec<u8>,
    ) -> io::Result<u64> {
        let before = out.len();
        let short = record.length() < WORTH_PACKING;
        let mut opening = std::mem::take(&mut self.opening);
        let pieces = record.pieces(media_type, &mut opening);
        match self.how {
            Compression::Gzip(level) => {
                out.extend_from_slice(&GZIP_HEAD);
                match level {
                    _ if dense || short || level == 0 => store(&pieces, out),
                    1 => {
                        let [opening, rest @ ..] = pieces;
                        store_part(opening, out);
                        self.quick.get_or_insert_with(Deflate::new).compress(&rest, out);
                    }
                    _ => self.deflate(level, &pieces, out)?,
                }
                let begun = before + GZIP_HEAD.len();
                if out.len() - begun > stored_length(&pieces) {
                    out.truncate(begun);
                    store(&pieces, out);
                }
                let mut crc = Hasher::new();
                pieces.iter().for_each(|piece| crc.update(piece));
                let length: usize = pieces.iter().map(|piece| piece.len()).sum();
                out.extend_from_slice(&crc.finalize().to_le_bytes());
                out.extend_from_slice(&(length as u32).to_le_bytes());
            }
            Compression::Zstd(level) => {
                let compressor = match &mut self.zstd {
                    Some(compressor) => compressor,
                    none => none.insert(zstd::bulk::Compressor::new(level)?),
                };
                out.extend_from_slice(&compressor.compress(&pieces.concat())?);
            }
        }
        self.opening = opening;
        Ok((out.len() - before) as u64)
    }

    /// Gives the pieces to the compressor and takes all that comes out.
    fn deflate(&mut self, level: u32, pieces: &[&[u8]], out: &mut Vec<u8>) -> io::Result<()> {
        let new = || Compress::new(flate2::Compression::new(level), false);
        let compress = self.thorough.get_or_insert_with(new);
        compress.reset();
        let all = pieces.iter().map(|piece| (*piece, FlushCompress::None)).chain([(&[][..], FlushCompress::Finish)]);
        for (mut piece, flush) in all {
            loop {
                let (read, written) = (compress.total_in(), compress.total_out());
                let status = compress.compress(piece, &mut self.scratch, flush).map_err(io::Error::other)?;
                let came = (compress.total_out() - written) as usize;
                out.extend_from_slice(&self.scratch[..came]);
                piece = piece.get((compress.total_in() - read) as usize..).unwrap_or_default();
                let finishing = matches!(flush, FlushCompress::Finish);
                if status == Status::StreamEnd || (!finishing && piece.is_empty() && came < self.scratch.len()) {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Most bytes of a stored block.
const BLOCK: usize = u16::MAX as usize;

/// Everything as it is, piece by piece, and then a last block with nothing in it.
fn store(pieces: &[&[u8]], out: &mut Vec<u8>) {
    out.reserve(stored_length(pieces));
    pieces.iter().for_each(|piece| store_part(piece, out));
    store_block(&[], 1, out);
}

/// A piece as it is, with more to follow.
fn store_part(piece: &[u8], out: &mut Vec<u8>) {
    piece.chunks(BLOCK).for_each(|block| store_block(block, 0, out));
}

fn store_block(block: &[u8], last: u8, out: &mut Vec<u8>) {
    let [low, high] = (block.len() as u16).to_le_bytes();
    out.extend_from_slice(&[last, low, high, !low, !high]);
    out.extend_from_slice(block);
}

/// What that comes to.
fn stored_length(pieces: &[&[u8]]) -> usize {
    pieces.iter().map(|piece| piece.len() + 5 * piece.len().div_ceil(BLOCK)).sum::<usize>() + 5
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::record::About;

    #[test]
    fn what_was_packed_comes_back_whatever_its_size() {
        for size in [0usize, 1, 4095, 4096, 65_535, 200_000] {
            let body: Vec<u8> = (0..size).map(|n| (n * 7919 % 251) as u8).collect();
            for how in [Compression::Gzip(0), Compression::Gzip(1), Compression::Gzip(6), Compression::Zstd(1)] {
                let mut packer = Packer::new(how);
                for dense in [false, true, false] {
                    let (mut out, mut back) = (Vec::new(), Vec::new());
                    let about = About::new(Some("http://a.test/"), 1, b"");
                    let record = Record::new("resource", &about, [b"begin", &body]);
                    let length = packer.pack(record, "text/html", dense, &mut out).unwrap();
                    assert_eq!(length, out.len() as u64);
                    match how {
                        Compression::Gzip(_) => {
                            flate2::read::GzDecoder::new(out.as_slice()).read_to_end(&mut back).unwrap();
                        }
                        Compression::Zstd(_) => back = zstd::decode_all(out.as_slice()).unwrap(),
                    }
                    let block = [&b"\r\n\r\nbegin"[..], &body, b"\r\n\r\n"].concat();
                    assert!(back.ends_with(&block) && back.len() > size + 200, "{how:?} {size}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_get_shorter_is_stored() {
        let mut seed = 1u32;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        })
        .take(100_000)
        .collect();
        for level in [0, 1, 6, 9] {
            let (mut packer, mut out, mut back) = (Packer::new(Compression::Gzip(level)), Vec::new(), Vec::new());
            let record = Record::new("resource", &About::new(None, 1, b""), [&[], &noise]);
            packer.pack(record, "text/html", false, &mut out).unwrap();
            flate2::read::GzDecoder::new(out.as_slice()).read_to_end(&mut back).unwrap();
            assert!(out.len() <= back.len() + 64, "{} of {}", out.len(), back.len());
        }
    }
}
