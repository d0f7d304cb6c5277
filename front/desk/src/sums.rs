//! Checksums for plain files: a list beside them.
//!
//! `sums` in their folder has a line for each file, `XXH3 NAME`, added when the file is whole and in its place; the last line of a name
//! counts. A file without a line was left by a kill, or by a version that wrote no lists: nothing is known of it.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

/// The name of the list.
const LIST: &str = "sums";
/// A list longer than this is written anew, with the files that are there.
const LONG: u64 = 64 << 10;

/// Notes what these files in a folder hold.
pub(crate) fn note(folder: &Path, names: &[String]) -> io::Result<()> {
    let mut lines = String::new();
    for name in names {
        lines.push_str(&format!("{:016x} {name}\n", xxh3_64(&fs::read(folder.join(name))?)));
    }
    let list = folder.join(LIST);
    if fs::metadata(&list).is_ok_and(|meta| meta.len() > LONG) {
        let kept = read(folder).into_iter().filter(|(name, _)| folder.join(name).is_file());
        let kept: String = kept.map(|(name, sum)| format!("{sum} {name}\n")).collect();
        let part = folder.join(format!("{LIST}.part"));
        fs::write(&part, kept + &lines)?;
        return fs::rename(part, list);
    }
    OpenOptions::new().create(true).append(true).open(list)?.write_all(lines.as_bytes())
}

fn read(folder: &Path) -> HashMap<String, String> {
    let list = fs::read(folder.join(LIST)).unwrap_or_default();
    let list = String::from_utf8_lossy(&list).into_owned();
    let lines = list.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect()
}

/// The files in a folder that are not what was written.
pub(crate) fn complaints(folder: &Path) -> Vec<String> {
    let place = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut lines = Vec::new();
    for (name, sum) in read(folder) {
        // A name that leads elsewhere is none of ours.
        if name.contains(['/', '\\']) {
            continue;
        }
        match fs::read(folder.join(&name)) {
            Ok(bytes) if format!("{:016x}", xxh3_64(&bytes)) != sum => {
                lines.push(format!("{place}/{name} has the wrong checksum"));
            }
            // Old results go.
            _ => {}
        }
    }
    lines.sort();
    lines
}
