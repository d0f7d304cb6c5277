//! One file, on the disk or on an object store: it is there whole or not at all, and what was there before stays until then.
//!
//! On the disk it is written as [`OutputFile`] does it: beside its place and renamed, if that is a plain file. On an object store it is one
//! object, which appears when it was sent to its end. If the writer fails, nothing is left of it.

use std::io::{self, Write};
use std::path::Path;

use groma_store::OutputFile;

use super::{Aim, Sink};
use crate::error::TableError;

/// Writes one file. An error of the place is told as such, whatever the writer made of it.
pub fn write_file<T, E: From<TableError>>(
    aim: &Aim,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let sink: Box<dyn Sink> = match aim {
        Aim::Path(path) => Box::new(OnDisk::begin(path)?),
        #[cfg(feature = "cloud")]
        Aim::Objects(url) => super::objects::single(url)?,
        #[cfg(not(feature = "cloud"))]
        Aim::Objects(url) => return Err(TableError::NoObjects(url.clone()).into()),
    };
    let mut out = Told { sink, place: aim.to_string(), failed: None };
    let written = write(&mut out);
    if let Some(error) = out.failed {
        return Err(error.into());
    }
    let written = written?;
    out.sink.finish()?;
    Ok(written)
}

/// Remembers what the place said: writers pack it into errors of their own.
struct Told {
    sink: Box<dyn Sink>,
    place: String,
    failed: Option<TableError>,
}

impl Told {
    fn told<T>(&mut self, went: io::Result<T>) -> io::Result<T> {
        match went {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let again = io::Error::new(error.kind(), error.to_string());
                self.failed.get_or_insert_with(|| TableError::put(&self.place, error));
                Err(again)
            }
            other => other,
        }
    }
}

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let went = self.sink.write(bytes);
        self.told(went)
    }

    fn flush(&mut self) -> io::Result<()> {
        let went = self.sink.flush();
        self.told(went)
    }
}

/// A file on the disk.
struct OnDisk {
    out: OutputFile,
    to: String,
}

impl OnDisk {
    fn begin(to: &Path) -> Result<OnDisk, TableError> {
        let shown = to.display().to_string();
        Ok(OnDisk { out: OutputFile::create(to).map_err(TableError::io(shown.clone()))?, to: shown })
    }
}

impl Write for OnDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Sink for OnDisk {
    fn finish(self: Box<Self>) -> Result<(), TableError> {
        let OnDisk { out, to } = *self;
        out.finish().map_err(TableError::io(to))
    }
}
