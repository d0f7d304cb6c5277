//! The attributes of a tag, by the states of the standard's tokenizer from "before attribute name" on.

/// An attribute as it stands in the page: its name as it is written, its value with references in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written<'p> {
    pub(super) name: &'p str,
    pub(super) value: &'p str,
}

/// Where a tag ends.
pub(super) struct TagEnd {
    /// The byte behind its `>`.
    pub(super) at: usize,
    pub(super) closes_itself: bool,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ')
}

/// Reads the attributes behind the name of a tag. Nothing if the page ends within the tag.
pub(super) fn read<'p>(page: &'p str, mut at: usize, to: &mut Vec<Written<'p>>) -> Option<TagEnd> {
    let bytes = page.as_bytes();
    to.clear();
    loop {
        let byte = *bytes.get(at)?;
        match byte {
            byte if is_blank(byte) => at += 1,
            b'>' => return Some(TagEnd { at: at + 1, closes_itself: false }),
            b'/' if *bytes.get(at + 1)? == b'>' => return Some(TagEnd { at: at + 2, closes_itself: true }),
            b'/' => at += 1,
            _ => at = one(page, at, to)?,
        }
    }
}

fn one<'p>(page: &'p str, start: usize, to: &mut Vec<Written<'p>>) -> Option<usize> {
    let bytes = page.as_bytes();
    let mut at = start + 1;
    while !matches!(*bytes.get(at)?, b'/' | b'>' | b'=') && !is_blank(bytes[at]) {
        at += 1;
    }
    let name = page.get(start..at)?;
    while is_blank(*bytes.get(at)?) {
        at += 1;
    }
    if bytes[at] != b'=' {
        to.push(Written { name, value: "" });
        return Some(at);
    }
    at += 1;
    while is_blank(*bytes.get(at)?) {
        at += 1;
    }
    let (from, end, next) = match bytes[at] {
        quote @ (b'"' | b'\'') => {
            let end = at + 1 + bytes[at + 1..].iter().position(|byte| *byte == quote)?;
            (at + 1, end, end + 1)
        }
        b'>' => (at, at, at),
        _ => {
            let end = at + bytes[at..].iter().position(|byte| *byte == b'>' || is_blank(*byte))?;
            (at, end, end)
        }
    };
    to.push(Written { name, value: page.get(from..end)? });
    Some(next)
}
