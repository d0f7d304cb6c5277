//! Where is the record of this URL? Found by halving in the sorted index of the folder, and in those of single files not merged yet.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use groma_archive::cdxj::Entry;
use groma_archive::key;

use crate::merge::singles;
use crate::{WarcStoreError, is_warc, names, repair};

/// The index of a folder.
pub(crate) const INDEX: &str = "index.cdxj";
/// No line of an index is longer.
const LINE: u64 = 64 << 10;

/// The indexes of a folder.
#[derive(Clone, Debug)]
pub struct Library {
    dir: PathBuf,
    indexes: Vec<PathBuf>,
}

impl Library {
    /// Of this folder, as it is now.
    pub fn open(dir: &Path) -> io::Result<Library> {
        let mut indexes: Vec<PathBuf> = singles(dir)?.into_iter().map(|name| dir.join(name)).collect();
        let index = dir.join(INDEX);
        if index.exists() {
            indexes.push(index);
        }
        Ok(Library { dir: dir.to_path_buf(), indexes })
    }

    /// The finished files of a folder, in order; what others left unfinished is finished first.
    pub fn files(dir: &Path) -> Result<Vec<String>, WarcStoreError> {
        repair(dir)?;
        names(dir, is_warc).map_err(WarcStoreError::at_path(dir))
    }

    /// Folder of the archives.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// All records of a URL, the latest first.
    pub fn find(&self, url: &str) -> io::Result<Vec<Entry>> {
        let sought = format!("{} ", key(url));
        let mut found = Vec::new();
        for index in &self.indexes {
            match File::open(index) {
                // It has been merged into the other meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                file => lines_with(file?, &sought, &mut |line| found.extend(Entry::read(line)))?,
            }
        }
        found.retain(|entry| entry.url == url);
        found.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| b.offset.cmp(&a.offset)));
        found.dedup();
        Ok(found)
    }

    /// Shows all records until told to stop.
    pub(crate) fn each(&self, show: &mut dyn FnMut(Entry) -> bool) -> io::Result<()> {
        for index in &self.indexes {
            for line in BufReader::new(File::open(index)?).lines() {
                if let Some(entry) = Entry::read(&line?)
                    && !show(entry)
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// The lines that begin so.
fn lines_with(file: File, sought: &str, show: &mut dyn FnMut(&str)) -> io::Result<()> {
    let mut low = 0;
    let mut high = file.metadata()?.len();
    let mut input = BufReader::new(file);
    // The first line not before the one sought begins in low..=high.
    while low < high {
        let middle = low + (high - low) / 2;
        match line_from(&mut input, middle)? {
            Some((start, line)) if start < high && line.as_str() < sought => low = start + line.len() as u64,
            _ => high = middle,
        }
    }
    let Some((start, _)) = line_from(&mut input, low)? else { return Ok(()) };
    input.seek(SeekFrom::Start(start))?;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 || !line.starts_with(sought) {
            return Ok(());
        }
        show(line.trim_end());
    }
}

/// The first line that begins at this place or behind it, and where.
fn line_from(input: &mut BufReader<File>, place: u64) -> io::Result<Option<(u64, String)>> {
    let mut start = 0;
    if place > 0 {
        // From the byte before: if that ends a line, one begins here.
        input.seek(SeekFrom::Start(place - 1))?;
        let mut passed = Vec::new();
        io::Read::take(&mut *input, LINE).read_until(b'\n', &mut passed)?;
        start = place - 1 + passed.len() as u64;
    } else {
        input.seek(SeekFrom::Start(0))?;
    }
    let mut line = Vec::new();
    io::Read::take(input, LINE).read_until(b'\n', &mut line)?;
    let text = String::from_utf8_lossy(&line).into_owned();
    Ok((!line.is_empty()).then_some((start, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found_and_nothing_else() {
        let dir = std::env::temp_dir().join(format!("groma-library-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let entry = |n: i64, at: i64| Entry {
            url: format!("http://a.test/{n}"),
            at,
            digest: "x".repeat((n * 37 % 200) as usize),
            ..Entry::default()
        };
        let mut lines: Vec<String> = (0..300).flat_map(|n| [entry(n, 5).line(), entry(n, 9).line()]).collect();
        lines.sort();
        std::fs::write(dir.join(INDEX), lines.join("\n") + "\n").unwrap();
        let library = Library::open(&dir).unwrap();
        for n in 0..300 {
            assert_eq!(library.find(&format!("http://a.test/{n}")).unwrap(), [entry(n, 9), entry(n, 5)], "{n}");
        }
        for absent in ["http://a.test/300", "http://0.test/", "http://zzz.test/", "http://a.test/0/x"] {
            assert_eq!(library.find(absent).unwrap(), [], "{absent}");
        }
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
