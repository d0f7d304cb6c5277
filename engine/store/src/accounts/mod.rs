//! Who may use the web interface: users, their sessions, tokens of programs, and a few values of the desk itself.
//!
//! They live in a file of their own (`desk.db`) in the folder that `groma serve` runs in, readable by its owner only. No secret
//! is kept as it is: passwords come as argon2 strings, sessions and tokens as hashes of what the browser or program holds.
//!
//! Invariants, tested by the exam:
//! - a session belongs to a user who exists, or to nobody by name (the empty name: the desk of a machine without users);
//! - another password or another role ends all sessions of a user, as does removing the user, in the same transaction;
//! - a session or token that has run out is never found; a user has at most [`SESSIONS`] sessions, the longest unseen go first.

mod private;
mod rows;
pub(crate) mod schema;

pub use rows::{Hash, Role, Session, Token, User, is_name};

use std::path::Path;

use crate::StoreError;
use crate::home::server_of;
use crate::sql::{Arg, Base, Repeat, SqlRow, args, damaged};
use crate::{ACCOUNTS_SCHEMA, Server};

/// Most sessions of one user.
pub const SESSIONS: u32 = 200;

/// The file's name in the folder the server runs in.
pub const FILE: &str = "desk.db";

/// The accounts of one desk. Any number of processes may use them at once. Times are seconds since 1970 and come from the
/// caller.
pub struct Accounts {
    base: Base,
}

impl Accounts {
    /// The accounts of a home: of the server that it names, or in its file.
    pub fn of_home(home: &Path) -> Result<Accounts, StoreError> {
        match server_of(home) {
            Some(server) => Accounts::open_on(&server?),
            None => Accounts::open_file(&home.join(FILE)),
        }
    }

    /// Opens the accounts at this path, or begins them. Whoever else could read the file cannot any more.
    pub fn open_file(path: &Path) -> Result<Accounts, StoreError> {
        private::make_private(path)?;
        Ok(Accounts { base: Base::open_file(path, &schema::FILE_SCHEMA)? })
    }

    /// Opens the accounts of a server and all surveys on it, or begins them.
    pub fn open_on(server: &Server) -> Result<Accounts, StoreError> {
        Ok(Accounts { base: Base::open_on(server, ACCOUNTS_SCHEMA, &schema::SERVER_SCHEMA)? })
    }

    /// What is wrong with the accounts at this path, which are only read.
    pub fn damage_at(path: &Path) -> Result<Vec<String>, StoreError> {
        Base::read_file(path, &schema::FILE_SCHEMA)?.damage()
    }

    /// A statement that must not be applied twice, since what it says of itself would be another thing.
    fn changes(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64, StoreError> {
        self.base.write(Repeat::Once, |db| db.run(sql, args))
    }

    fn one<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        read: fn(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        self.base.read(|db| db.first(sql, args, read))
    }

    fn all<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        read: fn(&SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.base.read(|db| db.all(sql, args, read))
    }
}

const USER: &str = "name, role, password, made_at";
const SESSION: &str = "key, \"user\", csrf, expires_at, made_at, last_seen";
const TOKEN: &str = "id, hash, name, role, made_at, last_used, expires_at";

fn role(row: &SqlRow<'_>, at: usize) -> Result<Role, StoreError> {
    let word: String = row.get(at)?;
    Role::named(&word).ok_or_else(|| damaged("no such role"))
}

fn user(row: &SqlRow<'_>) -> Result<User, StoreError> {
    Ok(User { name: row.get(0)?, role: role(row, 1)?, password: row.get(2)?, made_at: row.get(3)? })
}

fn session(row: &SqlRow<'_>) -> Result<Session, StoreError> {
    Ok(Session {
        key: row.get(0)?,
        user: row.get(1)?,
        csrf: row.get(2)?,
        expires_at: row.get(3)?,
        made_at: row.get(4)?,
        last_seen: row.get(5)?,
    })
}

fn token(row: &SqlRow<'_>) -> Result<Token, StoreError> {
    Ok(Token {
        id: row.get::<i64>(0)?.cast_unsigned(),
        hash: row.get(1)?,
        name: row.get(2)?,
        role: role(row, 3)?,
        made_at: row.get(4)?,
        last_used: row.get(5)?,
        expires_at: row.get(6)?,
    })
}

impl Accounts {
    /// All users, by name.
    pub fn users(&mut self) -> Result<Vec<User>, StoreError> {
        self.all(&format!("SELECT {USER} FROM \"user\" ORDER BY name"), &[], user)
    }

    /// A user by name.
    pub fn user(&mut self, name: &str) -> Result<Option<User>, StoreError> {
        self.one(&format!("SELECT {USER} FROM \"user\" WHERE name = ?1"), &args![name], user)
    }

    /// Adds a user. False if there is one of this name already.
    pub fn add_user(&mut self, user: &User) -> Result<bool, StoreError> {
        let sql = format!("INSERT INTO \"user\" ({USER}) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING");
        Ok(self.changes(&sql, &args![&user.name, user.role.name(), &user.password, user.made_at])? > 0)
    }

    /// Gives a user another password and role; the day it was made stays. False if there is no such user.
    pub fn replace_user(&mut self, user: &User) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| {
            let found = db.run(
                "UPDATE \"user\" SET role = ?2, password = ?3 WHERE name = ?1",
                &args![&user.name, user.role.name(), &user.password],
            )?;
            db.run("DELETE FROM session WHERE \"user\" = ?1", &args![&user.name])?;
            Ok(found > 0)
        })
    }

    /// Removes a user. False if there is none.
    pub fn remove_user(&mut self, name: &str) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| {
            let found = db.run("DELETE FROM \"user\" WHERE name = ?1", &args![name])?;
            db.run("DELETE FROM session WHERE \"user\" = ?1", &args![name])?;
            Ok(found > 0)
        })
    }

    /// Opens a session. False if its user is not there (any more), or its key is taken.
    pub fn open_session(&mut self, session: &Session) -> Result<bool, StoreError> {
        self.base.write(Repeat::Once, |db| {
            let sql = format!(
                "INSERT INTO session ({SESSION}) SELECT ?1, ?2, ?3, ?4, ?5, ?6
             WHERE ?2 = '' OR EXISTS (SELECT 1 FROM \"user\" WHERE name = ?2) ON CONFLICT DO NOTHING"
            );
            let Session { key, user, csrf, expires_at, made_at, last_seen } = session;
            let opened = db.run(&sql, &args![key, user, csrf, *expires_at, *made_at, *last_seen])?;
            db.run(
                "DELETE FROM session WHERE key IN (SELECT key FROM session WHERE \"user\" = ?1 AND key <> ?3
             ORDER BY last_seen DESC, key LIMIT ?4 OFFSET ?2)",
                &args![user, SESSIONS - 1, key, i64::MAX],
            )?;
            Ok(opened > 0)
        })
    }

    /// The session with this key, unless it has run out.
    pub fn session(&mut self, key: &Hash, now: i64) -> Result<Option<Session>, StoreError> {
        self.one(
            &format!("SELECT {SESSION} FROM session WHERE key = ?1 AND expires_at > ?2"),
            &args![key, now],
            session,
        )
    }

    /// It was seen, and lasts until `expires_at` from now on. False if it is not there.
    pub fn touch_session(&mut self, key: &Hash, seen: i64, expires_at: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE session SET last_seen = ?2, expires_at = ?3 WHERE key = ?1 AND expires_at > ?2";
        self.base.touch(|db| Ok(db.run(sql, &args![key, seen, expires_at])? > 0))
    }

    /// Ends a session. False if it is not there.
    pub fn close_session(&mut self, key: &Hash) -> Result<bool, StoreError> {
        Ok(self.changes("DELETE FROM session WHERE key = ?1", &args![key])? > 0)
    }

    /// Ends all sessions of a user. Returns how many.
    pub fn close_sessions(&mut self, user: &str) -> Result<u64, StoreError> {
        self.changes("DELETE FROM session WHERE \"user\" = ?1", &args![user])
    }

    /// The sessions of a user that have not run out, the latest seen first.
    pub fn sessions(&mut self, user: &str, now: i64) -> Result<Vec<Session>, StoreError> {
        let sql = format!(
            "SELECT {SESSION} FROM session WHERE \"user\" = ?1 AND expires_at > ?2 ORDER BY last_seen DESC, key"
        );
        self.all(&sql, &args![user, now], session)
    }

    /// Forgets sessions that have run out. Returns how many.
    pub fn purge(&mut self, now: i64) -> Result<u64, StoreError> {
        self.changes("DELETE FROM session WHERE expires_at <= ?1", &args![now])
    }

    /// Adds a token (id 0); its number. `None` if there is one of this name or hash.
    pub fn add_token(&mut self, token: &Token) -> Result<Option<u64>, StoreError> {
        let sql = "INSERT INTO token (hash, name, role, made_at, last_used, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT DO NOTHING RETURNING id";
        let Token { hash, name, role, made_at, last_used, expires_at, .. } = token;
        let params = args![hash, name, role.name(), *made_at, *last_used, *expires_at];
        self.base.write(Repeat::Once, |db| db.first(sql, &params, |row| row.get::<i64>(0).map(i64::cast_unsigned)))
    }

    /// The token with this hash, unless it has run out.
    pub fn token(&mut self, hash: &Hash, now: i64) -> Result<Option<Token>, StoreError> {
        let sql = format!("SELECT {TOKEN} FROM token WHERE hash = ?1 AND (expires_at IS NULL OR expires_at > ?2)");
        self.one(&sql, &args![hash, now], token)
    }

    /// A token was used.
    pub fn touch_token(&mut self, id: u64, used: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE token SET last_used = ?2 WHERE id = ?1";
        self.base.touch(|db| Ok(db.run(sql, &args![id.cast_signed(), used])? > 0))
    }

    /// All tokens, also those that have run out, oldest first.
    pub fn tokens(&mut self) -> Result<Vec<Token>, StoreError> {
        self.all(&format!("SELECT {TOKEN} FROM token ORDER BY id"), &[], token)
    }

    /// Removes a token. False if there is none.
    pub fn remove_token(&mut self, id: u64) -> Result<bool, StoreError> {
        Ok(self.changes("DELETE FROM token WHERE id = ?1", &args![id.cast_signed()])? > 0)
    }

    /// A value of the desk.
    pub fn value(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        self.one("SELECT value FROM setting WHERE key = ?1", &args![key], |row| row.get(0))
    }

    /// Sets a value of the desk, or takes it away.
    pub fn set_value(&mut self, key: &str, value: Option<&str>) -> Result<(), StoreError> {
        self.base.write(Repeat::Harmless, |db| {
            let Some(value) = value else {
                return db.run("DELETE FROM setting WHERE key = ?1", &args![key]).map(|_| ());
            };
            if db.run("UPDATE setting SET value = ?2 WHERE key = ?1", &args![key, value])? == 0 {
                db.run("INSERT INTO setting (key, value) VALUES (?1, ?2)", &args![key, value])?;
            }
            Ok(())
        })
    }
}
