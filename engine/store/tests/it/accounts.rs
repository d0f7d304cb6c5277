//! Accounts keep their promises: who is out is out, and nobody else reads the file.

use std::fs;
use std::path::Path;

use groma_store::accounts::{Accounts, Role, SESSIONS, Session, Token, User};
use groma_store::{SqliteAccounts, SqliteStore, StoreError};

use crate::scratch;

fn open(dir: &Path) -> SqliteAccounts {
    SqliteAccounts::open(&dir.join("desk.db")).unwrap()
}

fn user(name: &str, role: Role) -> User {
    User { name: name.into(), role, password: format!("$argon2id${name}"), made_at: 100 }
}

fn session(key: u8, user: &str) -> Session {
    Session { key: [key; 32], user: user.into(), csrf: format!("c{key}"), expires_at: 1000, made_at: 10, last_seen: 10 }
}

fn token(hash: u8, name: &str, expires_at: Option<i64>) -> Token {
    Token { id: 0, hash: [hash; 32], name: name.into(), role: Role::Reader, made_at: 5, last_used: 0, expires_at }
}

#[test]
fn users_are_added_replaced_and_removed() {
    let dir = scratch("users");
    let mut accounts = open(&dir);
    assert!(accounts.users().unwrap().is_empty());
    assert!(accounts.add_user(&user("bob", Role::Reader)).unwrap());
    assert!(accounts.add_user(&user("ann", Role::Admin)).unwrap());
    assert!(!accounts.add_user(&user("bob", Role::Admin)).unwrap(), "nobody is overwritten by adding");
    assert_eq!(accounts.user("bob").unwrap().unwrap().role, Role::Reader);
    let changed = User { role: Role::Admin, password: "new".into(), made_at: 999, ..user("bob", Role::Admin) };
    assert!(accounts.replace_user(&changed).unwrap());
    assert!(!accounts.replace_user(&user("eve", Role::Admin)).unwrap());
    drop(accounts);
    let mut accounts = open(&dir);
    let names: Vec<_> = accounts.users().unwrap().into_iter().map(|u| (u.name, u.made_at)).collect();
    assert_eq!(names, [("ann".into(), 100), ("bob".into(), 100)]);
    assert_eq!(accounts.user("bob").unwrap().unwrap().password, "new");
    assert!(accounts.remove_user("bob").unwrap() && !accounts.remove_user("bob").unwrap());
    assert_eq!(accounts.user("bob").unwrap(), None);
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn sessions_end_with_time_with_the_password_and_with_the_user() {
    let dir = scratch("sessions");
    let mut accounts = open(&dir);
    accounts.add_user(&user("ann", Role::Admin)).unwrap();
    assert!(!accounts.open_session(&session(1, "eve")).unwrap(), "nobody of that name");
    assert!(accounts.open_session(&session(1, "ann")).unwrap());
    assert!(!accounts.open_session(&session(1, "ann")).unwrap(), "keys are unique");
    assert!(accounts.open_session(&session(2, "")).unwrap(), "a machine without users");
    assert_eq!(accounts.session(&[1; 32], 999).unwrap(), Some(session(1, "ann")));
    assert_eq!(accounts.session(&[1; 32], 1000).unwrap(), None, "it has run out");
    assert!(!accounts.touch_session(&[1; 32], 1000, 2000).unwrap(), "and does not come back");
    assert!(accounts.touch_session(&[1; 32], 500, 2000).unwrap());
    let seen = accounts.session(&[1; 32], 1500).unwrap().unwrap();
    assert_eq!((seen.last_seen, seen.expires_at, seen.made_at), (500, 2000, 10));

    accounts.replace_user(&user("ann", Role::Reader)).unwrap();
    assert_eq!(accounts.session(&[1; 32], 20).unwrap(), None, "another role, another login");
    for key in 3..6 {
        accounts.open_session(&session(key, "ann")).unwrap();
    }
    assert!(accounts.close_session(&[3; 32]).unwrap() && !accounts.close_session(&[3; 32]).unwrap());
    assert_eq!(accounts.sessions("ann", 20).unwrap().len(), 2);
    assert_eq!(accounts.close_sessions("ann").unwrap(), 2);
    accounts.open_session(&session(7, "ann")).unwrap();
    accounts.remove_user("ann").unwrap();
    assert_eq!(accounts.session(&[7; 32], 20).unwrap(), None);
    assert_eq!(accounts.purge(999).unwrap(), 0);
    assert_eq!(accounts.purge(1000).unwrap(), 1, "the one of nobody");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_user_has_so_many_sessions_and_the_longest_unseen_go() {
    let dir = scratch("many sessions");
    let mut accounts = open(&dir);
    accounts.add_user(&user("ann", Role::Admin)).unwrap();
    accounts.open_session(&session(255, "")).unwrap();
    let key = |n: u32| {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&n.to_be_bytes());
        key
    };
    for n in 0..SESSIONS + 3 {
        let seen = 10 + i64::from(n);
        accounts.open_session(&Session { key: key(n), last_seen: seen, ..session(0, "ann") }).unwrap();
    }
    assert_eq!(accounts.sessions("ann", 20).unwrap().len(), SESSIONS as usize);
    assert_eq!(accounts.session(&key(2), 20).unwrap(), None);
    assert!(accounts.session(&key(3), 20).unwrap().is_some());
    assert!(accounts.session(&[255; 32], 20).unwrap().is_some(), "others keep theirs");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn tokens_hold_until_they_run_out_or_are_taken_away() {
    let dir = scratch("tokens");
    let mut accounts = open(&dir);
    let ever = accounts.add_token(&token(1, "ci", None)).unwrap().unwrap();
    let short = accounts.add_token(&token(2, "once", Some(50))).unwrap().unwrap();
    assert_eq!(accounts.add_token(&token(3, "ci", None)).unwrap(), None, "names are unique");
    assert_eq!(accounts.add_token(&token(1, "other", None)).unwrap(), None, "and so are secrets");
    assert_eq!(accounts.token(&[2; 32], 49).unwrap().unwrap().id, short);
    assert_eq!(accounts.token(&[2; 32], 50).unwrap(), None);
    assert!(accounts.touch_token(ever, 77).unwrap());
    assert_eq!(accounts.token(&[1; 32], i64::MAX).unwrap().unwrap().last_used, 77);
    assert_eq!(accounts.tokens().unwrap().len(), 2);
    assert!(accounts.remove_token(ever).unwrap() && !accounts.remove_token(ever).unwrap());
    assert_eq!(accounts.token(&[1; 32], 1).unwrap(), None);
    let again = accounts.add_token(&token(1, "ci", None)).unwrap().unwrap();
    assert!(again > short, "numbers are not given out twice");
    fs::remove_dir_all(dir).unwrap();
}

#[test]
fn values_are_kept() {
    let dir = scratch("desk values");
    let mut accounts = open(&dir);
    assert_eq!(accounts.value("search").unwrap(), None);
    accounts.set_value("search", Some("public")).unwrap();
    accounts.set_value("search", Some("private")).unwrap();
    assert_eq!(open(&dir).value("search").unwrap().as_deref(), Some("private"));
    accounts.set_value("search", None).unwrap();
    assert_eq!(accounts.value("search").unwrap(), None);
    fs::remove_dir_all(dir).unwrap();
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
    let error = SqliteAccounts::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert!(!error.hint().is_empty());
    fs::remove_file(&path).unwrap();
    drop(SqliteStore::open(&path).unwrap());
    assert!(matches!(SqliteAccounts::open(&path), Err(StoreError::Foreign { .. })), "a survey is no file of accounts");
    SqliteStore::open(&path).unwrap();
    assert!(matches!(SqliteAccounts::open(&dir.join("no/such/folder/desk.db")), Err(StoreError::Io { .. })));
    let future = dir.join("future.db");
    drop(SqliteAccounts::open(&future).unwrap());
    let mut bytes = fs::read(&future).unwrap();
    bytes[60..64].copy_from_slice(&9u32.to_be_bytes());
    fs::write(&future, bytes).unwrap();
    let error = SqliteAccounts::open(&future).err().unwrap().to_string();
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
