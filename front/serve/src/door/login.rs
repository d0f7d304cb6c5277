//! Coming in with a name and a password, and going out again.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, StatusCode};

use groma_store::accounts::Session;

use super::accounts::IDLE;
use super::visitor::{Right, Visitor};
use super::{cookie, password, secret};
use crate::app::{App, now};
use crate::error::Problem;
use crate::server::seats::network;
use crate::words;

/// Wrong tries that cost nothing but the time of a hash.
const FREE: u32 = 5;
/// The longest a URL has to wait after another wrong try.
const ADDRESS_WAIT: Duration = Duration::from_secs(15 * 60);
/// The longest a name has to wait: short, or anybody could lock anybody out.
const NAME_WAIT: Duration = Duration::from_secs(30);
/// Wrong tries are forgotten after this.
const FORGOTTEN: Duration = Duration::from_secs(60 * 60);
/// URLs and names remembered.
const MOST: usize = 10_000;
/// Passwords hashed at a time: each takes 19 MB.
const HASHES: usize = 2;

/// Who tried and failed lately.
#[derive(Debug)]
pub(crate) struct Tries {
    by_address: Mutex<HashMap<IpAddr, Failed>>,
    by_name: Mutex<HashMap<groma_store::accounts::Hash, Failed>>,
    hashes: tokio::sync::Semaphore,
}

#[derive(Clone, Copy, Debug)]
struct Failed {
    count: u32,
    last: Instant,
}

impl Default for Tries {
    fn default() -> Tries {
        let hashes = tokio::sync::Semaphore::new(HASHES);
        Tries { by_address: Mutex::default(), by_name: Mutex::default(), hashes }
    }
}

impl Failed {
    /// How long the next try has to wait.
    fn wait(&self, longest: Duration, now: Instant) -> Duration {
        if self.count < FREE {
            return Duration::ZERO;
        }
        let doubled = Duration::from_secs(1 << (self.count - FREE).min(20));
        (self.last + doubled.min(longest)).saturating_duration_since(now)
    }
}

fn wait<K: Hash + Eq>(tries: &Mutex<HashMap<K, Failed>>, key: &K, longest: Duration, now: Instant) -> Duration {
    let tries = tries.lock().unwrap_or_else(PoisonError::into_inner);
    tries.get(key).map_or(Duration::ZERO, |failed| failed.wait(longest, now))
}

/// Counts a try as wrong before it is known: those that come at the same time do not all slip through.
fn count<K: Hash + Eq + Clone>(tries: &Mutex<HashMap<K, Failed>>, key: K, now: Instant) {
    let mut tries = tries.lock().unwrap_or_else(PoisonError::into_inner);
    if tries.len() >= MOST && !tries.contains_key(&key) {
        tries.retain(|_, failed| now.duration_since(failed.last) < FORGOTTEN);
        if tries.len() >= MOST
            && let Some(oldest) = tries.iter().min_by_key(|(_, failed)| failed.last).map(|(key, _)| key.clone())
        {
            tries.remove(&oldest);
        }
    }
    let failed = tries.entry(key).or_insert(Failed { count: 0, last: now });
    if now.duration_since(failed.last) >= FORGOTTEN {
        failed.count = 0;
    }
    *failed = Failed { count: failed.count.saturating_add(1), last: now };
}

/// Lets somebody in: the header that sets the new session's cookie.
pub(crate) async fn sign_in(
    app: &Arc<App>,
    visitor: &Visitor,
    name: &str,
    password: &str,
) -> Result<HeaderValue, Problem> {
    let (address, by_name, began) = (network(visitor.from.0), secret::hash(name), Instant::now());
    let tries = &app.tries;
    let rest =
        wait(&tries.by_address, &address, ADDRESS_WAIT, began).max(wait(&tries.by_name, &by_name, NAME_WAIT, began));
    if !rest.is_zero() {
        let seconds = rest.as_secs() + 1;
        app.metrics.refused.inc();
        let problem =
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "there were too many wrong passwords", words::wait(seconds));
        return Err(problem.after(seconds));
    }
    count(&tries.by_address, address, began);
    count(&tries.by_name, by_name, began);
    let _turn = tries.hashes.acquire().await.map_err(|_| Problem::busy())?;
    let (asked, typed, before) = (name.to_owned(), password.to_owned(), visitor.right.clone());
    let opened = app
        .work(move |app| {
            let user = app.accounts.user(&asked)?;
            if !password::is_right(&typed, user.as_ref().map(|user| user.password.as_str())) {
                return Ok(None);
            }
            let (value, csrf, at) = (secret::fresh()?, secret::fresh()?, now());
            let key = secret::hash(&value);
            let session = Session { key, user: asked, csrf, expires_at: at + IDLE, made_at: at, last_seen: at };
            let mut desk = app.accounts.desk();
            if let Right::Session(old) = before {
                desk.close_session(&old)?;
            }
            desk.purge(at)?;
            Ok(desk.open_session(&session)?.then_some(value))
        })
        .await?;
    let Some(value) = opened else {
        app.metrics.refused.inc();
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            "Wrong user name or password",
            "type them again; an admin can set another password with `groma user`",
        ));
    };
    tries.by_address.lock().unwrap_or_else(PoisonError::into_inner).remove(&address);
    tries.by_name.lock().unwrap_or_else(PoisonError::into_inner).remove(&by_name);
    Ok(cookie::set(&app.options, &value, Some(cookie::LONGEST)))
}

/// Lets the owner of a server without users in by its start key, which is used up by it: the header that sets the session's
/// cookie; nothing if it is not the key.
pub(super) async fn start_session(app: &Arc<App>, key: &str) -> Result<Option<HeaderValue>, Problem> {
    let key = key.to_owned();
    let opened = app.work(move |app| {
        if !app.start.use_up(&key).map_err(|error| Problem::ours(error.to_string(), error.hint()))? {
            app.metrics.refused.inc();
            return Ok(None);
        }
        let (value, csrf, at) = (secret::fresh()?, secret::fresh()?, now());
        let key = secret::hash(&value);
        let session = Session { key, user: String::new(), csrf, expires_at: at + IDLE, made_at: at, last_seen: at };
        let mut desk = app.accounts.desk();
        desk.purge(at)?;
        Ok(desk.open_session(&session)?.then_some(value))
    });
    Ok(opened.await?.map(|value| cookie::set(&app.options, &value, Some(cookie::LONGEST))))
}

/// The same with what was typed: the key, or the URL that holds it.
pub(crate) async fn sign_in_by_key(app: &Arc<App>, typed: &str) -> Result<HeaderValue, Problem> {
    let typed = typed.trim();
    let key = typed.rsplit("key=").next().and_then(|rest| rest.split('&').next()).unwrap_or_default();
    let wrong = || Problem::forbidden(words::KEY_USED, words::no_key_hint(app.options.listen));
    if !secret::is_one(key) {
        return Err(wrong());
    }
    start_session(app, key).await?.ok_or_else(wrong)
}

/// Ends the session, or all sessions of its user: the header that takes the cookie away.
pub(crate) async fn sign_out(app: &Arc<App>, visitor: &Visitor, everywhere: bool) -> Result<HeaderValue, Problem> {
    let (right, name) = (visitor.right.clone(), visitor.name.clone());
    app.work(move |app| {
        let mut desk = app.accounts.desk();
        match (right, name) {
            (Right::Session(_), name) if everywhere => drop(desk.close_sessions(&name.unwrap_or_default())?),
            (Right::Session(key), _) => drop(desk.close_session(&key)?),
            _ => {}
        }
        Ok(())
    })
    .await?;
    Ok(cookie::set(&app.options, "", Some(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let start = Instant::now();
        let wait = |count, later| Failed { count, last: start }.wait(ADDRESS_WAIT, start + Duration::from_secs(later));
        assert_eq!(wait(4, 0), Duration::ZERO);
        assert_eq!((wait(5, 0), wait(8, 0)), (Duration::from_secs(1), Duration::from_secs(8)));
        assert_eq!(wait(8, 8), Duration::ZERO);
        assert_eq!(wait(u32::MAX, 0), ADDRESS_WAIT);
    }

    #[test]
    fn memory_of_wrong_tries_is_bounded() {
        let tries = Mutex::default();
        let now = Instant::now();
        for number in 0..(MOST as u32 + 500) {
            count(&tries, number, now + Duration::from_millis(u64::from(number)));
        }
        let tries = tries.into_inner().unwrap();
        assert_eq!(tries.len(), MOST);
        assert!(!tries.contains_key(&0) && tries.contains_key(&(MOST as u32 + 499)), "the oldest went");
    }
}
