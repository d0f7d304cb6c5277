//! The fences around a file of SQLite, attacked from within: as if a question of ours had let foreign SQL through.

use super::*;

struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("groma-fence-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Place { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn no_statement_writes_or_leaves_the_file() {
    let place = Place::new("write");
    let (path, other, new) = (place.file("a.db"), place.file("other.db"), place.file("new.db"));
    for path in [&path, &other] {
        Connection::open(path)
            .unwrap()
            .execute_batch("CREATE TABLE t (a TEXT); CREATE INDEX ta ON t (a); INSERT INTO t VALUES ('x')")
            .unwrap();
    }
    let before = (std::fs::read(&path).unwrap(), std::fs::read(&other).unwrap());
    let mut file = File::open(&path).unwrap();
    assert!(file.excess().unwrap().is_empty());
    let (other_name, new_name) = (other.display(), new.display());
    let attacks = [
        "INSERT INTO t VALUES ('y')".to_owned(),
        "UPDATE t SET a = 'y'".into(),
        "DELETE FROM t".into(),
        "DROP TABLE t".into(),
        "CREATE TABLE u (a)".into(),
        "CREATE TEMP TABLE u (a)".into(),
        "CREATE INDEX i ON t (a)".into(),
        "ALTER TABLE t ADD COLUMN b".into(),
        "REINDEX".into(),
        "ANALYZE".into(),
        "VACUUM".into(),
        format!("VACUUM INTO '{new_name}'"),
        format!("ATTACH '{other_name}' AS o; DELETE FROM o.t"),
        format!("ATTACH '{new_name}' AS n; CREATE TABLE n.t (a)"),
        "ATTACH ':memory:' AS m".into(),
        "PRAGMA query_only = OFF".into(),
        "PRAGMA writable_schema = ON".into(),
        "PRAGMA trusted_schema = ON".into(),
        "PRAGMA journal_mode = WAL".into(),
        "PRAGMA user_version = 7".into(),
        "PRAGMA temp_store_directory = '/'".into(),
        "SELECT load_extension('x')".into(),
        "CREATE VIRTUAL TABLE v USING fts5(a)".into(),
        "SAVEPOINT s; INSERT INTO t VALUES ('z')".into(),
    ];
    for attack in &attacks {
        assert!(file.conn.execute_batch(attack).is_err(), "{attack}");
    }
    // One fence after the other away: the others still hold.
    file.conn.authorizer(None::<fn(AuthContext<'_>) -> Authorization>).unwrap();
    assert!(file.conn.execute_batch(&attacks[12]).is_err());
    file.conn.execute_batch("PRAGMA query_only = OFF").unwrap();
    for attack in &attacks[..5] {
        assert!(file.conn.execute_batch(attack).is_err(), "{attack}");
    }
    assert!(file.conn.execute_batch(&attacks[12]).is_err() && file.conn.execute_batch(&attacks[13]).is_err());
    drop(file);
    assert_eq!((std::fs::read(&path).unwrap(), std::fs::read(&other).unwrap()), before);
    assert!(!new.exists());
}

#[test]
fn names_with_a_meaning_of_their_own_are_files_or_nothing() {
    for name in [":memory:", "", "file::memory:", "/", "/dev/null", "file:/etc/passwd?mode=rwc"] {
        assert!(File::open(Path::new(name)).is_err(), "{name}");
    }
    let place = Place::new("none");
    assert!(File::open(&place.file("none.db")).is_err());
    assert!(!place.file("none.db").exists());
}

#[test]
fn the_sign_changes_with_every_change() {
    let place = Place::new("sign");
    let path = place.file("a.db");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')").unwrap();
    assert_eq!(facts(&path), None, "a change of just now has no sign");
    std::thread::sleep(SETTLED + Duration::from_millis(1100));
    let first = facts(&path);
    assert!(first.is_some());
    // A change that leaves the size as it is, and somebody who sets the time back.
    let about = std::fs::metadata(&path).unwrap();
    writer.execute_batch("UPDATE t SET a = 'y'").unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), about.len());
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(about.modified().unwrap()).unwrap();
    std::thread::sleep(SETTLED + Duration::from_millis(1100));
    let second = facts(&path);
    assert!(second.is_some() && second != first, "{second:?}");
    // In the log, too; and reading changes nothing.
    writer.execute_batch("PRAGMA journal_mode = WAL; INSERT INTO t VALUES ('z')").unwrap();
    std::thread::sleep(SETTLED + Duration::from_millis(1100));
    let third = facts(&path);
    assert!(third.is_some() && third != second);
    let mut file = File::open(&path).unwrap();
    file.begin(Instant::now() + Duration::from_secs(9)).unwrap();
    assert_eq!(file.relations().unwrap().len(), 1);
    assert_eq!(file.sign().unwrap(), third);
    drop(file);
    assert_eq!(facts(&path), third);
}
