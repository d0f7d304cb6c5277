//! How does a PDF get onto a stream? Object by object, with only a table of where they are kept in memory.
//!
//! Rule: an object is written as soon as it is complete and forgotten but for its place; small dictionaries that come in crowds
//! (pages with their links) go compressed into object streams; the cross-reference stream at the end names every place.
//! Source: ISO 32000-1, 7.5.7 (object streams) and 7.5.8 (cross-reference streams). Cost: 16 bytes of memory an object.
//! Not guaranteed: that every number referred to was written; one that was not is listed as free, which readers take for null.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::{Chunk, Finish, Name, Ref, Settings, Stream};

/// The version of the format and four bytes that say "this is not text".
const HEADER: &[u8] = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n";

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    /// Not written yet.
    Free,
    /// At this byte of the file.
    At(u64),
    /// In this object stream, so many objects from its start.
    Inside(u32, u16),
}

/// A PDF file being written.
pub(super) struct Body<'o> {
    out: &'o mut dyn Write,
    written: u64,
    spots: Vec<Spot>,
}

impl<'o> Body<'o> {
    /// Writes the header.
    pub(super) fn begin(out: &'o mut dyn Write) -> io::Result<Body<'o>> {
        let mut body = Body { out, written: 0, spots: vec![Spot::Free] };
        body.bytes(HEADER)?;
        Ok(body)
    }

    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn note(&mut self, id: Ref, spot: Spot) {
        let at = id.get() as usize;
        if self.spots.len() <= at {
            self.spots.resize(at + 1, Spot::Free);
        }
        self.spots[at] = spot;
    }

    /// Writes one object; `write` must write the object with this number and no other.
    pub(super) fn object(&mut self, id: Ref, write: impl FnOnce(&mut Chunk)) -> io::Result<()> {
        let mut chunk = fresh();
        write(&mut chunk);
        self.note(id, Spot::At(self.written));
        self.bytes(chunk.as_bytes())
    }

    /// Writes a stream, compressed; `more` adds to its dictionary.
    pub(super) fn stream(&mut self, id: Ref, data: &[u8], more: impl FnOnce(&mut Stream<'_>)) -> io::Result<()> {
        let packed = deflated(data)?;
        self.object(id, |chunk| {
            let mut stream = chunk.stream(id, &packed);
            stream.filter(pdf_writer::Filter::FlateDecode);
            more(&mut stream);
        })
    }

    /// Writes an object that is no stream into an object stream of its own, compressed.
    pub(super) fn compressed(&mut self, stream: Ref, id: Ref, write: impl FnOnce(&mut Chunk)) -> io::Result<()> {
        let mut chunk = fresh();
        write(&mut chunk);
        let mut data = format!("{} 0 ", id.get()).into_bytes();
        let first = data.len() as i32;
        data.extend_from_slice(bare(chunk.as_bytes()));
        self.note(id, Spot::Inside(stream.get() as u32, 0));
        self.stream(stream, &data, |dictionary| {
            dictionary.pair(Name(b"Type"), Name(b"ObjStm")).pair(Name(b"N"), 1).pair(Name(b"First"), first);
        })
    }

    /// Ends the file: the table of places, the way to the catalog, and where the table is.
    pub(super) fn end(mut self, id: Ref, root: Ref, info: Ref) -> io::Result<()> {
        let start = self.written;
        self.note(id, Spot::At(start));
        let mut table = Vec::with_capacity(self.spots.len() * 8);
        for spot in &self.spots {
            let (kind, place, rest) = match *spot {
                Spot::Free => (0, 0, u16::MAX),
                Spot::At(byte) => (1, byte, 0),
                Spot::Inside(stream, index) => (2, u64::from(stream), index),
            };
            table.push(kind);
            table.extend_from_slice(&place.to_be_bytes()[3..]);
            table.extend_from_slice(&rest.to_be_bytes());
        }
        let count = self.spots.len() as i32;
        self.stream(id, &table, |dictionary| {
            dictionary.pair(Name(b"Type"), Name(b"XRef")).pair(Name(b"Size"), count);
            dictionary.insert(Name(b"W")).array().items([1, 5, 2]).finish();
            dictionary.pair(Name(b"Root"), root).pair(Name(b"Info"), info);
        })?;
        let tail = format!("startxref\n{start}\n%%EOF\n");
        self.bytes(tail.as_bytes())?;
        self.out.flush()
    }
}

fn fresh() -> Chunk {
    Chunk::with_settings(Settings { pretty: false })
}

fn deflated(data: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(data.len() / 4 + 64), Compression::new(5));
    encoder.write_all(data)?;
    encoder.finish()
}

/// The object without the words around it: `7 0 obj` in front and `endobj` behind.
fn bare(object: &[u8]) -> &[u8] {
    let from = object.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let object = object[from..].trim_ascii_end();
    object.strip_suffix(b"endobj").unwrap_or(object).trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdf_writer::writers::Catalog;

    #[test]
    fn an_object_is_taken_out_of_its_frame() {
        assert_eq!(bare(b"7 0 obj\n<</A 1>>\nendobj\n"), b"<</A 1>>");
        assert_eq!(bare(b"7 0 obj\n<</A 1>>\nendobj\n\n"), b"<</A 1>>");
    }

    #[test]
    fn every_object_is_found_again_wherever_it_was_put() {
        let mut out = Vec::new();
        let mut body = Body::begin(&mut out).unwrap();
        let id = Ref::new;
        body.stream(id(5), b"some content", |_| {}).unwrap();
        body.compressed(id(7), id(3), |chunk| {
            chunk.indirect(id(3)).dict().pair(Name(b"Answer"), 42);
        })
        .unwrap();
        body.object(id(2), |chunk| {
            chunk.indirect(id(2)).dict().pair(Name(b"Title"), pdf_writer::TextStr("x"));
        })
        .unwrap();
        body.object(id(1), |chunk| {
            chunk.indirect(id(1)).start::<Catalog<'_>>().pages(id(6));
        })
        .unwrap();
        body.end(id(8), id(1), id(2)).unwrap();

        let read = lopdf::Document::load_mem(&out).unwrap();
        assert_eq!(read.get_dictionary((3, 0)).unwrap().get(b"Answer").unwrap().as_i64().unwrap(), 42);
        let stream = read.get_object((5, 0)).unwrap().as_stream().unwrap();
        assert_eq!(stream.decompressed_content().unwrap(), b"some content");
        assert!(read.catalog().unwrap().has(b"Pages"));
        assert!(read.get_object((4, 0)).is_err(), "never written");
    }
}
