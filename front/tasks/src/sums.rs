//! Checksums for plain files: a list beside them.
//!
//! `sums` in their folder has lines `XXH3 NAME`. A line is added before its file gets its name, so a kill at any moment leaves a file that
//! fits one of the lines of its name. A file without a line was changed or lost its line: nobody can tell.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// What notices compare with.
pub(crate) const BASELINE: &str = "baseline.json";
/// The name of the list.
const LIST: &str = "sums";
/// A list longer than this is written anew, with the files that are there.
const LONG: u64 = 64 << 10;

/// Notes that the file at `part`, which is whole, will be called `name` in its folder.
pub(crate) fn note(folder: &Path, name: &str, part: &Path) -> io::Result<()> {
    let line = format!("{} {name}\n", sum(part)?);
    let list = folder.join(LIST);
    if fs::metadata(&list).is_ok_and(|meta| meta.len() > LONG) {
        let mut lines = String::new();
        for (name, sums) in read(folder).into_iter().filter(|(name, _)| folder.join(name).is_file()) {
            lines.extend(sums.iter().map(|sum| format!("{sum} {name}\n")));
        }
        let shorter = folder.join(format!("{LIST}.part"));
        fs::write(&shorter, lines + &line)?;
        return fs::rename(shorter, list);
    }
    OpenOptions::new().create(true).append(true).open(list)?.write_all(line.as_bytes())
}

fn sum(path: &Path) -> io::Result<String> {
    let (mut file, mut sum, mut part) = (File::open(path)?, Xxh3::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(format!("{:016x}", sum.digest())),
            length => sum.update(&part[..length]),
        }
    }
}

/// The sums of each name.
fn read(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let list = fs::read(folder.join(LIST)).unwrap_or_default();
    let list = String::from_utf8_lossy(&list).into_owned();
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // A name that leads elsewhere is none of ours.
    for (sum, name) in
        list.lines().filter_map(|line| line.split_once(' ')).filter(|(_, name)| !name.contains(['/', '\\']))
    {
        let sums = all.entry(name.to_owned()).or_default();
        if !sums.iter().any(|known| known == sum) {
            sums.push(sum.to_owned());
        }
    }
    all
}

/// The files in a folder that are not what was written.
pub(crate) fn complaints(folder: &Path) -> Vec<String> {
    let place = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut lines = Vec::new();
    let list = read(folder);
    for (name, sums) in &list {
        // Old results go, their lines stay for a while.
        if sum(&folder.join(name)).is_ok_and(|found| !sums.contains(&found)) {
            lines.push(format!("{place}/{name} has the wrong checksum"));
        }
    }
    let alone = unlisted(folder, &list).into_iter().map(|name| format!("{place}/{name}: its checksum is missing"));
    lines.extend(alone);
    lines
}

/// Notes the files without a line as they are, and tells which.
pub(crate) fn complete(folder: &Path) -> io::Result<Vec<String>> {
    let alone = unlisted(folder, &read(folder));
    for name in &alone {
        note(folder, name, &folder.join(name))?;
    }
    Ok(alone)
}

/// The files without a line.
fn unlisted(folder: &Path, list: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = files.map(|entry| entry.file_name().to_string_lossy().into_owned());
    // Results begin with the number of their job. What else lies there may be somebody else's.
    let is_ours = |name: &str| name.starts_with(|c: char| c.is_ascii_digit()) || name == BASELINE;
    let is_alone = |name: &String| is_ours(name) && !name.ends_with(".part") && !list.contains_key(name);
    let mut names: Vec<String> = names.filter(is_alone).collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_named_and_a_kill_leaves_none() {
        let folder = std::env::temp_dir().join(format!("groma-sums-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let part = folder.join("1.json.part");
        for text in ["one", "two"] {
            fs::write(&part, text).unwrap();
            note(&folder, "1.json", &part).unwrap();
            assert_eq!(complaints(&folder), [""; 0], "killed before it got its name");
            fs::rename(&part, folder.join("1.json")).unwrap();
            assert_eq!(complaints(&folder), [""; 0]);
        }
        fs::write(folder.join("1.json"), "tvo").unwrap();
        let place = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(complaints(&folder), [format!("{place}/1.json has the wrong checksum")]);
        fs::write(folder.join("1.json"), "two").unwrap();
        fs::write(folder.join(LIST), "").unwrap();
        fs::write(folder.join("notes.txt"), "somebody else's").unwrap();
        assert_eq!(complaints(&folder), [format!("{place}/1.json: its checksum is missing")]);
        assert_eq!(complete(&folder).unwrap(), ["1.json"]);
        assert_eq!(complaints(&folder), [""; 0]);
        fs::write(&part, "three").unwrap();
        for _ in 0..4_000 {
            note(&folder, "1.json", &part).unwrap();
        }
        assert!(fs::metadata(folder.join(LIST)).unwrap().len() < 2 * LONG);
        fs::remove_dir_all(&folder).unwrap();
    }
}
