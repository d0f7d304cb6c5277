//! A file of records, written as it goes: memory holds one record.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::record::{Resource, bytes};

pub struct Warc<W: Write> {
    out: W,
}

impl<W: Write> Warc<W> {
    /// Begins a file: its first record says who writes it, by which software, and whatever else there is to say.
    pub fn begin(out: W, at: i64, fields: &[(&str, &str)]) -> io::Result<Warc<W>> {
        let mut warc = Warc { out };
        let said: String = fields.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        warc.put(&bytes("warcinfo", None, at, "application/warc-fields", said.as_bytes()))?;
        Ok(warc)
    }

    /// Adds a thing as it was found.
    pub fn resource(&mut self, resource: &Resource<'_>) -> io::Result<()> {
        let Resource { url, at, media_type, bytes: block } = *resource;
        self.put(&bytes("resource", Some(url), at, media_type, block))
    }

    /// Where it writes to.
    pub fn out(&self) -> &W {
        &self.out
    }

    /// Flushes, and returns the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn put(&mut self, record: &[u8]) -> io::Result<()> {
        let mut member = GzEncoder::new(&mut self.out, Compression::default());
        member.write_all(record)?;
        member.finish().map(drop)
    }
}
