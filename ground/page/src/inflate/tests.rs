//! Bodies coded by the encoders we have, whole, damaged and hostile.

use super::*;
use flate2::{Compression, write};
use proptest::prelude::*;
use std::{io::Write, time::Instant};

const CAP: u64 = 1 << 20;

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut out = write::GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zlibbed(bytes: &[u8]) -> Vec<u8> {
    let mut out = write::ZlibEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = write::DeflateEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstded(bytes: &[u8]) -> Vec<u8> {
    zstd::stream::encode_all(bytes, 3).unwrap()
}

fn whole(bytes: &[u8]) -> Inflated {
    Inflated { bytes: bytes.to_vec(), cut: false, broken: false }
}

fn text() -> Vec<u8> {
    (0..20_000u32).flat_map(|n| format!("line {} of {}\n", n * n % 977, n).into_bytes()).collect()
}

/// A brotli stream without an encoder: stored blocks (RFC 7932, 9.2, ISUNCOMPRESSED).
fn brotli_stored(bytes: &[u8]) -> Vec<u8> {
    // WBITS = 16: one zero bit. Then for each block: ISLAST 0, MNIBBLES 4 (00), MLEN - 1 in 16 bits, ISUNCOMPRESSED 1,
    // zero bits up to a byte; at last ISLAST 1, ISLASTEMPTY 1.
    let mut out = Vec::new();
    for (number, block) in bytes.chunks(65536).enumerate() {
        let shift = u32::from(number == 0);
        let bits = ((block.len() as u32 - 1) << 3 | 1 << 19) << shift;
        out.extend(&bits.to_le_bytes()[..3]);
        out.extend(block);
    }
    out.push(if bytes.is_empty() { 0b110 } else { 0b11 });
    out
}

#[test]
fn identity_is_the_same_allocation() {
    let body = b"as it is".to_vec();
    let place = body.as_ptr();
    let inflated = inflate(body, " Identity ,", CAP);
    assert_eq!(inflated, whole(b"as it is"));
    assert_eq!(inflated.bytes.as_ptr(), place);
}

#[test]
fn every_coding_gives_the_text_back() {
    let text = text();
    for (body, header) in [
        (gzipped(&text), "gzip"),
        (gzipped(&text), "X-GZip"),
        (zlibbed(&text), "deflate"),
        (deflated(&text), "Deflate"),
        (zstded(&text), "zstd"),
        (brotli_stored(&text), "br"),
        (zstded(&gzipped(&text)), "gzip, identity, ZSTD"),
        (zlibbed(&deflated(&gzipped(&text))), "gzip,deflate ,deflate"),
    ] {
        assert_eq!(inflate(body, header, CAP), whole(&text), "{header}");
    }
}

#[test]
fn a_compressed_brotli_body_is_read() {
    // Ten X, ten Y, with prefix codes and a copy.
    let body = [0x1b, 0x13, 0x00, 0x00, 0xa4, 0xb0, 0xb2, 0xea, 0x81, 0x47, 0x02, 0x8a];
    assert_eq!(inflate(body.to_vec(), "br", CAP), whole(b"XXXXXXXXXXYYYYYYYYYY"));
}

#[test]
fn members_follow_each_other_and_rubbish_behind_them_is_ignored() {
    let mut body = gzipped(b"one ");
    body.extend(gzipped(b""));
    body.extend(gzipped(b"two"));
    assert_eq!(inflate(body.clone(), "gzip", CAP), whole(b"one two"));
    body.extend(b"\0\0\0rubbish");
    assert_eq!(inflate(body, "gzip", CAP), whole(b"one two"));
    let frames = [zstded(b"one "), zstded(b"two")].concat();
    assert_eq!(inflate(frames, "zstd", CAP), whole(b"one two"));
}

#[test]
fn optional_fields_of_a_gzip_header_are_skipped() {
    let plain = gzipped(b"text");
    let mut body = plain[..3].to_vec();
    body.push(2 | 4 | 8 | 16);
    body.extend(&plain[4..10]);
    body.extend(b"\x03\0xyzname\0comment\0cc");
    body.extend(&plain[10..]);
    assert_eq!(inflate(body.clone(), "gzip", CAP), whole(b"text"));
    for end in 1..28 {
        assert!(inflate(body[..end].to_vec(), "gzip", CAP).broken, "header cut at {end}");
    }
}

#[test]
fn a_truncated_body_gives_what_there_is() {
    let text = text();
    for (body, header) in
        [(gzipped(&text), "gzip"), (zlibbed(&text), "deflate"), (zstded(&text), "zstd"), (brotli_stored(&text), "br")]
    {
        let inflated = inflate(body[..body.len() * 3 / 4].to_vec(), header, CAP);
        assert!(inflated.broken && !inflated.cut, "{header}");
        assert!(inflated.bytes.len() > text.len() / 4, "{header}: {}", inflated.bytes.len());
        assert!(text.starts_with(&inflated.bytes), "{header}");
    }
    let mut damaged = gzipped(&text);
    *damaged.last_mut().unwrap() ^= 1;
    let inflated = inflate(damaged, "gzip", CAP);
    assert!(inflated.broken && inflated.bytes == text, "a wrong length costs no text");
}

#[test]
fn what_is_not_coded_as_it_says_is_broken() {
    for header in ["gzip", "br", "zstd"] {
        let inflated = inflate(b"<html>plain after all</html>".to_vec(), header, CAP);
        assert!(inflated.broken, "{header}");
    }
    for header in ["compress", "gzip, rot13", "gzip,gzip,gzip,gzip"] {
        let expected = Inflated { bytes: b"raw".to_vec(), cut: false, broken: true };
        assert_eq!(inflate(b"raw".to_vec(), header, CAP), expected, "{header}");
    }
}

#[test]
fn an_empty_body_is_whole_in_any_coding() {
    for header in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
        assert_eq!(inflate(Vec::new(), header, CAP), whole(b""), "{header}");
    }
}

#[test]
fn the_cap_is_exact() {
    let text = text();
    let exact = text.len() as u64;
    for (body, header) in [
        (text.clone(), "identity"),
        (text.clone(), ""),
        (gzipped(&text), "gzip"),
        (zlibbed(&text), "deflate"),
        (zstded(&text), "zstd"),
        (brotli_stored(&text), "br"),
    ] {
        assert_eq!(inflate(body.clone(), header, exact), whole(&text), "{header}");
        assert_eq!(inflate(body.clone(), header, u64::MAX), whole(&text), "{header}");
        for cap in [exact - 1, 1000, 1, 0] {
            let inflated = inflate(body.clone(), header, cap);
            assert!(inflated.cut && !inflated.broken, "{header} {cap}");
            assert_eq!(inflated.bytes, text[..cap as usize], "{header} {cap}");
        }
    }
}

/// 64 MiB of zeros in 106 bytes of brotli.
const BROTLI_BOMB: &str = "cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3f\
     feffffc13f0110870500baf77ffcffff837f02200e0b0074effff8ffff07ff04401c1600e8defff1\
     ffff0ffe0980382c00d0bdffcbffff3ffc1300715800a07bff07";

#[test]
fn bombs_cost_their_cap_only() {
    let zeros = vec![0; 64 << 20];
    let start = Instant::now();
    let brotli: Vec<u8> =
        (0..BROTLI_BOMB.len()).step_by(2).map(|at| u8::from_str_radix(&BROTLI_BOMB[at..at + 2], 16).unwrap()).collect();
    let bombs = [
        (brotli, "br"),
        (gzipped(&zeros), "gzip"),
        (zstded(&zeros), "zstd"),
        (gzipped(&gzipped(&zeros)), "gzip, gzip"),
    ];
    println!("bombs made in {:?}", start.elapsed());
    for (bomb, header) in bombs {
        let (size, start) = (bomb.len(), Instant::now());
        let inflated = inflate(bomb, header, CAP);
        println!("{header}: {size} bytes, {:?}", start.elapsed());
        assert!(inflated.cut && !inflated.broken && inflated.bytes.len() as u64 == CAP, "{header}");
        assert!(inflated.bytes.capacity() as u64 <= 2 * CAP + 64, "{header}: {}", inflated.bytes.capacity());
    }
}

#[test]
fn a_zstd_window_beyond_eight_mebibytes_is_refused() {
    let zeros = vec![0; 20 << 20];
    let framed = |log: u32| {
        let mut out = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        out.window_log(log).unwrap();
        out.include_contentsize(false).unwrap();
        out.write_all(&zeros).unwrap();
        out.finish().unwrap()
    };
    assert!(!inflate(framed(23), "zstd", CAP).broken);
    let refused = inflate(framed(24), "zstd", CAP);
    assert!(refused.broken && refused.bytes.is_empty());
}

#[test]
fn a_body_of_tiny_members_stays_cheap() {
    let start = Instant::now();
    let frame = zstded(b"");
    assert_eq!(inflate(frame.repeat((4 << 20) / frame.len()), "zstd", CAP), whole(b""));
    println!("zstd: 4 MiB of empty frames: {:?}", start.elapsed());

    let start = Instant::now();
    let member = gzipped(b"x");
    let body = member.repeat((16 << 20) / member.len());
    let most = 1000 + body.len() / 1024;
    let inflated = inflate(body, "gzip", CAP);
    println!("gzip: 16 MiB of tiny members: {:?}", start.elapsed());
    assert!(inflated.broken);
    assert_eq!(inflated.bytes.len(), most);
    assert_eq!(inflate(member.repeat(1000), "gzip", CAP), whole(&[b'x'; 1000]));
}

proptest! {
    #[test]
    fn never_panics(
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
        header in "(gzip|br|zstd|deflate|identity|x|,| ){0,6}",
        cap in 0u64..600,
    ) {
        let inflated = inflate(bytes, &header, cap);
        prop_assert!(inflated.bytes.len() as u64 <= cap);
    }

    #[test]
    fn damage_anywhere_is_survived(at in any::<proptest::sample::Index>(), bit in 0u8..8, which in 0usize..4) {
        let text = text();
        let text = &text[..5000];
        let (mut body, header) = match which {
            0 => (gzipped(text), "gzip"),
            1 => (zlibbed(text), "deflate"),
            2 => (zstded(text), "zstd"),
            _ => (brotli_stored(text), "br"),
        };
        let at = at.index(body.len());
        body[at] ^= 1 << bit;
        let inflated = inflate(body, header, CAP);
        prop_assert!(inflated.bytes.len() as u64 <= CAP);
        prop_assert!(which != 0 || inflated.broken || inflated.bytes == text, "gzip knows its sum");
    }
}

#[test]
fn a_page_that_is_not_compressed_is_read_whatever_its_header_says() {
    assert_eq!(true_coding("gzip", b"<html>"), "");
    assert_eq!(true_coding("GZIP", &[0x1f, 0x8b, 8]), "GZIP");
    assert_eq!(true_coding("br", b"<html>"), "br");
}

#[test]
fn what_stands_before_damage_in_a_zstd_frame_is_had_whatever_the_cap() {
    // The content of the frame is known beforehand, and its checksum is wrong.
    let mut packer = zstd::bulk::Compressor::new(3).unwrap();
    packer.include_checksum(true).unwrap();
    let mut frame = packer.compress(b"all of this is right").unwrap();
    *frame.last_mut().unwrap() ^= 1;
    for cap in [1, 5, 20, 21, CAP] {
        let had = inflate(frame.clone(), "zstd", cap);
        let kept = usize::try_from(cap).unwrap().min(20);
        assert_eq!(had.bytes, b"all of this is right"[..kept], "{cap}");
        assert_eq!((had.cut, had.broken), (cap < 20, cap >= 20), "{cap}");
    }
}
