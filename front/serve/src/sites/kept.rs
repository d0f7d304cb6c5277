//! What is dear to compute and kept: made anew in the background when the survey changed, the old one being shown meanwhile.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use groma_store::{Snapshot, Stamp};

use super::{Site, locked};
use crate::error::Problem;

/// It is made anew at most this often.
const LEAST_AGE: Duration = Duration::from_secs(3);
/// And never so often that more than one part in this many of the time goes into it.
const SHARE: u32 = 8;

/// What nobody asked for so long is let go.
const UNUSED: Duration = Duration::from_secs(15 * 60);
/// What took no longer than this is waited for rather than shown old.
const QUICK: Duration = Duration::from_millis(150);

/// One at a time of all sites: they are the largest things in memory while they are made.
static MAKING: Mutex<()> = Mutex::new(());

/// Something made of a survey.
pub(super) struct Kept<T> {
    state: Mutex<State<T>>,
    made: Condvar,
    /// It needs little memory while it is made, and waits for nothing else.
    light: bool,
    /// It depends on what URLs outside answered, too.
    outside: bool,
}

/// What the survey looked like, and what URLs outside answered.
type Stamps = (Option<Stamp>, Option<Stamp>);

struct State<T> {
    value: Option<Arc<T>>,
    /// What the survey looked like when it was read.
    stamp: Stamps,
    at: Option<Instant>,
    cost: Duration,
    making: bool,
    used: Option<Instant>,
    failed: Option<Problem>,
}

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        let state = State {
            value: None,
            stamp: (None, None),
            at: None,
            cost: Duration::ZERO,
            making: false,
            used: None,
            failed: None,
        };
        Kept { state: Mutex::new(state), made: Condvar::new(), light: false, outside: false }
    }
}

impl<T> Kept<T> {
    /// For what needs little memory while it is made.
    pub(super) fn light() -> Kept<T> {
        Kept { light: true, ..Kept::default() }
    }
}

impl<T> Kept<T> {
    /// For what depends on what URLs outside answered, too.
    pub(super) fn with_outside() -> Kept<T> {
        Kept { outside: true, ..Kept::default() }
    }

    fn stamps(&self, site: &Site) -> Stamps {
        let outside = if self.outside { site.folder.outside_stamp() } else { None };
        (site.folder.stamp(), outside)
    }
}

impl<T> fmt::Debug for Kept<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

type Make<T> = fn(&Site, &mut dyn Snapshot) -> Result<T, Problem>;

impl<T: Send + Sync + 'static> Kept<T> {
    /// The value, perhaps a little old. The first time it is waited for.
    pub(super) fn get(&self, site: &Arc<Site>, of: fn(&Site) -> &Kept<T>, make: Make<T>) -> Result<Arc<T>, Problem> {
        let stamp = self.stamps(site);
        let mut state = locked(&self.state);
        state.used = Some(Instant::now());
        loop {
            let fresh = state.stamp == stamp && stamp.0.is_some();
            let rest = LEAST_AGE.max(state.cost * SHARE);
            let rested = state.at.is_none_or(|at| at.elapsed() >= rest);
            match (&state.value, &state.failed) {
                (Some(value), _) if fresh || state.making || !rested => return Ok(Arc::clone(value)),
                (Some(_), _) if state.cost <= QUICK => {
                    state.making = true;
                    drop(state);
                    self.make(site, make);
                    state = locked(&self.state);
                    if let Some(value) = &state.value {
                        return Ok(Arc::clone(value));
                    }
                }
                (Some(value), _) => {
                    let value = Arc::clone(value);
                    state.making = true;
                    drop(state);
                    let site = Arc::clone(site);
                    let made = std::thread::Builder::new().name("redraw".into()).spawn(move || {
                        of(&site).make(&site, make);
                    });
                    if made.is_err() {
                        locked(&self.state).making = false;
                    }
                    return Ok(value);
                }
                (None, Some(problem)) if fresh && !state.making => return Err(problem.clone()),
                (None, Some(problem)) if !rested && !state.making => return Err(problem.clone()),
                (None, _) if state.making => {
                    state = self.made.wait(state).unwrap_or_else(PoisonError::into_inner);
                    if let (None, Some(problem)) = (&state.value, &state.failed) {
                        return Err(problem.clone());
                    }
                }
                (None, _) => {
                    state.making = true;
                    drop(state);
                    self.make(site, make);
                    state = locked(&self.state);
                    if let (None, Some(problem)) = (&state.value, &state.failed) {
                        return Err(problem.clone());
                    }
                }
            }
        }
    }

    fn make(&self, site: &Site, make: Make<T>) {
        let _one = (!self.light).then(|| locked(&MAKING));
        let began = Instant::now();
        let stamp = self.stamps(site);
        let work = std::panic::AssertUnwindSafe(|| {
            let mut view = site.read()?;
            make(site, &mut **view)
        });
        let fell = |_| Err(Problem::ours(crate::words::FELL, crate::words::FELL_HINT));
        let made = std::panic::catch_unwind(work).unwrap_or_else(fell);
        let mut state = locked(&self.state);
        state.making = false;
        state.stamp = stamp;
        state.at = Some(Instant::now());
        state.cost = began.elapsed();
        match made {
            Ok(value) => (state.value, state.failed) = (Some(Arc::new(value)), None),
            Err(problem) => {
                // A survey started over has nothing of the old one.
                if !site.exists() || problem.status == axum::http::StatusCode::CONFLICT {
                    state.value = None;
                }
                state.failed = Some(problem);
            }
        }
        drop(state);
        self.made.notify_all();
    }

    /// Lets go of it if nobody made use of it for a while.
    pub(super) fn forget_unused(&self) {
        let mut state = locked(&self.state);
        if !state.making && state.used.is_none_or(|at| at.elapsed() >= UNUSED) {
            (state.value, state.stamp, state.at) = (None, (None, None), None);
        }
    }
}
