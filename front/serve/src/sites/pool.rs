//! Open surveys that are used again: opening one costs more than most questions to it.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use groma_store::jobs::Queue;
use groma_store::{Identity, Snapshot, StoreError};

/// Idle ones that are kept open.
const IDLE: usize = 4;

/// Something that can be lent again.
pub(crate) trait Lendable {
    /// Lets go of what it has seen; false if it cannot be used again.
    fn renew(&mut self) -> bool;
}

impl Lendable for Box<dyn Snapshot> {
    fn renew(&mut self) -> bool {
        Snapshot::renew(&mut **self).is_ok()
    }
}

impl Lendable for Queue {
    fn renew(&mut self) -> bool {
        true
    }
}

/// Idle ones, each with what it was opened on.
pub(super) struct Pool<T>(Mutex<Vec<(T, Identity)>>);

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(Mutex::new(Vec::new()))
    }
}

impl<T> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl<T: Lendable> Pool<T> {
    /// An idle one, or a new one.
    pub(super) fn lend(
        &self,
        identity: impl Fn() -> Option<Identity>,
        open: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<Lent<'_, T>, StoreError> {
        let here = identity();
        let idle = {
            let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            idle.retain(|(_, file)| Some(*file) == here);
            idle.pop()
        };
        let (thing, file) = match idle {
            Some((thing, file)) => (thing, Some(file)),
            None => {
                let thing = open()?;
                (thing, identity())
            }
        };
        Ok(Lent { thing: Some(thing), file, pool: self })
    }
}

/// Lent for one request.
pub(crate) struct Lent<'a, T: Lendable> {
    thing: Option<T>,
    file: Option<Identity>,
    pool: &'a Pool<T>,
}

impl<T: Lendable> Deref for Lent<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.thing.as_ref().expect("it is taken away only when it is dropped")
    }
}

impl<T: Lendable> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.thing.as_mut().expect("it is taken away only when it is dropped")
    }
}

impl<T: Lendable> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        // What a panic interrupted may be in any state.
        let (Some(mut thing), Some(file)) = (self.thing.take(), self.file) else { return };
        if std::thread::panicking() || !thing.renew() {
            return;
        }
        let mut idle = self.pool.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE {
            idle.push((thing, file));
        }
    }
}
