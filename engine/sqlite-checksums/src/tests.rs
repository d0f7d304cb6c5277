//! Bits are flipped in files and logs; answers stay the same, or there is an error or a note.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::{Protection, fix, is_mismatch, log, note_of, open, protection, writing};

/// A folder of its own for each test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("groma-sums-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn filled(path: &Path, rows: u32) -> Connection {
    let db = open(path, writing()).unwrap();
    db.pragma_update(None, "journal_mode", "WAL").unwrap();
    db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, long BLOB); CREATE INDEX w ON t (word)")
        .unwrap();
    for id in 0..rows {
        let long = vec![id as u8; 100 + (id as usize * 37) % 9_000];
        db.execute("INSERT INTO t VALUES (?1, ?2, ?3)", (id, format!("word {id}"), long)).unwrap();
    }
    db
}

type TestRow = (u32, String, Vec<u8>);

fn all(path: &Path) -> rusqlite::Result<Vec<TestRow>> {
    let db = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut rows = db.prepare("SELECT id, word, long FROM t ORDER BY id")?;
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
}

/// Marsaglia's xorshift: the same flips every time.
fn dice(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn a_flipped_bit_is_an_error_and_never_another_answer() {
    let scratch = Scratch::new("flips");
    let path = scratch.at("a.db");
    drop(filled(&path, 60));
    assert_eq!(protection(&path), Some(Protection::Sums));
    let (whole, expected) = (fs::read(&path).unwrap(), all(&path).unwrap());
    let (mut seed, mut errors) = (1, 0);
    for _ in 0..150 {
        let bit = dice(&mut seed) as usize % (whole.len() * 8);
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).unwrap();
        match all(&path) {
            Ok(rows) => assert!(rows == expected, "bit {bit} changes an answer"),
            Err(_) => errors += 1,
        }
        let fixed = fix::fix(&path).unwrap();
        assert_eq!((fixed.fixed.len(), fixed.wrong.len()), (1, 0), "bit {bit}");
        assert!(fs::read(&path).unwrap() == whole, "bit {bit} was put right");
    }
    assert!(errors > 75, "{errors}");
}

#[test]
fn a_wrong_page_is_told_from_other_errors() {
    let scratch = Scratch::new("kind");
    let path = scratch.at("a.db");
    drop(filled(&path, 20));
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 2_000;
    bytes[last] ^= 4;
    bytes[last + 9] ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert!(is_mismatch(&all(&path).unwrap_err()));
    let fixed = fix::fix(&path).unwrap();
    assert_eq!((fixed.fixed.len(), fixed.wrong.len()), (0, 1), "two bits cannot be found");
    // A page in the place of another.
    let (second, third) = (bytes[4096..8192].to_vec(), bytes[8192..12_288].to_vec());
    bytes[4096..8192].copy_from_slice(&third);
    bytes[8192..12_288].copy_from_slice(&second);
    fs::write(&path, &bytes).unwrap();
    assert!(is_mismatch(&all(&path).unwrap_err()));
}

#[test]
fn files_without_room_are_read_and_written_as_they_are() {
    let scratch = Scratch::new("old");
    let path = scratch.at("a.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, long BLOB)").unwrap();
    db.execute("INSERT INTO t VALUES (1, 'one', zeroblob(50000))", []).unwrap();
    drop(db);
    let db = open(&path, writing()).unwrap();
    db.execute("INSERT INTO t VALUES (2, 'two', zeroblob(50000))", []).unwrap();
    drop(db);
    assert_eq!((all(&path).unwrap().len(), protection(&path)), (2, Some(Protection::Nothing)));
    let before = fs::read(&path).unwrap();
    assert_eq!(fix::fix(&path).unwrap(), fix::Fixed::default());
    assert!(fs::read(&path).unwrap() == before);
    let plain = Connection::open(&path).unwrap();
    let sound: String = plain.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    drop(plain);
    // A VACUUM makes the room.
    open(&path, writing()).unwrap().execute_batch("VACUUM").unwrap();
    assert_eq!((all(&path).unwrap().len(), protection(&path)), (2, Some(Protection::Sums)));
}

#[test]
fn copies_that_do_not_fit_into_the_cache_have_their_sums() {
    let scratch = Scratch::new("copies");
    let (path, copy) = (scratch.at("a.db"), scratch.at("b.db"));
    let db = filled(&path, 400);
    db.pragma_update(None, "cache_size", 10).unwrap();
    db.execute("VACUUM INTO ?1", [copy.to_string_lossy()]).unwrap();
    // A transaction that is written before it is committed.
    db.execute("UPDATE t SET long = zeroblob(20000)", []).unwrap();
    drop(db);
    assert_eq!((all(&copy).unwrap().len(), protection(&copy)), (400, Some(Protection::Sums)));
    assert_eq!(all(&path).unwrap().len(), 400);
    // Without a log.
    let db = open(&copy, writing()).unwrap();
    db.pragma_update(None, "journal_mode", "DELETE").unwrap();
    db.pragma_update(None, "cache_size", 10).unwrap();
    db.execute("UPDATE t SET long = zeroblob(20000)", []).unwrap();
    drop(db);
    assert_eq!(all(&copy).unwrap().len(), 400);
}

/// The database and its log as a kill would leave them.
fn killed(scratch: &Scratch) -> (PathBuf, Vec<u8>, Vec<u8>) {
    let path = scratch.at("a.db");
    let db = filled(&path, 30);
    db.pragma_update(None, "wal_autocheckpoint", 0).unwrap();
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    for id in 100..110 {
        db.execute("INSERT INTO t VALUES (?1, 'more', zeroblob(?2))", (id, id * 50)).unwrap();
    }
    let left = (path.clone(), fs::read(&path).unwrap(), fs::read(scratch.at("a.db-wal")).unwrap());
    drop(db);
    left
}

fn lay_out(path: &Path, file: &[u8], log: &[u8]) {
    for ending in ["-shm", "-wal", "-lost"] {
        let _ = fs::remove_file(crate::beside(path, ending));
    }
    fs::write(path, file).unwrap();
    fs::write(crate::beside(path, "-wal"), log).unwrap();
}

#[test]
fn what_a_kill_leaves_is_no_damage() {
    let scratch = Scratch::new("killed");
    let (path, file, log) = killed(&scratch);
    for cut in (0..log.len()).step_by(701).chain([log.len()]) {
        lay_out(&path, &file, &log[..cut]);
        assert!(all(&path).unwrap().len() >= 30);
        assert!(!note_of(&path).exists(), "cut at {cut}: {:?}", fs::read_to_string(note_of(&path)));
    }
    // An older log of which the beginning was written again, and a frame of which only the head was.
    let mut torn = log.clone();
    let at = torn.len() - 3_000;
    torn[at..].fill(7);
    lay_out(&path, &file, &torn);
    all(&path).unwrap();
    assert!(!note_of(&path).exists());
}

#[test]
fn commits_behind_a_flipped_bit_of_the_log_are_noted() {
    let scratch = Scratch::new("log");
    let (path, file, log) = killed(&scratch);
    lay_out(&path, &file, &log);
    let expected = all(&path).unwrap();
    assert!(!note_of(&path).exists() && expected.len() == 40);
    let mut seed = 5;
    for round in 0..600 {
        // Heads are small: half of the flips go there.
        let frame = 32 + (dice(&mut seed) as usize % (log.len() / 4120)) * 4120;
        let byte = match round % 3 {
            0 => dice(&mut seed) as usize % log.len(),
            1 => frame + dice(&mut seed) as usize % 24,
            _ => dice(&mut seed) as usize % 32,
        };
        let mut bytes = log.clone();
        bytes[byte] ^= 1 << (dice(&mut seed) % 8);
        lay_out(&path, &file, &bytes);
        let same = all(&path).is_ok_and(|rows| rows == expected);
        assert!(same || note_of(&path).exists(), "byte {byte} of {}", log.len());
    }
    let last = log.len() - 5;
    let mut bytes = log.clone();
    bytes[last] ^= 1;
    assert_eq!(log::lost(&mut bytes.as_slice()).map(|lost| lost.commits), Some(1), "of the last commit too");
    assert_eq!(log::lost(&mut log.as_slice()), None);
}

#[test]
fn a_header_of_the_log_with_one_wrong_bit_hides_all_commits() {
    let scratch = Scratch::new("header");
    let (_, _, log) = killed(&scratch);
    for bit in 0..32 * 8 {
        let mut bytes = log.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let lost = log::lost(&mut bytes.as_slice());
        assert_eq!(lost.map(|lost| lost.commits), Some(10), "bit {bit}");
    }
}
