//! Users, sessions and tokens as the door needs them: read often, changed seldom, so what was read is remembered for a moment.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use groma_store::StoreError;
use groma_store::accounts::{self, Hash, Role, Session, Token, User};

use super::cookie;

/// So long an answer is remembered: a user removed by another process is out after it.
const REMEMBERED: Duration = Duration::from_secs(2);
/// Answers remembered at most.
const MOST: usize = 1_000;
/// A session that was not seen for so many seconds is over.
pub(crate) const IDLE: i64 = 12 * 3600;
/// That a session was seen is written down at most this often, in seconds.
const TOUCH: i64 = 60;

/// The accounts of the server.
pub(crate) struct Accounts {
    desk: Mutex<accounts::Accounts>,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    any_user: Option<(bool, Instant)>,
    sessions: HashMap<Hash, (Option<Entered>, Instant)>,
    tokens: HashMap<Hash, (Option<Token>, Instant)>,
}

/// A session with what its user may do. One without a user's name holds only where there are no users: who asks looks after that.
#[derive(Clone, Debug)]
pub(crate) struct Entered {
    pub(crate) session: Session,
    pub(crate) role: Role,
}

impl Accounts {
    /// Opens `desk.db` in the home folder, or the accounts on its server.
    pub(crate) fn open(home: &Path) -> Result<Accounts, StoreError> {
        let desk = accounts::Accounts::of_home(home)?;
        Ok(Accounts { desk: Mutex::new(desk), memory: Mutex::default() })
    }

    /// The rows themselves, for whoever changes them; what was remembered is forgotten.
    pub(crate) fn desk(&self) -> MutexGuard<'_, accounts::Accounts> {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner);
        *self.memory() = Memory::default();
        desk
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn rows(&self) -> MutexGuard<'_, accounts::Accounts> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is there any user?
    pub(crate) fn has_users(&self) -> Result<bool, StoreError> {
        if let Some((any, at)) = self.memory().any_user
            && at.elapsed() < REMEMBERED
        {
            return Ok(any);
        }
        let any = !self.rows().users()?.is_empty();
        self.memory().any_user = Some((any, Instant::now()));
        Ok(any)
    }

    /// Can the rows be read?
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.rows().value("health").map(drop)
    }

    pub(crate) fn user(&self, name: &str) -> Result<Option<User>, StoreError> {
        self.rows().user(name)
    }

    /// The session with this secret, if it still holds; that it was seen is written down now and then.
    pub(crate) fn enter(&self, secret: &str, now: i64) -> Result<Option<Entered>, StoreError> {
        let key = super::secret::hash(secret);
        if let Some((entered, at)) = self.memory().sessions.get(&key)
            && at.elapsed() < REMEMBERED
        {
            return Ok(entered.clone());
        }
        let mut rows = self.rows();
        let mut entered = None;
        if let Some(session) = rows.session(&key, now)? {
            let longest = session.made_at + cookie::LONGEST;
            if now - session.last_seen >= TOUCH {
                rows.touch_session(&key, now, (now + IDLE).min(longest))?;
            }
            entered = match rows.user(&session.user)? {
                Some(user) => Some(Entered { role: user.role, session }),
                // Opened with the start key of a server without users.
                None if session.user.is_empty() => Some(Entered { role: Role::Admin, session }),
                None => None,
            };
        }
        drop(rows);
        let mut memory = self.memory();
        make_room(&mut memory.sessions);
        memory.sessions.insert(key, (entered.clone(), Instant::now()));
        Ok(entered)
    }

    /// What is remembered of the session with this secret, if it is: costs no look into the file.
    pub(crate) fn remembered(&self, secret: &str) -> Option<Option<Entered>> {
        let key = super::secret::hash(secret);
        let memory = self.memory();
        let (entered, at) = memory.sessions.get(&key)?;
        (at.elapsed() < REMEMBERED).then(|| entered.clone())
    }

    /// The token with this secret, if it holds.
    pub(crate) fn token(&self, secret: &str, now: i64) -> Result<Option<Token>, StoreError> {
        let hash = super::secret::hash(secret);
        if let Some((token, at)) = self.memory().tokens.get(&hash)
            && at.elapsed() < REMEMBERED
        {
            return Ok(token.clone());
        }
        let mut rows = self.rows();
        let token = rows.token(&hash, now)?;
        if let Some(token) = token.as_ref().filter(|token| now - token.last_used >= TOUCH) {
            rows.touch_token(token.id, now)?;
        }
        drop(rows);
        let mut memory = self.memory();
        make_room(&mut memory.tokens);
        memory.tokens.insert(hash, (token.clone(), Instant::now()));
        Ok(token)
    }
}

/// Whoever sends made-up secrets does not fill the memory.
fn make_room<T>(memory: &mut HashMap<Hash, (T, Instant)>) {
    if memory.len() >= MOST {
        memory.clear();
    }
}
