//! One file of a sitemap: plain or compressed, and how much fits into it.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Bounds, NAMESPACE};

const FOOT: &[u8] = b"</urlset>\n";

enum Out {
    Plain(Box<dyn Write>),
    /// Without a time in its header: the same pages give the same bytes.
    Compressed(Box<GzEncoder<Box<dyn Write>>>),
}

pub(super) struct File {
    out: Out,
    addresses: u32,
    bytes: u64,
}

impl File {
    pub(super) fn open(out: Box<dyn Write>, gzip: bool) -> io::Result<File> {
        let out =
            if gzip { Out::Compressed(Box::new(GzEncoder::new(out, Compression::default()))) } else { Out::Plain(out) };
        let mut file = File { out, addresses: 0, bytes: 0 };
        let head = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NAMESPACE}\">\n");
        file.write(head.as_bytes())?;
        Ok(file)
    }

    /// Is there room for an entry of so many bytes, and for the end of the file?
    pub(super) fn has_room(&self, bounds: &Bounds, bytes: usize) -> bool {
        self.addresses < bounds.addresses && self.bytes + (bytes + FOOT.len()) as u64 <= bounds.bytes
    }

    pub(super) fn add(&mut self, entry: &[u8]) -> io::Result<()> {
        self.addresses += 1;
        self.write(entry)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        match &mut self.out {
            Out::Plain(out) => out.write_all(bytes),
            Out::Compressed(out) => out.write_all(bytes),
        }
    }

    pub(super) fn close(mut self) -> io::Result<()> {
        self.write(FOOT)?;
        match self.out {
            Out::Plain(mut out) => out.flush(),
            Out::Compressed(out) => out.finish()?.flush(),
        }
    }
}
