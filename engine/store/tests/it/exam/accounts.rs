//! The exam of the accounts, held on files and on a server.
//!
//! `open` gives one more connection to the accounts of the case each time it is called, as another process would have it.

use groma_store::accounts::{Accounts, Role, SESSIONS, Session, Token, User};

/// Opens the accounts of a case; called again, it opens the same ones.
pub(crate) type Open<'a> = dyn Fn() -> Accounts + Sync + 'a;

/// A case: its name and what is done.
pub(crate) type Case = (&'static str, fn(&Open<'_>));

pub(crate) const CASES: &[Case] = &[
    ("users are added, replaced and removed", users),
    ("sessions end with time, with the password and with the user", sessions),
    ("a user has so many sessions, and the longest unseen go", many_sessions),
    ("tokens hold until they run out or are taken away", tokens),
    ("values are kept", values),
    ("names and values of any length and any characters", hostile),
];

fn user(name: &str, role: Role) -> User {
    User { name: name.into(), role, password: format!("$argon2id${name}"), made_at: 100 }
}

fn session(key: u8, user: &str) -> Session {
    Session { key: [key; 32], user: user.into(), csrf: format!("c{key}"), expires_at: 1000, made_at: 10, last_seen: 10 }
}

fn token(hash: u8, name: &str, expires_at: Option<i64>) -> Token {
    Token { id: 0, hash: [hash; 32], name: name.into(), role: Role::Reader, made_at: 5, last_used: 0, expires_at }
}

fn users(open: &Open<'_>) {
    let mut accounts = open();
    assert!(accounts.users().expect("answers").is_empty());
    assert!(accounts.add_user(&user("bob", Role::Reader)).expect("answers"));
    assert!(accounts.add_user(&user("ann", Role::Admin)).expect("answers"));
    assert!(!accounts.add_user(&user("bob", Role::Admin)).expect("answers"), "nobody is overwritten by adding");
    assert_eq!(accounts.user("bob").expect("answers").expect("is there").role, Role::Reader);
    let changed = User { role: Role::Admin, password: "new".into(), made_at: 999, ..user("bob", Role::Admin) };
    assert!(accounts.replace_user(&changed).expect("answers"));
    assert!(!accounts.replace_user(&user("eve", Role::Admin)).expect("answers"));
    drop(accounts);
    let mut accounts = open();
    let names: Vec<_> = accounts.users().expect("answers").into_iter().map(|u| (u.name, u.made_at)).collect();
    assert_eq!(names, [("ann".into(), 100), ("bob".into(), 100)]);
    assert_eq!(accounts.user("bob").expect("answers").expect("is there").password, "new");
    assert!(accounts.remove_user("bob").expect("answers") && !accounts.remove_user("bob").expect("answers"));
    assert_eq!(accounts.user("bob").expect("answers"), None);
}

fn sessions(open: &Open<'_>) {
    let mut accounts = open();
    accounts.add_user(&user("ann", Role::Admin)).expect("answers");
    assert!(!accounts.open_session(&session(1, "eve")).expect("answers"), "nobody of that name");
    assert!(accounts.open_session(&session(1, "ann")).expect("answers"));
    assert!(!accounts.open_session(&session(1, "ann")).expect("answers"), "keys are unique");
    assert!(accounts.open_session(&session(2, "")).expect("answers"), "a machine without users");
    assert_eq!(accounts.session(&[1; 32], 999).expect("answers"), Some(session(1, "ann")));
    assert_eq!(accounts.session(&[1; 32], 1000).expect("answers"), None, "it has run out");
    assert!(!accounts.touch_session(&[1; 32], 1000, 2000).expect("answers"), "and does not come back");
    assert!(accounts.touch_session(&[1; 32], 500, 2000).expect("answers"));
    let seen = accounts.session(&[1; 32], 1500).expect("answers").expect("is there");
    assert_eq!((seen.last_seen, seen.expires_at, seen.made_at), (500, 2000, 10));

    accounts.replace_user(&user("ann", Role::Reader)).expect("answers");
    assert_eq!(accounts.session(&[1; 32], 20).expect("answers"), None, "another role, another login");
    for key in 3..6 {
        accounts.open_session(&session(key, "ann")).expect("answers");
    }
    assert!(accounts.close_session(&[3; 32]).expect("answers") && !accounts.close_session(&[3; 32]).expect("answers"));
    assert_eq!(accounts.sessions("ann", 20).expect("answers").len(), 2);
    assert_eq!(accounts.close_sessions("ann").expect("answers"), 2);
    accounts.open_session(&session(7, "ann")).expect("answers");
    accounts.remove_user("ann").expect("answers");
    assert_eq!(accounts.session(&[7; 32], 20).expect("answers"), None);
    assert_eq!(accounts.purge(999).expect("answers"), 0);
    assert_eq!(accounts.purge(1000).expect("answers"), 1, "the one of nobody");
}

fn many_sessions(open: &Open<'_>) {
    let mut accounts = open();
    accounts.add_user(&user("ann", Role::Admin)).expect("answers");
    accounts.open_session(&session(255, "")).expect("answers");
    let key = |n: u32| {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&n.to_be_bytes());
        key
    };
    for n in 0..SESSIONS + 3 {
        let seen = 10 + i64::from(n);
        accounts.open_session(&Session { key: key(n), last_seen: seen, ..session(0, "ann") }).expect("answers");
    }
    assert_eq!(accounts.sessions("ann", 20).expect("answers").len(), SESSIONS as usize);
    assert_eq!(accounts.session(&key(2), 20).expect("answers"), None);
    assert!(accounts.session(&key(3), 20).expect("answers").is_some());
    assert!(accounts.session(&[255; 32], 20).expect("answers").is_some(), "others keep theirs");
}

fn tokens(open: &Open<'_>) {
    let mut accounts = open();
    let ever = accounts.add_token(&token(1, "ci", None)).expect("answers").expect("is there");
    let short = accounts.add_token(&token(2, "once", Some(50))).expect("answers").expect("is there");
    assert_eq!(accounts.add_token(&token(3, "ci", None)).expect("answers"), None, "names are unique");
    assert_eq!(accounts.add_token(&token(1, "other", None)).expect("answers"), None, "and so are secrets");
    assert_eq!(accounts.token(&[2; 32], 49).expect("answers").expect("is there").id, short);
    assert_eq!(accounts.token(&[2; 32], 50).expect("answers"), None);
    assert!(accounts.touch_token(ever, 77).expect("answers"));
    assert_eq!(accounts.token(&[1; 32], i64::MAX).expect("answers").expect("is there").last_used, 77);
    assert_eq!(accounts.tokens().expect("answers").len(), 2);
    assert!(accounts.remove_token(ever).expect("answers") && !accounts.remove_token(ever).expect("answers"));
    assert_eq!(accounts.token(&[1; 32], 1).expect("answers"), None);
    let again = accounts.add_token(&token(1, "ci", None)).expect("answers").expect("is there");
    assert!(again > short, "numbers are not given out twice");
}

fn values(open: &Open<'_>) {
    let mut accounts = open();
    assert_eq!(accounts.value("search").expect("answers"), None);
    accounts.set_value("search", Some("public")).expect("answers");
    accounts.set_value("search", Some("private")).expect("answers");
    assert_eq!(open().value("search").expect("answers").as_deref(), Some("private"));
    accounts.set_value("search", None).expect("answers");
    assert_eq!(accounts.value("search").expect("answers"), None);
}

/// What is typed into a form may be anything.
fn hostile(open: &Open<'_>) {
    let mut accounts = open();
    let long: String = (0..4_000)
        .map(|n: u32| char::from_u32(0x4e00 + n.wrapping_mul(2_654_435_761) % 20_000).unwrap_or('x'))
        .collect();
    let odd = ["", "'; DROP TABLE token; --", "a\0b", "a\u{10ffff}0b", "\\", "\"?1\" $1", &long];
    for (number, name) in odd.into_iter().enumerate() {
        let hash = number as u8 + 100;
        assert!(accounts.add_token(&token(hash, name, None)).expect("answers").is_some(), "{name}");
        assert!(accounts.add_token(&token(hash + 100, name, None)).expect("answers").is_none(), "{name}");
        assert_eq!(accounts.token(&[hash; 32], 1).expect("answers").expect("is there").name, name);
        for value in odd {
            accounts.set_value(name, Some(value)).expect("answers");
            assert_eq!(accounts.value(name).expect("answers").as_deref(), Some(value), "{name}");
        }
    }
    assert_eq!(accounts.tokens().expect("answers").len(), odd.len());
}
