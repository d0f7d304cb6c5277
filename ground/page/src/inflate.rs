//! What was the body before it was compressed?
//!
//! `Content-Encoding` by RFC 9110 (8.4): gzip (RFC 1952, any number of members), deflate (RFC 1950, or the bare RFC
//! 1951 that some servers send), br (RFC 7932), zstd (RFC 8878, windows up to 8 MiB as RFC 9659 demands).
//!
//! Decoding stops at `cap` bytes, whatever the stream would become: cost and memory are linear in body and cap, plus a
//! window of at most 16 MiB for br and 8 MiB for zstd. Damage is a flag, and what was decoded before it is kept.

use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::Read;

/// A body after decompression, as far as that went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inflated {
    /// The bytes, as far as they could be had.
    pub bytes: Vec<u8>,
    /// There would have been more than the cap.
    pub cut: bool,
    /// The stream is damaged, ends too early, or is coded in a way we do not know.
    pub broken: bool,
}

/// More codings in a row than this are no honest answer.
const CODINGS: usize = 3;

/// The largest zstd window a server may ask for on the web (RFC 9659): 8 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Bytes that are asked of a decoder at once.
const PIECE: usize = 16 * 1024;

/// So many gzip members are read whatever their size, and one more for each so many bytes of body: starting a member
/// costs as much as decoding a few kilobytes, and 20 bytes are enough to ask for it.
const MEMBERS: usize = 1000;
const MEMBER_BYTES: usize = 1024;

#[derive(Clone, Copy)]
enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// The codings of a body, where its server can be believed: some say gzip and send the page as it is.
pub fn true_coding<'a>(said: &'a str, body: &[u8]) -> &'a str {
    let is_gzip = said.trim().eq_ignore_ascii_case("gzip") || said.trim().eq_ignore_ascii_case("x-gzip");
    if is_gzip && !body.starts_with(&[0x1f, 0x8b]) { "" } else { said }
}

/// Undoes the codings that the header names, the last one first, up to `cap` bytes.
///
/// A coding we do not know, or too many, leave the body as it is and mark it broken.
pub fn inflate(body: Vec<u8>, content_encoding: &str, cap: u64) -> Inflated {
    let cap = usize::try_from(cap).unwrap_or(usize::MAX);
    let named = content_encoding.split(',').map(str::trim);
    let real = named.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
    let mut codings = Vec::new();
    for name in real {
        match coding(name) {
            Some(coding) if codings.len() < CODINGS => codings.push(coding),
            _ => return cut(Inflated { bytes: body, broken: true, cut: false }, cap),
        }
    }
    let mut whole = Inflated { bytes: body, ..Inflated::default() };
    while let Some(coding) = codings.pop() {
        if whole.bytes.is_empty() {
            break; // An answer without a body may still name the coding of the one it does not have.
        }
        let Inflated { bytes, cut, broken } = decode(&whole.bytes, coding, cap);
        // A stream that we cut ourselves is not the server's fault.
        whole = Inflated { bytes, cut: whole.cut || cut, broken: whole.broken || (broken && !whole.cut) };
    }
    cut(whole, cap)
}

/// Undoes gzip alone, for bodies that are files of that kind.
pub(crate) fn gunzip(body: &[u8], cap: u64) -> Inflated {
    decode(body, Coding::Gzip, usize::try_from(cap).unwrap_or(usize::MAX))
}

fn coding(name: &str) -> Option<Coding> {
    const NAMES: [(&str, Coding); 6] = [
        ("gzip", Coding::Gzip),
        ("x-gzip", Coding::Gzip),
        ("deflate", Coding::Deflate),
        ("br", Coding::Brotli),
        ("zstd", Coding::Zstd),
        ("x-deflate", Coding::Deflate),
    ];
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, coding)| *coding)
}

fn decode(body: &[u8], coding: Coding, cap: usize) -> Inflated {
    match coding {
        Coding::Gzip => gzip(body, cap),
        Coding::Deflate => deflate(body, cap),
        Coding::Brotli => drain(brotli_decompressor::Decompressor::new(body, 16 * 1024), cap),
        Coding::Zstd => {
            // A frame that is there as a whole is decoded as a whole or not at all. Its last byte comes later, so what stands before damage is
            // had.
            let (most, last) = body.split_at(body.len().saturating_sub(1));
            let decoder = zstd::stream::read::Decoder::with_buffer(most.chain(last));
            let limited = decoder.and_then(|mut decoder| decoder.window_log_max(ZSTD_WINDOW_LOG).map(|()| decoder));
            limited.map_or(Inflated { broken: true, ..Inflated::default() }, |decoder| drain(decoder, cap))
        }
    }
}

/// Takes at most `cap` bytes, in pieces whose size the cap has no say in: it would decide how much of a damaged stream is had.
fn drain(mut reader: impl Read, cap: usize) -> Inflated {
    let mut whole = Inflated::default();
    let mut piece = vec![0; PIECE];
    while whole.bytes.len() <= cap {
        match reader.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => whole.bytes.extend_from_slice(&piece[..count]),
            Err(_) => {
                whole.broken = true;
                break;
            }
        }
    }
    cut(whole, cap)
}

/// Drops what is beyond the cap.
fn cut(mut whole: Inflated, cap: usize) -> Inflated {
    if whole.bytes.len() > cap {
        whole.bytes.truncate(cap);
        whole.cut = true;
    }
    whole
}

/// One member after the other. What follows the last and is none itself is ignored, as gzip and browsers do.
fn gzip(body: &[u8], cap: usize) -> Inflated {
    let mut whole = Inflated::default();
    let mut rest = body;
    let mut stream = Decompress::new(false);
    let mut members = MEMBERS + body.len() / MEMBER_BYTES;
    while rest.starts_with(&[0x1f, 0x8b]) || rest.len() == body.len() {
        let Some(data) = after_header(rest).filter(|_| members > 0) else {
            whole.broken = true;
            break;
        };
        members -= 1;
        let from = whole.bytes.len();
        stream.reset(false);
        let Some(trailer) = run(&mut stream, data, cap, &mut whole) else { break };
        let mut crc = Crc::new();
        crc.update(&whole.bytes[from..]);
        let said = trailer.first_chunk::<8>();
        if said.is_none_or(|said| said[..4] != crc.sum().to_le_bytes() || said[4..] != crc.amount().to_le_bytes()) {
            whole.broken = true;
            break;
        }
        rest = &trailer[8..];
    }
    whole
}

/// What follows the header of a gzip member (RFC 1952, 2.3).
fn after_header(member: &[u8]) -> Option<&[u8]> {
    let (&[0x1f, 0x8b, 8, flags, ..], mut rest) = member.split_first_chunk::<10>()? else { return None };
    if flags & 4 != 0 {
        let (bytes, extra) = rest.split_first_chunk::<2>()?;
        rest = extra.get(usize::from(u16::from_le_bytes(*bytes))..)?;
    }
    for text in [8, 16] {
        if flags & text != 0 {
            rest = &rest[memchr::memchr(0, rest)? + 1..];
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

/// Wrapped in zlib as the standard says; if that gives nothing, bare.
fn deflate(body: &[u8], cap: usize) -> Inflated {
    let mut whole = Inflated::default();
    run(&mut Decompress::new(true), body, cap, &mut whole);
    if whole.broken && whole.bytes.is_empty() {
        let mut bare = Inflated::default();
        run(&mut Decompress::new(false), body, cap, &mut bare);
        return bare;
    }
    whole
}

/// Decodes one stream to the end of `whole`; gives what follows it, or nothing if it was cut or broken.
fn run<'a>(stream: &mut Decompress, body: &'a [u8], cap: usize, whole: &mut Inflated) -> Option<&'a [u8]> {
    loop {
        let rest = &body[usize::try_from(stream.total_in()).unwrap_or(usize::MAX).min(body.len())..];
        if whole.bytes.len() == whole.bytes.capacity() {
            // Room for twice as much, but never more than one byte beyond the cap.
            let room = (cap - whole.bytes.len())
                .saturating_add(1)
                .min(whole.bytes.len().max(4 * rest.len().min(65536)).max(512));
            whole.bytes.reserve_exact(room);
        }
        let before = (stream.total_in(), whole.bytes.len());
        let status = stream.decompress_vec(rest, &mut whole.bytes, FlushDecompress::None);
        if whole.bytes.len() > cap {
            whole.bytes.truncate(cap);
            whole.cut = true;
            return None;
        }
        let stuck = before == (stream.total_in(), whole.bytes.len());
        match status {
            Ok(Status::StreamEnd) => {
                return Some(&body[usize::try_from(stream.total_in()).unwrap_or(usize::MAX).min(body.len())..]);
            }
            Ok(_) if !stuck || whole.bytes.len() == whole.bytes.capacity() => {}
            _ => {
                whole.broken = true;
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests;
