//! How large is a picture, by the first bytes of its file?
//!
//! PNG, JPEG, GIF, WebP, AVIF, BMP, ICO and SVG; nothing is decoded. The formats are told by their marks, not by what a
//! server calls them. Cost: linear in the bytes at worst (the segments of a JPEG, the boxes of an AVIF). Not guaranteed:
//! that the rest of the file keeps what its header promises; a JPEG whose size stands behind the bytes that were read
//! has none.

use flate2::Crc;

use crate::xml;

/// What a PNG begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The measure of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// The measure of a picture; nothing if these are not the first bytes of one.
pub fn measure(bytes: &[u8]) -> Option<Measure> {
    let (width, height) = if bytes.starts_with(PNG) {
        (bytes.get(12..16) == Some(b"IHDR")).then_some(())?;
        (big32(bytes, 16)?, big32(bytes, 20)?)
    } else if bytes.starts_with(b"GIF8") {
        (little16(bytes, 6)?, little16(bytes, 8)?)
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        jpeg(bytes)?
    } else if bytes.starts_with(b"BM") {
        bmp(bytes)?
    } else if bytes.starts_with(b"\0\0\x01\0") {
        icon(bytes)?
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        webp(bytes)?
    } else if bytes.get(4..8) == Some(b"ftyp") {
        avif(bytes)?
    } else {
        svg(bytes)?
    };
    (width > 0 && height > 0).then_some(Measure { width, height })
}

/// Is this a PNG, and as it was written? Every chunk has a CRC of its kind and its contents, and the last one says that it is the last
/// (ISO/IEC 15948, 5.3), so no part of the file can change unnoticed.
pub fn is_whole_png(bytes: &[u8]) -> bool {
    let Some(mut rest) = bytes.strip_prefix(PNG) else { return false };
    while let Some((chunk, after)) = png_chunk(rest) {
        if chunk.starts_with(b"IEND") {
            return after.is_empty();
        }
        rest = after;
    }
    false
}

/// The kind and contents of a chunk that is as it was written, and what follows it.
fn png_chunk(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(big32(bytes, 0)?).ok()?;
    let (chunk, rest) = bytes[4..].split_at_checked(length.checked_add(4)?)?;
    let (said, after) = rest.split_first_chunk::<4>()?;
    let mut crc = Crc::new();
    crc.update(chunk);
    (crc.sum() == u32::from_be_bytes(*said)).then_some((chunk, after))
}

fn big16(bytes: &[u8], at: usize) -> Option<u32> {
    let pair = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u32::from(u16::from_be_bytes(*pair)))
}

fn big32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|four| u32::from_be_bytes(*four))
}

fn little16(bytes: &[u8], at: usize) -> Option<u32> {
    let pair = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u32::from(u16::from_le_bytes(*pair)))
}

fn little32(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk::<4>().map(|four| u32::from_le_bytes(*four))
}

/// Segment by segment up to the frame header (SOF0 to SOF15, without the tables among them).
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        while bytes.get(at)? != &0xff {
            at += 1;
        }
        while bytes.get(at)? == &0xff {
            at += 1;
        }
        let mark = bytes[at];
        at += 1;
        match mark {
            0xc0..=0xcf if !matches!(mark, 0xc4 | 0xc8 | 0xcc) => {
                return Some((big16(bytes, at + 5)?, big16(bytes, at + 3)?));
            }
            0xd9 | 0xda => return None,
            0 | 1 | 0xd0..=0xd8 => {}
            _ => at += big16(bytes, at)?.max(2) as usize,
        }
    }
}

fn bmp(bytes: &[u8]) -> Option<(u32, u32)> {
    match little32(bytes, 14)? {
        12 => Some((little16(bytes, 18)?, little16(bytes, 20)?)),
        // A height below zero means that rows run from the top.
        40.. => Some((little32(bytes, 18)?, little32(bytes, 22)?.cast_signed().unsigned_abs())),
        _ => None,
    }
}

/// The largest picture of an icon; 0 stands for 256.
fn icon(bytes: &[u8]) -> Option<(u32, u32)> {
    let count = little16(bytes, 4)? as usize;
    let entries = bytes.get(6..)?.chunks_exact(16).take(count);
    let side = |byte: u8| if byte == 0 { 256 } else { u32::from(byte) };
    entries.map(|entry| (side(entry[0]), side(entry[1]))).max_by_key(|(width, height)| width * height)
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    let little24 = |at: usize| Some(little16(bytes, at)? | u32::from(*bytes.get(at + 2)?) << 16);
    match bytes.get(12..16)? {
        b"VP8X" => Some((little24(24)? + 1, little24(27)? + 1)),
        b"VP8L" => {
            let bits = little32(bytes, 21)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => Some((little16(bytes, 26)? & 0x3fff, little16(bytes, 28)? & 0x3fff)),
        _ => None,
    }
}

/// The largest `ispe` of `meta/iprp/ipco`.
fn avif(bytes: &[u8]) -> Option<(u32, u32)> {
    let brands = bytes.get(8..big32(bytes, 0)? as usize).unwrap_or_default();
    let known = brands.chunks_exact(4).any(|brand| matches!(brand, b"avif" | b"avis" | b"mif1" | b"heic"));
    let meta = boxes(bytes, b"meta").next().filter(|_| known)?.get(4..)?;
    let properties = boxes(boxes(meta, b"iprp").next()?, b"ipco").next()?;
    let sizes = boxes(properties, b"ispe").filter_map(|ispe| Some((big32(ispe, 4)?, big32(ispe, 8)?)));
    sizes.max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
}

/// The contents of the boxes of a name, among boxes that lie end to end. A box that was cut counts as far as it goes.
fn boxes<'a>(bytes: &'a [u8], name: &'static [u8; 4]) -> impl Iterator<Item = &'a [u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let length = big32(rest, 0)? as usize;
        let found = rest.get(4..8)?;
        let length = if length == 0 { rest.len() } else { length };
        if length < 8 {
            rest = &[];
            return None;
        }
        let content = rest.get(8..length).unwrap_or(&rest[8..]);
        rest = rest.get(length..).unwrap_or_default();
        Some((found, content))
    })
    .filter(move |(found, _)| found == name)
    .map(|(_, content)| content)
}

/// `width` and `height` of the root in pixels, else the last two numbers of its `viewBox`.
fn svg(bytes: &[u8]) -> Option<(u32, u32)> {
    let text = xml::decoded(bytes);
    let mut found = None;
    xml::walk(&text, |step| {
        if let xml::XmlEvent::Start { tag, .. } = step {
            if tag.local_name().as_ref() == "svg" {
                let side = |name| xml::attribute(tag, name).and_then(|value| pixels(&value));
                let view = xml::attribute(tag, "viewBox").unwrap_or_default();
                let mut view = view.split([' ', ',']).filter(|part| !part.is_empty()).skip(2).map(pixels);
                let (wide, high) = (view.next().flatten(), view.next().flatten());
                found = side("width").or(wide).zip(side("height").or(high));
            }
            return false;
        }
        true
    });
    found
}

/// A length of SVG in pixels, rounded; nothing for shares and for units that hang on a font.
fn pixels(text: impl AsRef<str>) -> Option<u32> {
    let text = text.as_ref().trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let scale = match text[end..].trim() {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" => 16.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        _ => return None,
    };
    let rounded = (number * scale).round();
    (1.0..=f64::from(u32::MAX)).contains(&rounded).then_some(rounded as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sized(width: u32, height: u32) -> Option<Measure> {
        Some(Measure { width, height })
    }

    #[test]
    fn a_flipped_bit_of_a_png_is_noticed_wherever_it_is() {
        let chunk = |kind: &[u8; 4], data: &[u8]| {
            let body = [&kind[..], data].concat();
            let mut crc = Crc::new();
            crc.update(&body);
            [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], &body, &crc.sum().to_be_bytes()].concat()
        };
        let header = [0, 0, 0, 2, 0, 0, 0, 1, 8, 0, 0, 0, 0];
        let whole =
            [PNG, &chunk(b"IHDR", &header), &chunk(b"IDAT", b"\x78\x9c a picture"), &chunk(b"IEND", b"")].concat();
        assert!(is_whole_png(&whole) && measure(&whole) == Some(Measure { width: 2, height: 1 }));
        for bit in 0..whole.len() * 8 {
            let mut other = whole.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_whole_png(&other), "bit {bit}");
        }
        assert!((0..whole.len()).all(|length| !is_whole_png(&whole[..length])));
        assert!(!is_whole_png(&[&whole[..], b"x"].concat()));
    }

    #[test]
    fn every_format_tells_its_size() {
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &640u32.to_be_bytes(), &480u32.to_be_bytes()].concat();
        assert_eq!(measure(&png), sized(640, 480));
        assert_eq!(measure(b"GIF89a\x10\0\x20\0"), sized(16, 32));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04xx\xff\xff\xc2\0\x11\x08\x01\x02\x03\x04\x03";
        assert_eq!(measure(jpeg), sized(0x304, 0x102));
        let mut bmp = b"BM".to_vec();
        bmp.extend([0; 12]);
        bmp.extend([40u32, 7, (-9i32).cast_unsigned()].iter().flat_map(|n| n.to_le_bytes()));
        assert_eq!(measure(&bmp), sized(7, 9));
        let icon = [&b"\0\0\x01\0\x02\0"[..], &[16, 16], &[0; 14], &[0, 0], &[0; 14]].concat();
        assert_eq!(measure(&icon), sized(256, 256));
        let mut lossy = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a".to_vec();
        lossy.extend([0x40, 1, 0xf0, 0]);
        assert_eq!(measure(&lossy), sized(320, 240));
        let mut lossless = b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f".to_vec();
        lossless.extend((99u32 | 49 << 14).to_le_bytes());
        assert_eq!(measure(&lossless), sized(100, 50));
        let extended = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x1f\x03\0\x57\x02\0";
        assert_eq!(measure(extended), sized(800, 600));
    }

    #[test]
    fn boxes_lead_to_the_size_of_an_avif() {
        let boxed =
            |name: &[u8], content: &[u8]| [&(content.len() as u32 + 8).to_be_bytes()[..], name, content].concat();
        let ispe = |w: u32, h: u32| boxed(b"ispe", &[&[0; 4][..], &w.to_be_bytes(), &h.to_be_bytes()].concat());
        let properties = boxed(b"ipco", &[ispe(64, 64), ispe(1200, 800)].concat());
        let meta = boxed(b"meta", &[&[0; 4][..], &boxed(b"hdlr", &[0; 9]), &boxed(b"iprp", &properties)].concat());
        let file = [boxed(b"ftyp", b"avif\0\0\0\0mif1"), meta].concat();
        assert_eq!(measure(&file), sized(1200, 800));
        assert_eq!(measure(&boxed(b"ftyp", b"isom\0\0\0\0mp42")), None);
    }

    #[test]
    fn drawings_tell_their_size_in_units_or_by_their_view() {
        for (text, size) in [
            ("<?xml version='1.0'?><!-- x --><svg width='20px' height='1in'/>", sized(20, 96)),
            ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 30,40.4'>", sized(30, 40)),
            ("<svg width='100%' viewBox='0 0 30 40' height='50'>", sized(30, 50)),
            ("<svg>", None),
            ("<html>", None),
            ("", None),
        ] {
            assert_eq!(measure(text.as_bytes()), size, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_looked_at(mark in 0usize..9, bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let marks: [&[u8]; 9] = [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"\xff\xd8\xff", b"BM", b"\0\0\x01\0",
                b"RIFF\0\0\0\0WEBPVP8", b"\0\0\0\x10ftypavif\0\0\0\0", b"<svg "];
            measure(&[marks[mark], &bytes].concat());
        }
    }
}
