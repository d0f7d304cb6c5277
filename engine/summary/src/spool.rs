//! Where do values wait until their length is known? A SOIF attribute begins with the number of its octets, which is known
//! only when the last value has come: values go to a file of the cache folder and are copied from there. Memory stays flat.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What files read and write at a time.
const BUFFER: usize = 1 << 18;

/// A file of our own that goes away unless it is kept.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
    kept: bool,
}

impl Scratch {
    /// A new file in this folder, for its owner only.
    pub(crate) fn create(folder: &Path) -> io::Result<(Scratch, File)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".{}-{number}.part", std::process::id()));
        // Left behind by a process that had our number before.
        let _ = fs::remove_file(&path);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path)?;
        Ok((Scratch { path, kept: false }, file))
    }

    /// Gives it a name to stay under.
    pub(crate) fn keep(mut self, name: &Path) -> io::Result<()> {
        fs::rename(&self.path, name)?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Values of several attributes, one after the other.
#[derive(Debug)]
pub(crate) struct Spool {
    _scratch: Scratch,
    file: BufWriter<File>,
    /// Octets of each attribute that is finished.
    lengths: Vec<u64>,
    /// Octets of the attribute under way.
    here: u64,
    /// Its values so far.
    count: u64,
    /// The last value, to recognise it.
    last: String,
}

impl Spool {
    pub(crate) fn create(folder: &Path) -> io::Result<Spool> {
        let (scratch, file) = Scratch::create(folder)?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Spool { _scratch: scratch, file, lengths: Vec::new(), here: 0, count: 0, last: String::new() })
    }

    /// What one more value would make of the attribute, in octets.
    pub(crate) fn length_with(&self, value: &str) -> u64 {
        self.here + u64::from(self.count > 0) + value.len() as u64
    }

    /// Values of the attribute under way.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// A value; the same as the last one is passed over.
    pub(crate) fn push(&mut self, value: &str) -> io::Result<()> {
        if self.count > 0 {
            if self.last == value {
                return Ok(());
            }
            self.file.write_all(b"\n")?;
        }
        self.file.write_all(value.as_bytes())?;
        self.here = self.length_with(value);
        self.count += 1;
        self.last.clear();
        self.last.push_str(value);
        Ok(())
    }

    /// The attribute is finished, with so many octets.
    pub(crate) fn finish(&mut self) -> u64 {
        self.lengths.push(self.here);
        (self.here, self.count) = (0, 0);
        self.lengths.last().copied().unwrap_or_default()
    }

    /// All of it, to be read from the beginning, and the octets of each attribute.
    pub(crate) fn read(&mut self) -> io::Result<(BufReader<&File>, &[u64])> {
        self.file.flush()?;
        let mut file = self.file.get_ref();
        file.seek(SeekFrom::Start(0))?;
        Ok((BufReader::with_capacity(BUFFER, file), &self.lengths))
    }
}
