//! Somebody who looks on while a task runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_tasks::observer::{Observer, Step};

/// Looks on, and says stop when the function says no.
pub(crate) struct Watching<F> {
    goes_on: F,
    stop: Arc<AtomicBool>,
}

impl<F: FnMut(Step<'_>) -> bool> Watching<F> {
    pub(crate) fn new(goes_on: F) -> Watching<F> {
        Watching { goes_on, stop: Arc::default() }
    }
}

impl<F: FnMut(Step<'_>) -> bool> Observer for Watching<F> {
    fn step(&mut self, step: Step<'_>) {
        if !(self.goes_on)(step) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn note(&mut self, _line: &str) {}

    fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }
}

pub(crate) fn going_on() -> impl Observer {
    Watching::new(|_| true)
}
