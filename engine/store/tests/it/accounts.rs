//! Accounts keep their promises: who is out is out, and nobody else reads the file.

use std::fs;
use std::path::Path;

use crate::exam;
use groma_store::accounts::{Accounts, Role, Session, User};
use groma_store::{SqliteStore, StoreError};

use crate::scratch;

fn open(dir: &Path) -> Accounts {
    Accounts::open_file(&dir.join("desk.db")).unwrap()
}

fn user(name: &str, role: Role) -> User {
    User { name: name.into(), role, password: format!("$argon2id${name}"), made_at: 100 }
}

fn session(key: u8, user: &str) -> Session {
    Session { key: [key; 32], user: user.into(), csrf: format!("c{key}"), expires_at: 1000, made_at: 10, last_seen: 10 }
}

#[test]
fn the_sqlite_accounts_pass_the_exam() {
    for (name, case) in exam::accounts::CASES {
        println!("{name}");
        let dir = scratch(&format!("accounts {name}"));
        case(&|| open(&dir));
        fs::remove_dir_all(dir).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_the_file_nor_its_log() {
    use std::os::unix::fs::PermissionsExt;
    let dir = scratch("rights");
    fs::write(dir.join("desk.db"), "").unwrap();
    fs::set_permissions(dir.join("desk.db"), fs::Permissions::from_mode(0o644)).unwrap();
    let mut accounts = open(&dir);
    accounts.add_user(&user("ann", Role::Admin)).unwrap();
    let mut files = 0;
    for entry in fs::read_dir(&dir).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", entry.path());
        files += 1;
    }
    assert_eq!(files, 3, "the file, its log, and the index of the log");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn foreign_files_are_refused_and_left_as_they_are() {
    let dir = scratch("foreign accounts");
    let path = dir.join("desk.db");
    fs::write(&path, "dear diary, ".repeat(200)).unwrap();
    let error = Accounts::open_file(&path).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert!(!error.hint().is_empty());
    fs::remove_file(&path).unwrap();
    drop(SqliteStore::open(&path).unwrap());
    assert!(matches!(Accounts::open_file(&path), Err(StoreError::Foreign { .. })), "a survey is no file of accounts");
    SqliteStore::open(&path).unwrap();
    assert!(matches!(Accounts::open_file(&dir.join("no/such/folder/desk.db")), Err(StoreError::Io { .. })));
    let future = dir.join("future.db");
    drop(Accounts::open_file(&future).unwrap());
    let db = groma_sqlite_checksums::open(&future, groma_sqlite_checksums::writing()).unwrap();
    db.pragma_update(None, "user_version", 9).unwrap();
    drop(db);
    let error = Accounts::open_file(&future).err().unwrap().to_string();
    assert!(error.contains("format 9, this program reads 1"), "{error}");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn several_at_once_do_not_disturb_each_other() {
    let dir = scratch("accounts at once");
    std::thread::scope(|scope| {
        for worker in 0..6u8 {
            let dir = &dir;
            scope.spawn(move || {
                let mut accounts = open(dir);
                accounts.add_user(&user("ann", Role::Admin)).unwrap();
                for n in 0..10u8 {
                    let key = worker * 10 + n + 1;
                    assert!(accounts.open_session(&session(key, "ann")).unwrap());
                    assert!(accounts.touch_session(&[key; 32], 20, 1000).unwrap());
                }
            });
        }
    });
    assert_eq!(open(&dir).sessions("ann", 30).unwrap().len(), 60);
    assert_eq!(open(&dir).users().unwrap().len(), 1);
    fs::remove_dir_all(dir).unwrap();
}
