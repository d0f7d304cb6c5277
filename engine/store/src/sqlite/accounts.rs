//! The accounts in a SQLite file of their own, for the eyes of its owner.
//!
//! Every commit is on the disk when the call returns (`synchronous = FULL`): who was locked out stays out, also after a power
//! cut.

use std::fs::OpenOptions;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Params, Row, TransactionBehavior, params};

use super::{BUSY_MS, cannot_open};
use crate::StoreError;
use crate::accounts::{Accounts, Hash, Role, SESSIONS, Session, Token, User};

/// The format this program writes.
const FORMAT: i64 = 1;

/// "GROA": Groma's accounts.
const APPLICATION: i64 = 0x4752_4f41;

const TABLES: &str = "
CREATE TABLE user (name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, made_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE session (
    key BLOB PRIMARY KEY, user TEXT NOT NULL, csrf TEXT NOT NULL, expires_at INTEGER NOT NULL, made_at INTEGER NOT NULL,
    last_seen INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX session_user ON session (user, last_seen);
CREATE TABLE token (
    id INTEGER PRIMARY KEY AUTOINCREMENT, hash BLOB NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
    made_at INTEGER NOT NULL, last_used INTEGER NOT NULL, expires_at INTEGER
);
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
";

/// Accounts in a SQLite file.
pub struct SqliteAccounts {
    db: Connection,
}

impl SqliteAccounts {
    /// Opens the accounts at this path, or begins them. Whoever else could read the file cannot any more.
    pub fn open(path: &Path) -> Result<SqliteAccounts, StoreError> {
        make_private(path)?;
        let mut db = Connection::open(path).map_err(|e| cannot_open(path, e))?;
        db.busy_timeout(std::time::Duration::from_millis(u64::from(BUSY_MS)))?;
        let foreign = |what: String| StoreError::Foreign { path: path.to_path_buf(), what };
        let application = db.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0));
        let application = application.map_err(|e| match e.sqlite_error_code() {
            Some(rusqlite::ErrorCode::NotADatabase) => foreign("this is no file of accounts".into()),
            _ => cannot_open(path, e),
        })?;
        if !matches!(application, 0 | APPLICATION) {
            return Err(foreign("this is no file of accounts".into()));
        }
        db.pragma_update(None, "journal_mode", "WAL").map_err(|e| cannot_open(path, e))?;
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "secure_delete", "ON")?;
        // Two processes may begin it at once: who comes second finds it made.
        let tx = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(|e| cannot_open(path, e))?;
        match tx.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0))? {
            FORMAT => {}
            0 => {
                let tables: i64 = tx.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
                if tables > 0 {
                    return Err(foreign("this is no file of accounts".into()));
                }
                tx.execute_batch(TABLES)?;
                tx.pragma_update(None, "application_id", APPLICATION)?;
                tx.pragma_update(None, "user_version", FORMAT)?;
            }
            found => return Err(foreign(format!("accounts of format {found}, this program reads {FORMAT}"))),
        }
        tx.commit()?;
        Ok(SqliteAccounts { db })
    }

    fn changes(&mut self, sql: &str, params: impl Params) -> Result<u64, StoreError> {
        Ok(self.db.prepare_cached(sql)?.execute(params)? as u64)
    }

    fn one<T>(
        &mut self,
        sql: &str,
        params: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        Ok(self.db.prepare_cached(sql)?.query_row(params, read).optional()?)
    }

    fn all<T>(
        &mut self,
        sql: &str,
        params: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map(params, read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// The log and the index of SQLite take over the rights of the file.
fn make_private(path: &Path) -> Result<(), StoreError> {
    let told = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::PermissionDenied | std::io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly(path.to_path_buf())
        }
        std::io::ErrorKind::StorageFull => StoreError::DiskFull,
        _ => StoreError::Io { path: path.to_path_buf(), source },
    };
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = options.open(path).map_err(told)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = file.metadata().map_err(told)?.permissions();
        if rights.mode() & 0o077 != 0 {
            file.set_permissions(std::fs::Permissions::from_mode(0o600)).map_err(told)?;
        }
    }
    drop(file);
    Ok(())
}

const USER: &str = "name, role, password, made_at";
const SESSION: &str = "key, user, csrf, expires_at, made_at, last_seen";
const TOKEN: &str = "id, hash, name, role, made_at, last_used, expires_at";

fn role(row: &Row<'_>, at: usize) -> rusqlite::Result<Role> {
    let word: String = row.get(at)?;
    let unknown = || rusqlite::Error::InvalidColumnType(at, word.clone(), rusqlite::types::Type::Text);
    Role::named(&word).ok_or_else(unknown)
}

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    Ok(User { name: row.get(0)?, role: role(row, 1)?, password: row.get(2)?, made_at: row.get(3)? })
}

fn session(row: &Row<'_>) -> rusqlite::Result<Session> {
    Ok(Session {
        key: row.get(0)?,
        user: row.get(1)?,
        csrf: row.get(2)?,
        expires_at: row.get(3)?,
        made_at: row.get(4)?,
        last_seen: row.get(5)?,
    })
}

fn token(row: &Row<'_>) -> rusqlite::Result<Token> {
    Ok(Token {
        id: row.get::<_, i64>(0)?.cast_unsigned(),
        hash: row.get(1)?,
        name: row.get(2)?,
        role: role(row, 3)?,
        made_at: row.get(4)?,
        last_used: row.get(5)?,
        expires_at: row.get(6)?,
    })
}

impl Accounts for SqliteAccounts {
    fn users(&mut self) -> Result<Vec<User>, StoreError> {
        self.all(&format!("SELECT {USER} FROM user ORDER BY name"), [], user)
    }

    fn user(&mut self, name: &str) -> Result<Option<User>, StoreError> {
        self.one(&format!("SELECT {USER} FROM user WHERE name = ?1"), [name], user)
    }

    fn add_user(&mut self, user: &User) -> Result<bool, StoreError> {
        let sql = format!("INSERT INTO user ({USER}) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING");
        Ok(self.changes(&sql, params![user.name, user.role.name(), user.password, user.made_at])? > 0)
    }

    fn replace_user(&mut self, user: &User) -> Result<bool, StoreError> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = tx.execute(
            "UPDATE user SET role = ?2, password = ?3 WHERE name = ?1",
            params![user.name, user.role.name(), user.password],
        )?;
        tx.execute("DELETE FROM session WHERE user = ?1", [&user.name])?;
        tx.commit()?;
        Ok(found > 0)
    }

    fn remove_user(&mut self, name: &str) -> Result<bool, StoreError> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = tx.execute("DELETE FROM user WHERE name = ?1", [name])?;
        tx.execute("DELETE FROM session WHERE user = ?1", [name])?;
        tx.commit()?;
        Ok(found > 0)
    }

    fn open_session(&mut self, session: &Session) -> Result<bool, StoreError> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = format!(
            "INSERT INTO session ({SESSION}) SELECT ?1, ?2, ?3, ?4, ?5, ?6
             WHERE ?2 = '' OR EXISTS (SELECT 1 FROM user WHERE name = ?2) ON CONFLICT DO NOTHING"
        );
        let Session { key, user, csrf, expires_at, made_at, last_seen } = session;
        let opened = tx.execute(&sql, params![key, user, csrf, expires_at, made_at, last_seen])?;
        tx.execute(
            "DELETE FROM session WHERE key IN (SELECT key FROM session WHERE user = ?1 AND key <> ?3
             ORDER BY last_seen DESC, key LIMIT -1 OFFSET ?2)",
            params![user, SESSIONS - 1, key],
        )?;
        tx.commit()?;
        Ok(opened > 0)
    }

    fn session(&mut self, key: &Hash, now: i64) -> Result<Option<Session>, StoreError> {
        self.one(
            &format!("SELECT {SESSION} FROM session WHERE key = ?1 AND expires_at > ?2"),
            params![key, now],
            session,
        )
    }

    fn touch_session(&mut self, key: &Hash, seen: i64, expires_at: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE session SET last_seen = ?2, expires_at = ?3 WHERE key = ?1 AND expires_at > ?2";
        Ok(self.changes(sql, params![key, seen, expires_at])? > 0)
    }

    fn close_session(&mut self, key: &Hash) -> Result<bool, StoreError> {
        Ok(self.changes("DELETE FROM session WHERE key = ?1", [key])? > 0)
    }

    fn close_sessions(&mut self, user: &str) -> Result<u64, StoreError> {
        self.changes("DELETE FROM session WHERE user = ?1", [user])
    }

    fn sessions(&mut self, user: &str, now: i64) -> Result<Vec<Session>, StoreError> {
        let sql =
            format!("SELECT {SESSION} FROM session WHERE user = ?1 AND expires_at > ?2 ORDER BY last_seen DESC, key");
        self.all(&sql, params![user, now], session)
    }

    fn purge(&mut self, now: i64) -> Result<u64, StoreError> {
        self.changes("DELETE FROM session WHERE expires_at <= ?1", [now])
    }

    fn add_token(&mut self, token: &Token) -> Result<Option<u64>, StoreError> {
        let sql = "INSERT INTO token (hash, name, role, made_at, last_used, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                   ON CONFLICT DO NOTHING RETURNING id";
        let Token { hash, name, role, made_at, last_used, expires_at, .. } = token;
        let params = params![hash, name, role.name(), made_at, last_used, expires_at];
        self.one(sql, params, |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
    }

    fn token(&mut self, hash: &Hash, now: i64) -> Result<Option<Token>, StoreError> {
        let sql = format!("SELECT {TOKEN} FROM token WHERE hash = ?1 AND (expires_at IS NULL OR expires_at > ?2)");
        self.one(&sql, params![hash, now], token)
    }

    fn touch_token(&mut self, id: u64, used: i64) -> Result<bool, StoreError> {
        Ok(self.changes("UPDATE token SET last_used = ?2 WHERE id = ?1", params![id.cast_signed(), used])? > 0)
    }

    fn tokens(&mut self) -> Result<Vec<Token>, StoreError> {
        self.all(&format!("SELECT {TOKEN} FROM token ORDER BY id"), [], token)
    }

    fn remove_token(&mut self, id: u64) -> Result<bool, StoreError> {
        Ok(self.changes("DELETE FROM token WHERE id = ?1", [id.cast_signed()])? > 0)
    }

    fn value(&mut self, key: &str) -> Result<Option<String>, StoreError> {
        self.one("SELECT value FROM setting WHERE key = ?1", [key], |row| row.get(0))
    }

    fn set_value(&mut self, key: &str, value: Option<&str>) -> Result<(), StoreError> {
        match value {
            Some(value) => self.changes(
                "INSERT INTO setting (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [key, value],
            )?,
            None => self.changes("DELETE FROM setting WHERE key = ?1", [key])?,
        };
        Ok(())
    }
}
