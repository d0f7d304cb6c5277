//! How the parts of a page are kept, at the end of its details; where a survey was made without them there is nothing.
//!
//! ```text
//! parts   = page type, confidence, content, hashes, links, paths, main      (lists: a count followed by the items)
//!   content = kind, confidence, text
//!   hashes  = the distinct paths, four bytes each
//!   link    = kind, confidence, place of its path in hashes
//!   path    = place in hashes
//!   main    = difference to the block before
//! ```

use std::collections::HashMap;

use groma_model::{LinkPart, PageType, Part, PartKind, Parts};

use crate::varint::{list, put, put_text, take, take_byte, take_text};

/// Puts the parts at the end of `out`.
pub(super) fn put_parts(out: &mut Vec<u8>, parts: &Parts) {
    out.extend([parts.page_type as u8, parts.confidence]);
    put(out, parts.content.len() as u64);
    for part in &parts.content {
        out.extend([part.kind as u8, part.confidence]);
        put_text(out, &part.text);
    }
    let mut places: HashMap<u32, u64> = HashMap::new();
    let mut hashes = Vec::new();
    for path in parts.links.iter().map(|link| link.path).chain(parts.paths.iter().copied()) {
        places.entry(path).or_insert_with(|| {
            hashes.push(path);
            hashes.len() as u64 - 1
        });
    }
    let place = |path: &u32| places.get(path).copied().unwrap_or(0);
    put(out, hashes.len() as u64);
    hashes.iter().for_each(|hash| out.extend(hash.to_le_bytes()));
    put(out, parts.links.len() as u64);
    for link in &parts.links {
        out.extend([link.kind as u8, link.confidence]);
        put(out, place(&link.path));
    }
    put(out, parts.paths.len() as u64);
    parts.paths.iter().for_each(|path| put(out, place(path)));
    put(out, parts.main.len() as u64);
    let mut before = 0;
    for &block in &parts.main {
        put(out, u64::from(block.saturating_sub(before)));
        before = block;
    }
}

/// Takes the parts; `None` if the bytes are damaged.
pub(super) fn take_parts(input: &mut &[u8]) -> Option<Parts> {
    let page_type = PageType::from_code(take_byte(input)?)?;
    let confidence = take_byte(input)?;
    let content = list(input, |i| {
        let (kind, confidence) = (PartKind::from_code(take_byte(i)?)?, take_byte(i)?);
        Some(Part { kind, confidence, text: take_text(i)?.to_string() })
    })?;
    let hashes = list(input, |i| {
        let (hash, rest) = i.split_first_chunk::<4>()?;
        *i = rest;
        Some(u32::from_le_bytes(*hash))
    })?;
    let path = |i: &mut &[u8]| hashes.get(usize::try_from(take(i)?).ok()?).copied();
    let links = list(input, |i| {
        let (kind, confidence) = (PartKind::from_code(take_byte(i)?)?, take_byte(i)?);
        Some(LinkPart { kind, confidence, path: path(i)? })
    })?;
    let paths = list(input, path)?;
    let mut before = 0u32;
    let main = list(input, |i| {
        before = before.checked_add(u32::try_from(take(i)?).ok()?)?;
        Some(before)
    })?;
    Some(Parts { page_type, confidence, content, links, paths, main })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_and_damage_gives_nothing() {
        let link = |kind, path| LinkPart { kind, confidence: 80, path };
        let parts = Parts {
            page_type: PageType::Article,
            confidence: 97,
            content: vec![
                Part { kind: PartKind::Title, text: "Über Grenzen".into(), confidence: 99 },
                Part { kind: PartKind::Keywords, text: String::new(), confidence: 0 },
            ],
            links: vec![link(PartKind::Menu, 7), link(PartKind::Noise, u32::MAX), link(PartKind::Menu, 7)],
            paths: vec![0, 7, 0],
            main: vec![0, 2, 900],
        };
        let mut bytes = Vec::new();
        put_parts(&mut bytes, &parts);
        assert_eq!(take_parts(&mut bytes.as_slice()), Some(parts));
        for end in 0..bytes.len() {
            assert_eq!(take_parts(&mut &bytes[..end]), None, "cut at {end}");
        }
    }
}
