//! Any bytes as an archive: read to the end, never beyond the bounds, and every record that was shown is found again at its place.
//! The bytes are the file itself.

use std::io::Cursor;
use std::ops::ControlFlow;

use groma_archive::{Bounds, Reader, http, zip};

pub fn warc(data: &[u8]) {
    let bounds = Bounds { head: 4096, block: 1 << 20, keep: 1 << 16 };
    let mut shown = Vec::new();
    let read = Reader::new(Cursor::new(data), bounds).each(&mut |found| {
        if let Ok(record) = found {
            assert!(record.block.len() as u64 <= bounds.keep.min(record.block_length));
            let answer = http::answer(&record.block);
            assert!(answer.body.len() <= record.block.len());
            shown.push((record.offset, record.inner, record.block));
        }
        if shown.len() < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(read.is_ok(), "bytes in memory can always be read");
    for (offset, inner, block) in shown {
        let again = Reader::new(Cursor::new(data), bounds).at(offset, inner);
        assert_eq!(again.ok().flatten().map(|record| record.block), Some(block));
    }
    let mut input = Cursor::new(data);
    for entry in zip::entries(&mut input).unwrap_or_default().iter().take(100) {
        let _ = entry.read(&mut input, 1 << 16);
    }
}
