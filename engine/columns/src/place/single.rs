//! One file, on the disk or on an object store: it is there whole or not at all, and what was there before stays until then.
//!
//! On the disk it is written beside its place, `NAME.part`, put on the disk for good, and renamed. On an object store it is one
//! object, which appears when it was sent to its end. If the writer fails, nothing is left of it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Aim, Sink};
use crate::error::ColumnsError;

/// Writes one file. An error of the place is told as such, whatever the writer made of it.
pub fn write_file<T, E: From<ColumnsError>>(
    aim: &Aim,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let sink: Box<dyn Sink> = match aim {
        Aim::Path(path) => Box::new(Beside::begin(path)?),
        #[cfg(feature = "cloud")]
        Aim::Objects(url) => super::objects::single(url)?,
        #[cfg(not(feature = "cloud"))]
        Aim::Objects(url) => return Err(ColumnsError::NoObjects(url.clone()).into()),
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
    failed: Option<ColumnsError>,
}

impl Told {
    fn told<T>(&mut self, went: io::Result<T>) -> io::Result<T> {
        match went {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let again = io::Error::new(error.kind(), error.to_string());
                self.failed.get_or_insert_with(|| ColumnsError::put(&self.place, error));
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

/// A file on the disk, beside its place.
struct Beside {
    out: Option<BufWriter<File>>,
    part: PathBuf,
    to: PathBuf,
}

impl Beside {
    fn begin(to: &Path) -> Result<Beside, ColumnsError> {
        let mut name = to.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let file = File::create(&part).map_err(ColumnsError::io(to.display().to_string()))?;
        Ok(Beside { out: Some(BufWriter::with_capacity(1 << 16, file)), part, to: to.to_owned() })
    }

    fn end(&mut self, out: BufWriter<File>) -> io::Result<()> {
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&self.part, &self.to)
    }
}

impl Write for Beside {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Sink for Beside {
    fn finish(mut self: Box<Self>) -> Result<(), ColumnsError> {
        if let Some(out) = self.out.take()
            && let Err(error) = self.end(out)
        {
            let _ = fs::remove_file(&self.part);
            return Err(ColumnsError::io(self.to.display().to_string())(error));
        }
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if self.out.take().is_some() {
            let _ = fs::remove_file(&self.part);
        }
    }
}
