//! What details gained over time: sections between the anchors and the parts, each of which a reader may pass over.
//!
//! ```text
//! section = tag (a byte from 0xf0 on), length, so many bytes
//! ```
//!
//! Parts begin with the type of the page, a small number, so the first byte that is none of these tags is theirs. Tags are kept in
//! stores: never give one out twice.

use crate::varint::{pass_text, put, take_byte};

/// What the markup and the answer's header showed.
pub(super) const MARKUP: u8 = 0xfe;
/// The structured data of the page.
pub(super) const STRUCTURED: u8 = 0xfd;

const FIRST: u8 = 0xf0;

/// Puts a section at the end of `out`.
pub(super) fn put_section(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Takes all sections; `None` if the bytes are damaged.
pub(super) fn take_sections(input: &mut &[u8], mut call: impl FnMut(u8, &[u8]) -> Option<()>) -> Option<()> {
    while input.first().is_some_and(|tag| *tag >= FIRST) {
        let tag = take_byte(input)?;
        call(tag, pass_text(input)?)?;
    }
    Some(())
}
