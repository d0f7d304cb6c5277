//! Lines in order, however many there are: runs that fit into memory are sorted and put aside in files, which are then merged.
//!
//! Memory: one run, and a line of each file. Cost: n log n, everything written and read once more if it does not fit into one run. The files
//! have no names that last: they are removed as soon as they are open, where the system allows it, and with the sorter in any case.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes of one run.
const RUN: usize = 32 << 20;
/// Runs merged at once.
const RUNS: usize = 64;

/// Sorts lines. A line has no line feed in it.
pub(super) struct Sorter {
    most: usize,
    lines: Vec<String>,
    bytes: usize,
    files: Vec<Put>,
}

/// A run that was put aside.
struct Put {
    file: File,
    path: PathBuf,
}

impl Drop for Put {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

impl Default for Sorter {
    fn default() -> Self {
        Sorter { most: RUN, lines: Vec::new(), bytes: 0, files: Vec::new() }
    }
}

impl Sorter {
    /// Adds a line; when memory is full, all lines are sorted into a file.
    pub(super) fn push(&mut self, line: String) -> io::Result<()> {
        self.bytes += line.len() + size_of::<String>();
        self.lines.push(line);
        if self.bytes >= self.most { self.put_aside() } else { Ok(()) }
    }

    fn put_aside(&mut self) -> io::Result<()> {
        self.lines.sort_unstable();
        let mut to = BufWriter::new(new_file()?);
        for line in &self.lines {
            to.write_all(line.as_bytes())?;
            to.write_all(b"\n")?;
        }
        to.flush()?;
        self.lines.clear();
        self.bytes = 0;
        let file = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.files.push(file);
        if self.files.len() < RUNS {
            return Ok(());
        }
        // All of them become one.
        let mut one = BufWriter::new(new_file()?);
        merge(std::mem::take(&mut self.files), Vec::new(), &mut |line| {
            one.write_all(line.as_bytes())?;
            one.write_all(b"\n")
        })?;
        one.flush()?;
        self.files.push(one.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }

    /// All lines in order, each once.
    pub(super) fn finish(mut self, call: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        self.lines.sort_unstable();
        let mut last: Option<String> = None;
        merge(std::mem::take(&mut self.files), std::mem::take(&mut self.lines), &mut |line| {
            if last.as_deref() != Some(line) {
                call(line)?;
                last = Some(line.to_owned());
            }
            Ok(())
        })
    }
}

impl Write for Put {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file that nobody else has.
fn new_file() -> io::Result<Put> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("groma-sort-{}-{number}", std::process::id()));
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(&path)?;
    #[cfg(unix)]
    fs::remove_file(&path)?;
    Ok(Put { file, path })
}

fn merge(mut files: Vec<Put>, lines: Vec<String>, call: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    let mut readers = Vec::with_capacity(files.len());
    for put in &mut files {
        put.file.seek(SeekFrom::Start(0))?;
        readers.push(BufReader::new(&put.file));
    }
    let mut memory = lines.into_iter();
    let own = readers.len();
    let mut next = |from: usize| -> io::Result<Option<String>> {
        let Some(reader) = readers.get_mut(from) else { return Ok(memory.next()) };
        let mut line = String::new();
        let read = reader.read_line(&mut line)?;
        if line.ends_with('\n') {
            line.pop();
        }
        Ok((read > 0).then_some(line))
    };
    let mut heap = BinaryHeap::new();
    for from in 0..=own {
        heap.extend(next(from)?.map(|line| Reverse((line, from))));
    }
    while let Some(Reverse((line, from))) = heap.pop() {
        call(&line)?;
        heap.extend(next(from)?.map(|line| Reverse((line, from))));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_in_order_and_once_however_small_the_memory() {
        for most in [1, 200, 4_000, RUN] {
            let mut sorter = Sorter { most, ..Sorter::default() };
            let mut wanted = Vec::new();
            for number in 0..500_u64 {
                let line = format!("line {}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 331);
                wanted.push(line.clone());
                sorter.push(line).unwrap();
            }
            wanted.sort();
            wanted.dedup();
            let mut got = Vec::new();
            let mut keep = |line: &str| {
                got.push(line.to_owned());
                Ok(())
            };
            sorter.finish(&mut keep).unwrap();
            assert_eq!(got, wanted, "{most}");
        }
    }
}
