//! One file that is being written: opened under a name nobody else has, locked, and renamed when it is whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use groma_archive::cdxj::Entry;
use groma_archive::{Packer, exchange, stamp};
use groma_fetch::clock;

use crate::merge::write_lines;
use crate::sync_folder;

/// How often what was written is put on the disk for good.
const SYNC: Duration = Duration::from_secs(5);
/// So many bytes are written at once, instead of a call of the system for every exchange.
const AT_ONCE: usize = 64 * 1024;
/// Names that are taken by chance are passed over so often.
const NAMES: u32 = 16;

/// A file that is being written.
pub(crate) struct WarcFile {
    dir: PathBuf,
    name: String,
    file: File,
    /// The bytes of whole records, those that wait among them.
    pub(crate) length: u64,
    /// Whole records that the system does not have yet.
    waiting: Vec<u8>,
    /// The number of its first record.
    pub(crate) info: Arc<str>,
    /// The answers in it; that it is this file goes without saying.
    pub(crate) entries: Vec<Entry>,
    synced: Instant,
    syncing: Option<Aside>,
}

/// What waits for a disk, on a thread of its own.
pub(crate) struct Aside(JoinHandle<io::Result<()>>);

impl Aside {
    pub(crate) fn begin(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> io::Result<Aside> {
        std::thread::Builder::new().name("archive".to_owned()).spawn(work).map(Aside)
    }

    /// What came of it; waits for that.
    pub(crate) fn end(self) -> io::Result<()> {
        self.0.join().unwrap_or_else(|_| Err(io::Error::other("it broke off")))
    }
}

/// What a file that is being written is called.
pub(crate) const OPEN: &str = ".open";

impl WarcFile {
    /// Begins a file with the record that says who writes it.
    pub(crate) fn begin(
        dir: &Path,
        ending: &str,
        number: u32,
        fields: &[(&str, &str)],
        packer: &mut Packer,
    ) -> io::Result<WarcFile> {
        let at = clock::now();
        for _ in 0..NAMES {
            let name = format!("groma-{}-{number:05}-{}.{ending}", stamp(at), writer()?);
            let path = dir.join(format!("{name}{OPEN}"));
            let file = match OpenOptions::new().append(true).create_new(true).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other?,
            };
            // Somebody who repairs may have been quicker; then the name is theirs.
            if file.try_lock().is_err() {
                continue;
            }
            let mut first = Vec::new();
            let info = exchange::info(at, &name, fields, packer, &mut first)?;
            let mut warc_file = WarcFile {
                dir: dir.to_path_buf(),
                name,
                file,
                length: 0,
                waiting: Vec::new(),
                info: info.into(),
                entries: Vec::new(),
                synced: Instant::now(),
                syncing: None,
            };
            warc_file.append(&first)?;
            warc_file.write_out()?;
            return Ok(warc_file);
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no new name for a file could be found"))
    }

    pub(crate) fn append(&mut self, records: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(records);
        self.length += records.len() as u64;
        if self.waiting.len() < AT_ONCE { Ok(()) } else { self.write_out() }
    }

    /// Gives what waits to the system. If that does not take all of it, all of it is taken back.
    pub(crate) fn write_out(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.waiting);
        if written.is_err() {
            self.length -= self.waiting.len() as u64;
            self.entries.retain(|entry| entry.offset < self.length);
            let _ = self.file.set_len(self.length);
        }
        self.waiting.clear();
        self.waiting.shrink_to(2 * AT_ONCE);
        written?;
        // One that the disk has not done with is not overtaken by another.
        if self.synced.elapsed() >= SYNC && self.syncing.as_ref().is_none_or(|aside| aside.0.is_finished()) {
            self.syncing.take().map_or(Ok(()), Aside::end)?;
            let file = self.file.try_clone()?;
            self.syncing = Some(Aside::begin(move || file.sync_data())?);
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// The file is whole. One without an answer is not kept.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.write_out()?;
        self.syncing.map_or(Ok(()), Aside::end)?;
        let open = self.dir.join(format!("{}{OPEN}", self.name));
        if self.entries.is_empty() {
            return fs::remove_file(open);
        }
        self.file.sync_all()?;
        self.entries.iter_mut().for_each(|entry| entry.file.clone_from(&self.name));
        close(&self.dir, &self.name, &self.entries)
    }
}

/// A file that is whole and synced gets its index and its name.
pub(crate) fn close(dir: &Path, name: &str, entries: &[Entry]) -> io::Result<()> {
    let mut lines: Vec<String> = entries.iter().map(Entry::line).collect();
    lines.sort_unstable();
    let index = dir.join(format!("{name}.cdxj"));
    write_lines(&index, lines.into_iter().map(Ok))?;
    fs::rename(dir.join(format!("{name}{OPEN}")), dir.join(name))?;
    sync_folder(dir)
}

/// Who writes: machine, process, and a number by chance, since several processes may write into one folder.
fn writer() -> io::Result<String> {
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' };
    let machine: String = machine.trim().chars().map(plain).take(40).collect();
    let machine = if machine.is_empty() { "host" } else { &machine };
    let mut chance = [0; 4];
    getrandom::fill(&mut chance).map_err(io::Error::other)?;
    Ok(format!("{machine}-{}-{:08x}", std::process::id(), u32::from_be_bytes(chance)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_archive::Compression;

    #[test]
    fn what_the_system_does_not_take_was_never_there() {
        let dir = std::env::temp_dir().join(format!("groma-warc_file-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let mut packer = Packer::new(Compression::Gzip(1));
        let mut warc_file = WarcFile::begin(&dir, "warc.gz", 1, &[], &mut packer).unwrap();
        let (name, path) = (warc_file.name.clone(), dir.join(format!("{}{OPEN}", warc_file.name)));
        let add = |warc_file: &mut WarcFile| {
            let entry = Entry { offset: warc_file.length, ..Entry::default() };
            warc_file.append(b"a record").unwrap();
            warc_file.entries.push(entry);
        };
        add(&mut warc_file);
        warc_file.write_out().unwrap();
        let whole = fs::read(&path).unwrap();
        // A file that is open for reading takes nothing.
        let file = std::mem::replace(&mut warc_file.file, File::open(&path).unwrap());
        add(&mut warc_file);
        add(&mut warc_file);
        assert!(warc_file.write_out().is_err());
        assert_eq!((warc_file.length, warc_file.entries.len(), warc_file.waiting.len()), (whole.len() as u64, 1, 0));
        warc_file.file = file;
        warc_file.finish().unwrap();
        assert_eq!(fs::read(dir.join(&name)).unwrap(), whole);
        assert_eq!(fs::read_to_string(dir.join(format!("{name}.cdxj"))).unwrap().lines().count(), 1);
        fs::remove_dir_all(&dir).unwrap();
    }
}
