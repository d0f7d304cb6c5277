//! Who may use the web interface: users, their sessions, tokens of programs, and a few values of the desk itself.
//!
//! They live in a file of their own (`desk.db`) in the folder that `groma serve` runs in, readable by its owner only. No secret
//! is kept as it is: passwords come as argon2 strings, sessions and tokens as hashes of what the browser or program holds.
//!
//! Invariants, tested by the exam:
//! - a session belongs to a user who exists, or to nobody by name (the empty name: the desk of a machine without users);
//! - another password or another role ends all sessions of a user, as does removing the user, in the same transaction;
//! - a session or token that has run out is never found; a user has at most [`SESSIONS`] sessions, the longest unseen go first.

mod rows;

pub use rows::{Hash, Role, Session, Token, User, is_name};

use crate::StoreError;

/// Most sessions of one user.
pub const SESSIONS: u32 = 200;

/// The file's name in the folder the server runs in.
pub const FILE: &str = "desk.db";

/// The accounts of one desk. Any number of processes may use them at once. Times are seconds since 1970 and come from the
/// caller.
pub trait Accounts: Send {
    /// All users, by name.
    fn users(&mut self) -> Result<Vec<User>, StoreError>;

    /// A user by name.
    fn user(&mut self, name: &str) -> Result<Option<User>, StoreError>;

    /// Adds a user. False if there is one of this name already.
    fn add_user(&mut self, user: &User) -> Result<bool, StoreError>;

    /// Gives a user another password and role; the day it was made stays. False if there is no such user.
    fn replace_user(&mut self, user: &User) -> Result<bool, StoreError>;

    /// Removes a user. False if there is none.
    fn remove_user(&mut self, name: &str) -> Result<bool, StoreError>;

    /// Opens a session. False if its user is not there (any more), or its key is taken.
    fn open_session(&mut self, session: &Session) -> Result<bool, StoreError>;

    /// The session with this key, unless it has run out.
    fn session(&mut self, key: &Hash, now: i64) -> Result<Option<Session>, StoreError>;

    /// It was seen, and lasts until `expires_at` from now on. False if it is not there.
    fn touch_session(&mut self, key: &Hash, seen: i64, expires_at: i64) -> Result<bool, StoreError>;

    /// Ends a session. False if it is not there.
    fn close_session(&mut self, key: &Hash) -> Result<bool, StoreError>;

    /// Ends all sessions of a user. Returns how many.
    fn close_sessions(&mut self, user: &str) -> Result<u64, StoreError>;

    /// The sessions of a user that have not run out, the latest seen first.
    fn sessions(&mut self, user: &str, now: i64) -> Result<Vec<Session>, StoreError>;

    /// Forgets sessions that have run out. Returns how many.
    fn purge(&mut self, now: i64) -> Result<u64, StoreError>;

    /// Adds a token (id 0); its number. `None` if there is one of this name or hash.
    fn add_token(&mut self, token: &Token) -> Result<Option<u64>, StoreError>;

    /// The token with this hash, unless it has run out.
    fn token(&mut self, hash: &Hash, now: i64) -> Result<Option<Token>, StoreError>;

    /// A token was used.
    fn touch_token(&mut self, id: u64, used: i64) -> Result<bool, StoreError>;

    /// All tokens, also those that have run out, oldest first.
    fn tokens(&mut self) -> Result<Vec<Token>, StoreError>;

    /// Removes a token. False if there is none.
    fn remove_token(&mut self, id: u64) -> Result<bool, StoreError>;

    /// A value of the desk.
    fn value(&mut self, key: &str) -> Result<Option<String>, StoreError>;

    /// Sets a value of the desk, or takes it away.
    fn set_value(&mut self, key: &str, value: Option<&str>) -> Result<(), StoreError>;
}
