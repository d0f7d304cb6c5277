//! Users as the command line makes them: before the server runs, or beside it.

use std::path::Path;

use groma_settings::clock::now;
use groma_store::StoreError;
use groma_store::accounts::{self, Accounts, User, is_name};

pub use groma_store::accounts::Role;

use super::password;
use crate::words;

/// Why a user was not made or changed.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// Nobody can be called so.
    #[error("{0:?} cannot be a name")]
    BadName(String),
    /// The password cannot be taken.
    #[error("{0}")]
    BadPassword(&'static str),
    /// There is no such user.
    #[error("there is no user {0:?}")]
    Missing(String),
    /// There is one already.
    #[error("there is a user {0:?} already")]
    Taken(String),
    /// A token cannot hold so long.
    #[error("{0:?} is no time for which a token can hold")]
    BadDays(String),
    /// There is no such token.
    #[error("there is no token {0:?}")]
    NoToken(String),
    /// The file could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PeopleError {
    /// What to do next.
    pub fn hint(&self) -> &'static str {
        match self {
            PeopleError::BadName(_) => words::NAME_HINT,
            PeopleError::BadPassword(_) => "take 10 to 200 letters, best a few words that nobody would put together",
            PeopleError::BadDays(_) => "give a number of days from 1 to 3650, or `never`",
            PeopleError::Missing(_) | PeopleError::NoToken(_) => "`groma user` lists users and tokens",
            PeopleError::Taken(_) => words::USER_TAKEN_HINT,
            PeopleError::Store(error) => error.hint(),
        }
    }
}

/// The accounts kept in this folder.
fn desk(home: &Path) -> Result<Accounts, StoreError> {
    Accounts::of_home(home)
}

pub(crate) fn made(name: &str, role: Role, password: &str) -> Result<User, PeopleError> {
    if !is_name(name) {
        return Err(PeopleError::BadName(words::short(name)));
    }
    let password = password::hash(password).map_err(PeopleError::BadPassword)?;
    let made_at = now();
    Ok(User { name: name.to_owned(), role, password, made_at })
}

/// Adds a user to the accounts of a home folder.
pub fn add(home: &Path, name: &str, role: Role, password: &str) -> Result<(), PeopleError> {
    let user = made(name, role, password)?;
    add_to(&mut desk(home)?, &user)
}

/// Adds a user; whoever came in without one, by the start key, has to log in from now on.
pub(crate) fn add_to(desk: &mut Accounts, user: &User) -> Result<(), PeopleError> {
    if !desk.add_user(user)? {
        return Err(PeopleError::Taken(user.name.clone()));
    }
    desk.close_sessions("")?;
    Ok(())
}

/// Gives a user another password and role; all sessions of the user end.
pub fn change(home: &Path, name: &str, role: Role, password: &str) -> Result<(), PeopleError> {
    let user = made(name, role, password)?;
    if desk(home)?.replace_user(&user)? { Ok(()) } else { Err(PeopleError::Missing(user.name)) }
}

/// Removes a user; all sessions of the user end.
pub fn remove(home: &Path, name: &str) -> Result<(), PeopleError> {
    if desk(home)?.remove_user(name)? { Ok(()) } else { Err(PeopleError::Missing(words::short(name))) }
}

/// The users: name and role.
pub fn all(home: &Path) -> Result<Vec<(String, Role)>, PeopleError> {
    Ok(desk(home)?.users()?.into_iter().map(|user| (user.name, user.role)).collect())
}

/// Days a token holds if nobody says otherwise.
pub const TOKEN_DAYS: u32 = 90;
/// Days a token can hold at most; it may also be said that it holds until it is revoked.
pub const MOST_TOKEN_DAYS: u32 = 3650;

/// How long a token is to hold, as people write it: a number of days, `never` (it does not expire), or nothing (the usual time).
pub fn token_days(text: &str) -> Result<Option<u32>, PeopleError> {
    match text.trim() {
        "" => Ok(Some(TOKEN_DAYS)),
        "never" => Ok(None),
        text => {
            let days = text.parse().ok().filter(|days| (1..=MOST_TOKEN_DAYS).contains(days));
            days.map(Some).ok_or_else(|| PeopleError::BadDays(words::short(text)))
        }
    }
}

/// Makes a token for a program that holds for so many days (nothing: until it is revoked); its secret, which is shown once and
/// kept nowhere.
pub fn make_token(home: &Path, name: &str, role: Role, days: Option<u32>) -> Result<String, PeopleError> {
    let (token, secret) = new_token(name, role, days)?;
    match desk(home)?.add_token(&token)? {
        Some(_) => Ok(secret),
        None => Err(PeopleError::Taken(token.name)),
    }
}

/// A token to be added, and its secret.
pub(crate) fn new_token(name: &str, role: Role, days: Option<u32>) -> Result<(accounts::Token, String), PeopleError> {
    if !is_name(name) {
        return Err(PeopleError::BadName(words::short(name)));
    }
    let secret = super::secret::fresh().map_err(|_| PeopleError::BadPassword(words::NO_CHANCE))?;
    let made_at = now();
    let expires_at = days.map(|days| made_at + i64::from(days) * 86_400);
    let hash = super::secret::hash(&secret);
    let token = accounts::Token { id: 0, hash, name: name.to_owned(), role, made_at, last_used: 0, expires_at };
    Ok((token, secret))
}

/// A token as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /// What people call it.
    pub name: String,
    /// What its bearer may do.
    pub role: Role,
    /// Until when it holds, in seconds since 1970; nothing: until it is revoked.
    pub expires_at: Option<i64>,
}

/// The tokens, oldest first.
pub fn tokens(home: &Path) -> Result<Vec<TokenInfo>, PeopleError> {
    let row = |token: accounts::Token| TokenInfo { name: token.name, role: token.role, expires_at: token.expires_at };
    Ok(desk(home)?.tokens()?.into_iter().map(row).collect())
}

/// Takes a token back.
pub fn revoke(home: &Path, name: &str) -> Result<(), PeopleError> {
    let mut desk = desk(home)?;
    let known = desk.tokens()?.into_iter().find(|token| token.name == name);
    let removed = match known {
        Some(token) => desk.remove_token(token.id)?,
        None => false,
    };
    if removed { Ok(()) } else { Err(PeopleError::NoToken(words::short(name))) }
}
