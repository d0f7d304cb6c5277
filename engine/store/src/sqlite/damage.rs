//! What is wrong with a SQLite file itself, in words.

use std::path::Path;

use groma_sqlite_checksums::{Protection, note_of, protection};
use rusqlite::Connection;

/// Lines told at most.
const LINES: usize = 20;

/// Reads the whole file and tells what is wrong: pages with another checksum than they were written with, a structure that does not hold
/// together, commits that were lost with a damaged log, and checksums that are missing. `path`: nothing if it is no file.
pub(crate) fn of_file(db: &Connection, path: Option<&Path>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(path) = path {
        if let Ok(note) = std::fs::read_to_string(note_of(path)) {
            lines.extend(note.lines().take(LINES).map(str::to_owned));
        }
        match protection(path) {
            None | Some(Protection::Sums) => {}
            Some(Protection::Nothing) => {
                lines.push("its pages have no checksums: `groma verify --repair` adds them".into())
            }
            Some(Protection::Odd(room)) => lines.push(format!("its header is damaged: {room} bytes for checksums")),
        }
    }
    if let Err(error) = structure(db, &mut lines) {
        let words = match groma_sqlite_checksums::is_mismatch(&error) {
            true => "a page has the wrong checksum".to_owned(),
            false => error.to_string(),
        };
        lines.push(words);
    }
    lines
}

fn structure(db: &Connection, lines: &mut Vec<String>) -> rusqlite::Result<()> {
    let mut check = db.prepare("PRAGMA integrity_check(20)")?;
    let mut rows = check.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            // What SQLite calls its own reasons for not reading a page.
            lines.push(line.replace("unable to get the page. error code=8202", "the page has the wrong checksum"));
        }
    }
    Ok(())
}
