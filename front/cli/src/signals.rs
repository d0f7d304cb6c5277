//! Ctrl-C and SIGTERM: a wish to stop, for those who look whether somebody has it.

use std::cell::OnceCell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use groma_settings::Fault;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Exit;

/// Signals that are taken over when somebody first asks for them.
#[derive(Default)]
pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    /// Nobody looks at `stop`: the next signal does what it does to any program.
    unwatched: Arc<AtomicBool>,
    taken: OnceCell<()>,
}

impl Signals {
    /// Set by the first signal from now on; the second ends the program at once, which no store minds.
    pub(crate) fn take(&self) -> &Arc<AtomicBool> {
        self.unwatched.store(false, Ordering::Relaxed);
        self.taken.get_or_init(|| {
            // A system that refuses leaves signals what they were: they end the program.
            let _ = register(&self.stop, &self.unwatched);
        });
        &self.stop
    }

    /// From now on the first signal ends the program; so does one that came when nobody looked any more.
    pub(crate) fn give_back(&self) {
        self.unwatched.store(true, Ordering::Relaxed);
        if self.stop.load(Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    }
}

/// Ctrl-C or SIGTERM once: the flag is set. Twice: the end, at once; the store is consistent at any moment.
pub(crate) fn on_signals() -> Result<Arc<AtomicBool>, Fault> {
    let stop = Arc::new(AtomicBool::new(false));
    register(&stop, &Arc::new(AtomicBool::new(false)))?;
    Ok(stop)
}

fn register(stop: &Arc<AtomicBool>, unwatched: &Arc<AtomicBool>) -> io::Result<()> {
    for signal in [SIGINT, SIGTERM] {
        // The order matters: the second signal finds the flag set by the first.
        flag::register_conditional_default(signal, Arc::clone(unwatched))?;
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(stop))?;
        flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}
