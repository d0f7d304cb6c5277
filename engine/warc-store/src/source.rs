//! Where records are read from: a file, or a stretch of one, since a WACZ holds files of records as they are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use groma_archive::zip;

use crate::is_warc;

/// A file of records.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The file it lies in.
    pub(crate) path: PathBuf,
    /// Its name in a container.
    pub(crate) inside: Option<String>,
    start: u64,
    length: u64,
}

/// What a file holds.
pub(crate) struct Opened {
    pub(crate) sources: Vec<Source>,
    /// Start page and first pages, as a container tells them.
    pub(crate) starts: Vec<String>,
    /// What could not be used, by name.
    pub(crate) left: Vec<(String, String)>,
}

/// What is read of the lists in a container.
const LISTED: u64 = 1 << 20;

impl Source {
    /// Looks into a file.
    pub(crate) fn open(path: &Path) -> io::Result<Opened> {
        // Opening a pipe would wait for whoever writes to it, and records are read by their places.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a plain file; an archive is read more than once",
            ));
        }
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        let mut begins = [0; 4];
        let read = file.read(&mut begins)?;
        if &begins[..read] != b"PK\x03\x04" {
            let whole = Source { path: path.to_path_buf(), inside: None, start: 0, length };
            return Ok(Opened { sources: vec![whole], starts: Vec::new(), left: Vec::new() });
        }
        let mut opened = Opened { sources: Vec::new(), starts: Vec::new(), left: Vec::new() };
        for entry in zip::entries(&mut file)? {
            if entry.name == "datapackage.json" {
                let told: serde_json::Value =
                    serde_json::from_slice(&entry.read(&mut file, LISTED)?).unwrap_or_default();
                opened.starts.extend(told["mainPageUrl"].as_str().map(str::to_owned));
            }
            if !is_warc(&entry.name) {
                continue;
            }
            if entry.method != 0 {
                opened.left.push((entry.name, "is compressed inside the WACZ and cannot be read in place".to_owned()));
                continue;
            }
            match entry.start(&mut file) {
                Ok(start) => opened.sources.push(Source {
                    path: path.to_path_buf(),
                    inside: Some(entry.name),
                    start,
                    length: entry.kept,
                }),
                Err(error) => opened.left.push((entry.name, error.to_string())),
            }
        }
        Ok(opened)
    }

    /// Its name for people.
    pub(crate) fn shown(&self) -> String {
        match &self.inside {
            Some(name) => format!("{} ({name})", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// Opens it for reading.
    pub(crate) fn read(&self) -> io::Result<Stretch> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.start))?;
        Ok(Stretch { file, start: self.start, length: self.length, at: 0 })
    }
}

/// A stretch of a file, read as if it were one.
pub(crate) struct Stretch {
    file: File,
    start: u64,
    length: u64,
    at: u64,
}

impl Read for Stretch {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let most = room.len().min(left);
        let read = self.file.read(&mut room[..most])?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Stretch {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(far) => self.length.checked_add_signed(far),
            SeekFrom::Current(far) => self.at.checked_add_signed(far),
        };
        let place = place.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "before the beginning"))?;
        let absolute = self.start.checked_add(place).ok_or_else(|| io::Error::other("beyond any file"))?;
        self.file.seek(SeekFrom::Start(absolute))?;
        self.at = place;
        Ok(place)
    }
}
